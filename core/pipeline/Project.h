// A piece of work as it is kept: a recipe, the model and the data it is about, marks on nodes, and what was seen.
#pragma once

#include "core/data/FileHash.h"
#include "core/pipeline/EvaluationChoice.h"
#include "core/pipeline/Model.h"
#include "core/pipeline/Recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace pt2e {

struct NodeNote
{
    std::string node; ///< PyTorch's name, "body/name" inside a sub-graph
    std::string text; ///< not empty
    friend bool operator==(const NodeNote&, const NodeNote&) = default;
};

/// What the user put on nodes of the exported graph, by name: it stays when the model changes. No node stands twice in a list.
struct NodeMarks
{
    std::vector<std::string> bookmarks; ///< in the order they were made
    std::vector<NodeNote> notes;

    bool isBookmarked(const std::string& node) const;
    /// Empty: there is none.
    const std::string& noteOn(const std::string& node) const;
    NodeMarks withBookmark(const std::string& node, bool isBookmarked) const;
    /// An empty text takes the note away.
    NodeMarks withNote(const std::string& node, const std::string& text) const;
    /// All nodes that have one or the other, each once.
    std::vector<std::string> nodes() const;
    friend bool operator==(const NodeMarks&, const NodeMarks&) = default;
};

/// Which modules are one box each.
struct ProjectModules
{
    int depth = 0; ///< all nested this deep; 0: none
    std::vector<std::string> collapsed; ///< paths of others
    std::vector<std::string> expanded; ///< paths of those that are none in spite of their depth
    bool repeats = true; ///< boxes alike are one
    friend bool operator==(const ProjectModules&, const ProjectModules&) = default;
};

/// What the panes showed. Words as they stand in the file; what a version of the window does not know, it leaves out.
struct ProjectView
{
    std::vector<std::string> panes; ///< names of stages, left to right; empty: as it is
    std::string body; ///< the sub-graph that is looked into; empty: the graph itself
    std::vector<std::string> focus;
    int hops = 3;
    std::string direction = "both"; ///< "both", "up", "down"
    bool weights = true;
    bool qdqOnEdges = false;
    std::optional<ProjectModules> modules; ///< absent: as a model is shown first
    bool inStep = true; ///< panes move together
    std::string overlay; ///< "error", "engine", …; empty: none
    friend bool operator==(const ProjectView&, const ProjectView&) = default;
};

struct Project
{
    ModelRequest model; ///< what: an absolute path or a built-in model's name
    Recipe recipe;
    EvaluationChoice evaluation;
    NodeMarks marks;
    ProjectView view;
    /// SHA-256 (hashOfPath) of the files when they were last seen; empty: not known, or there is none.
    struct Hashes
    {
        std::string model, calibration, evaluation, labels;
        friend bool operator==(const Hashes&, const Hashes&) = default;
    } hashes;
};

/// JSON of format "pt2e.project" version 1. `folder`: where the file stands; paths are then written relative to it, too.
/// Empty: absolute paths alone.
std::string writeProject(const Project& project, const std::string& folder);
/// Reading: unknown keys are an error with their place. Of each file the path relative to `folder` counts where something
/// is there, else the absolute one.
Result<Project> readProject(const std::string& text, const std::string& fileName,
                            const std::string& folder);

/// The file at `path`, written atomically: a failure leaves what was there. BadInput where the project holds what reading
/// would refuse.
Result<void> saveProject(const std::string& path, const Project& project);
/// Io if it cannot be read or is larger than 256 MiB, BadInput with the place for anything wrong in it.
Result<Project> loadProject(const std::string& path);

/// The hashes of today; empty where a file cannot be read. An error only when cancelled.
Result<Project::Hashes> hashFiles(const Project& project, FileHasher& hasher,
                                  const JobContext& context);
/// What is not there or is not what it was, as diagnostics: "model-changed", "data-changed", "data-missing".
Diagnostics checkFiles(const Project& project, const Project::Hashes& now);
/// Bookmarks and notes on nodes that the exported graph does not have ("mark-missing-node"): they stay in the project.
Diagnostics checkMarks(const NodeMarks& marks, const Graph& exported);

} // namespace pt2e

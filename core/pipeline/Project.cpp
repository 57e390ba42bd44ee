#include "core/pipeline/Project.h"

#include "core/base/OutputFile.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/ProjectJson.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace pt2e {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxSize = std::uintmax_t{256} << 20;

std::string fileNameOf(const std::string& path) { return fs::path(path).filename().string(); }

std::string folderOf(const std::string& path)
{
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return (error ? fs::path(path) : absolute).parent_path().lexically_normal().string();
}

} // namespace

// ---- marks

bool NodeMarks::isBookmarked(const std::string& node) const
{
    return std::find(bookmarks.begin(), bookmarks.end(), node) != bookmarks.end();
}

const std::string& NodeMarks::noteOn(const std::string& node) const
{
    static const std::string none;
    const auto found = std::find_if(notes.begin(), notes.end(),
                                    [&](const NodeNote& note) { return note.node == node; });
    return found == notes.end() ? none : found->text;
}

NodeMarks NodeMarks::withBookmark(const std::string& node, bool isWanted) const
{
    NodeMarks marks = *this;
    if (isWanted == isBookmarked(node))
        return marks;
    if (isWanted)
        marks.bookmarks.push_back(node);
    else
        std::erase(marks.bookmarks, node);
    return marks;
}

NodeMarks NodeMarks::withNote(const std::string& node, const std::string& text) const
{
    NodeMarks marks = *this;
    const auto found = std::find_if(marks.notes.begin(), marks.notes.end(),
                                    [&](const NodeNote& note) { return note.node == node; });
    if (found == marks.notes.end() && !text.empty())
        marks.notes.push_back({node, text});
    else if (found != marks.notes.end() && !text.empty())
        found->text = text;
    else if (found != marks.notes.end())
        marks.notes.erase(found);
    return marks;
}

std::vector<std::string> NodeMarks::nodes() const
{
    std::vector<std::string> nodes = bookmarks;
    for (const NodeNote& note : notes) {
        if (!isBookmarked(note.node))
            nodes.push_back(note.node);
    }
    return nodes;
}

// ---- the file

std::string writeProject(const Project& project, const std::string& folder)
{
    return json::project(project, folder) + "\n";
}

Result<Project> readProject(const std::string& text, const std::string& fileName,
                            const std::string& folder)
{
    rapidjson::Document document;
    PT2E_ASSIGN(const json::Place root, json::Place::parse(document, text, fileName));
    return json::readProject(root, folder);
}

Result<void> saveProject(const std::string& path, const Project& project)
{
    const std::string text = writeProject(project, folderOf(path));
    // What could not be opened again must not replace what can.
    PT2E_TRY(readProject(text, fileNameOf(path), {}));
    PT2E_ASSIGN(OutputFile file, OutputFile::create(path));
    PT2E_TRY(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

Result<Project> loadProject(const std::string& path)
{
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error)
        return fail(ErrorCode::Io, path, "cannot be read: " + error.message());
    if (size > kMaxSize)
        return fail(ErrorCode::Io, path, "is larger than any project");
    std::ifstream file(path, std::ios::binary);
    std::string text(static_cast<std::size_t>(size), '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(size)))
        return fail(ErrorCode::Io, path,
                    std::string("cannot be read: ") + std::strerror(errno ? errno : EIO));
    return readProject(text, fileNameOf(path), folderOf(path));
}

// ---- what has changed since

namespace {

Result<void> hashFile(const std::string& path, std::string& hash, FileHasher& hasher,
                      const JobContext& context)
{
    if (path.empty())
        return {};
    Result<std::string> found = hasher.hash(path, context);
    if (!found && found.error().code == ErrorCode::Cancelled)
        return passOn(found);
    hash = found.value_or(std::string());
    return {};
}

std::string modelFile(const Project& project)
{
    return fs::path(project.model.what).is_absolute() ? project.model.what : std::string();
}

std::string calibrationFile(const Project& project)
{
    const CalibrationChoice& choice = project.recipe.calibration;
    return choice.source == CalibrationChoice::Source::File ? choice.path : std::string();
}

} // namespace

Result<Project::Hashes> hashFiles(const Project& project, FileHasher& hasher,
                                  const JobContext& context)
{
    Project::Hashes now;
    PT2E_TRY(hashFile(modelFile(project), now.model, hasher, context));
    PT2E_TRY(hashFile(calibrationFile(project), now.calibration, hasher, context));
    PT2E_TRY(hashFile(project.evaluation.path, now.evaluation, hasher, context));
    PT2E_TRY(hashFile(project.evaluation.labels, now.labels, hasher, context));
    return now;
}

Diagnostics checkFiles(const Project& project, const Project::Hashes& now)
{
    const Project::Hashes& then = project.hashes;
    Diagnostics found;
    if (!then.model.empty() && then.model != now.model)
        found.push_back({Severity::Warning, "model-changed", "", modelFile(project),
                         "the model's file is not the one that this was made with: edits, "
                         "bookmarks and notes are applied again by the names of nodes"});
    const auto checkData = [&](const std::string& path, const std::string& before,
                               const std::string& today, const char* what) {
        if (!path.empty() && today.empty())
            found.push_back({Severity::Error, "data-missing", "", path,
                             std::string("the ") + what + " cannot be read"});
        else if (!before.empty() && before != today)
            found.push_back({Severity::Warning, "data-changed", "", path,
                             std::string("the ") + what
                                 + " are not those that this was made with: numbers may differ"});
    };
    checkData(calibrationFile(project), then.calibration, now.calibration, "calibration data");
    checkData(project.evaluation.path, then.evaluation, now.evaluation, "evaluation data");
    checkData(project.evaluation.labels, then.labels, now.labels, "labels");
    return found;
}

Diagnostics checkMarks(const NodeMarks& marks, const Graph& exported)
{
    const NodeNames names(exported);
    Diagnostics found;
    for (const std::string& node : marks.nodes()) {
        if (!names.find(node)) {
            const std::string& note = marks.noteOn(node);
            found.push_back({Severity::Warning, "mark-missing-node", "", node,
                             "the model has no node '" + node + "' any more, where the project has "
                                 + (note.empty() ? "a bookmark" : "the note \"" + note + "\"")});
        }
    }
    return found;
}

} // namespace pt2e

#include "core/pipeline/ProjectJson.h"

#include "core/pipeline/DataFormatJson.h"
#include "core/pipeline/JsonText.h"
#include "core/pipeline/ProjectViewJson.h"
#include "core/pipeline/RecipeJson.h"

#include <filesystem>
#include <fmt/format.h>

namespace pt2e::json {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "pt2e.project";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kHashDigits = 64;

// ---- writing

std::string texts(const std::vector<std::string>& values) { return arrayOf(values, text); }

/// Every line behind the first one a level deeper; strings hold no line ends of their own.
std::string indented(std::string text)
{
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '\n')
            out += ' ';
    }
    return out;
}

std::string fileJson(const std::string& path, const std::string& hash, const std::string& folder)
{
    Object file;
    if (!folder.empty() && fs::path(path).is_absolute())
        file.add("path", text(fs::path(path).lexically_relative(folder).string()));
    file.add("absolute", text(path));
    if (!hash.empty())
        file.add("sha256", text(hash));
    return file.line();
}

std::string modelJson(const Project& project, const std::string& folder)
{
    const ModelRequest& model = project.model;
    const bool isFile = fs::path(model.what).is_absolute();
    Object written;
    if (isFile)
        written.add("file", fileJson(model.what, project.hashes.model, folder));
    else
        written.add("built_in", text(model.what));
    if (!model.programName.empty())
        written.add("program", text(model.programName));
    if (!isFile)
        written.add("channels", integer(model.channels)).add("layers", integer(model.layers));
    return written.add("seed", std::to_string(model.seed)).line();
}

std::string dataJson(const Project& project, const std::string& folder)
{
    const CalibrationChoice& calibration = project.recipe.calibration;
    Object written;
    if (calibration.source == CalibrationChoice::Source::File)
        written.add("calibration", fileJson(calibration.path, project.hashes.calibration, folder));
    const EvaluationChoice& choice = project.evaluation;
    if (!choice.path.empty()) {
        Object evaluation;
        evaluation.add("file", fileJson(choice.path, project.hashes.evaluation, folder));
        if (!choice.labels.empty())
            evaluation.add("labels", fileJson(choice.labels, project.hashes.labels, folder));
        if (choice.format != DataFormat())
            evaluation.add("format", dataFormat(choice.format));
        written.add("evaluation", evaluation.lines(2));
    }
    return written.lines(1);
}

} // namespace

std::string project(const Project& project, const std::string& folder)
{
    std::vector<std::string> notes;
    for (const NodeNote& note : project.marks.notes)
        notes.push_back(Object().add("node", text(note.node)).add("text", text(note.text)).line());
    return Object()
        .add("format", text(kFormat))
        .add("version", integer(kVersion))
        .add("model", modelJson(project, folder))
        .add("recipe", indented(writeRecipe(project.recipe)))
        .add("data", dataJson(project, folder))
        .add("bookmarks", texts(project.marks.bookmarks))
        .add("notes", arrayLines(notes, 1))
        .add("view", projectView(project.view))
        .lines(0);
}

// ---- reading

namespace {

/// The path beside the project where something is there, else the absolute one. The same file keeps its name.
std::string located(const std::string& relative, const std::string& absolute,
                    const std::string& folder)
{
    if (relative.empty() || folder.empty())
        return absolute.empty() ? relative : absolute;
    const fs::path beside = (fs::path(folder) / relative).lexically_normal();
    std::error_code error;
    if (!fs::exists(beside, error))
        return absolute.empty() ? beside.string() : absolute;
    const bool isSame = !absolute.empty() && fs::equivalent(beside, absolute, error) && !error;
    return isSame ? absolute : beside.string();
}

Result<void> readFile(const Place& place, const std::string& folder, std::string& path,
                      std::string& hash)
{
    std::string relative, absolute;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "path")
            return member.read(relative);
        if (key == "absolute")
            return member.read(absolute);
        if (key != "sha256")
            return member.unknownKey();
        PT2E_TRY(member.read(hash));
        const bool isHash = hash.size() == kHashDigits
                            && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
        return isHash ? Result<void>() : member.error("must be 64 hexadecimal digits");
    }));
    path = located(relative, absolute, folder);
    if (path.empty() || path.find('\0') != std::string::npos)
        return place.error("names no file");
    return {};
}

Result<void> readModel(const Place& place, const std::string& folder, Project& project)
{
    ModelRequest& model = project.model;
    bool isBuiltIn = false, isFile = false;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "file") {
            isFile = true;
            return readFile(member, folder, model.what, project.hashes.model);
        }
        if (key == "built_in") {
            isBuiltIn = true;
            return member.read(model.what);
        }
        if (key == "program")
            return member.read(model.programName);
        if (key == "channels")
            return member.read(model.channels);
        if (key == "layers")
            return member.read(model.layers);
        if (key == "seed")
            return member.read(model.seed);
        return member.unknownKey();
    }));
    if (isBuiltIn == isFile)
        return place.error("must have 'file' or 'built_in'");
    if (isFile && !fs::path(model.what).is_absolute())
        return place.error("the file's path must be absolute, or relative to a project file");
    if (model.what.empty() || (isBuiltIn && model.what.find('/') != std::string::npos))
        return place.error("names no model");
    if (model.channels < 1 || model.layers < 1)
        return place.error("channels and layers must be 1 or more");
    return {};
}

Result<void> readEvaluation(const Place& place, const std::string& folder, Project& project)
{
    EvaluationChoice& choice = project.evaluation;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "file")
            return readFile(member, folder, choice.path, project.hashes.evaluation);
        if (key == "labels")
            return readFile(member, folder, choice.labels, project.hashes.labels);
        if (key == "format")
            return readDataFormat(member, choice.format);
        return member.unknownKey();
    }));
    if (choice.path.empty())
        return place.error("'file' is missing");
    return {};
}

/// `calibration`: where the recipe's data are, seen from the project; empty if it does not say.
Result<void> readData(const Place& place, const std::string& folder, Project& project,
                      std::string& calibration)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "calibration")
            return readFile(member, folder, calibration, project.hashes.calibration);
        if (key == "evaluation")
            return readEvaluation(member, folder, project);
        return member.unknownKey();
    });
}

Result<void> readBookmarks(const Place& place, NodeMarks& marks)
{
    return place.items([&](const Place& item) -> Result<void> {
        std::string node;
        PT2E_TRY(item.read(node));
        if (node.empty() || marks.isBookmarked(node))
            return item.error(node.empty() ? "names no node" : "'" + node + "' stands twice");
        marks.bookmarks.push_back(std::move(node));
        return {};
    });
}

Result<void> readNote(const Place& place, NodeMarks& marks)
{
    NodeNote note;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "node")
            return member.read(note.node);
        if (key == "text")
            return member.read(note.text);
        return member.unknownKey();
    }));
    if (note.node.empty() || note.text.empty())
        return place.error("must have 'node' and 'text'");
    if (!marks.noteOn(note.node).empty())
        return place.error("'" + note.node + "' has a note already");
    marks.notes.push_back(std::move(note));
    return {};
}

Result<void> checkFormat(const Place& root)
{
    PT2E_ASSIGN(const Place::Head head, root.head());
    const std::int64_t version = head.version;
    if (head.format != kFormat)
        return root.error("not a project: 'format' must be 'pt2e.project'");
    if (version > kVersion)
        return root.error(fmt::format("written by a newer program: version {} of the format, this "
                                      "one knows {}",
                                      version, kVersion));
    if (version != kVersion)
        return root.error(fmt::format("version {} of the format is not known", version));
    return {};
}

} // namespace

Result<Project> readProject(const Place& root, const std::string& folder)
{
    PT2E_TRY(checkFormat(root));
    Project project;
    std::string calibration;
    bool hasModel = false;
    PT2E_TRY(root.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "format" || key == "version")
            return {};
        if (key == "model") {
            hasModel = true;
            return readModel(member, folder, project);
        }
        if (key == "recipe") {
            PT2E_ASSIGN(project.recipe, readRecipe(member));
            return {};
        }
        if (key == "data")
            return readData(member, folder, project, calibration);
        if (key == "bookmarks")
            return readBookmarks(member, project.marks);
        if (key == "notes")
            return member.items([&](const Place& item) { return readNote(item, project.marks); });
        if (key == "view")
            return readProjectView(member, project.view);
        return member.unknownKey();
    }));
    if (!hasModel)
        return root.error("'model' is missing");
    CalibrationChoice& choice = project.recipe.calibration;
    if (choice.source == CalibrationChoice::Source::File && !calibration.empty())
        choice.path = calibration;
    return project;
}

} // namespace pt2e::json

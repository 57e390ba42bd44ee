#include "core/pipeline/ProjectViewJson.h"

#include "core/pipeline/JsonText.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::json {

namespace {

constexpr std::int64_t kMaxSteps = 99;
constexpr std::size_t kMaxPanes = 16;

std::string texts(const std::vector<std::string>& values) { return arrayOf(values, text); }

std::string modulesJson(const ProjectModules& modules)
{
    return Object()
        .add("depth", integer(modules.depth))
        .add("collapsed", texts(modules.collapsed))
        .add("expanded", texts(modules.expanded))
        .add("repeats", boolean(modules.repeats))
        .line();
}

} // namespace

std::string projectView(const ProjectView& view)
{
    return Object()
        .add("panes", texts(view.panes))
        .add("body", text(view.body))
        .add("focus", texts(view.focus))
        .add("hops", integer(view.hops))
        .add("direction", text(view.direction))
        .add("weights", boolean(view.weights))
        .add("qdq_on_edges", boolean(view.qdqOnEdges))
        .add("modules", optional(view.modules, modulesJson))
        .add("in_step", boolean(view.inStep))
        .add("overlay", text(view.overlay))
        .lines(1);
}

// ---- reading

namespace {

Result<void> readTexts(const Place& place, std::vector<std::string>& values)
{
    values.clear();
    return place.items([&](const Place& item) { return item.read(values.emplace_back()); });
}

Result<void> readWord(const Place& place, std::string& word,
                      std::initializer_list<std::string_view> words)
{
    PT2E_TRY(place.read(word));
    if (std::find(words.begin(), words.end(), word) == words.end())
        return place.error(fmt::format("must be one of {}", fmt::join(words, ", ")));
    return {};
}

Result<void> readPanes(const Place& place, std::vector<std::string>& panes)
{
    panes.clear();
    PT2E_TRY(place.items([&](const Place& item) {
        return readWord(item, panes.emplace_back(),
                        {"exported", "annotated", "prepared", "calibrated", "converted"});
    }));
    if (panes.size() > kMaxPanes)
        return place.error(fmt::format("more than {} panes", kMaxPanes));
    return {};
}

/// Hops, or how deep modules are nested.
Result<void> readSteps(const Place& place, int& steps)
{
    std::int64_t count = 0;
    PT2E_TRY(place.read(count));
    if (count < 0 || count > kMaxSteps)
        return place.error(fmt::format("must be 0 to {}", kMaxSteps));
    steps = static_cast<int>(count);
    return {};
}

Result<void> readModules(const Place& place, std::optional<ProjectModules>& modules)
{
    modules.reset();
    if (place.isNull())
        return {};
    modules.emplace();
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "depth")
            return readSteps(member, modules->depth);
        if (key == "collapsed")
            return readTexts(member, modules->collapsed);
        if (key == "expanded")
            return readTexts(member, modules->expanded);
        if (key == "repeats")
            return member.read(modules->repeats);
        return member.unknownKey();
    });
}

} // namespace

Result<void> readProjectView(const Place& place, ProjectView& view)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "panes")
            return readPanes(member, view.panes);
        if (key == "body")
            return member.read(view.body);
        if (key == "focus")
            return readTexts(member, view.focus);
        if (key == "hops")
            return readSteps(member, view.hops);
        if (key == "direction")
            return readWord(member, view.direction, {"both", "up", "down"});
        if (key == "weights")
            return member.read(view.weights);
        if (key == "qdq_on_edges")
            return member.read(view.qdqOnEdges);
        if (key == "modules")
            return readModules(member, view.modules);
        if (key == "in_step")
            return member.read(view.inStep);
        if (key == "overlay")
            return member.read(view.overlay);
        return member.unknownKey();
    });
}

} // namespace pt2e::json

#include "core/analysis/RecipeSide.h"

#include "core/passes/Qdq.h"
#include "core/pipeline/SpecJson.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e {

namespace {

/// Nodes among the arguments, one after the other and as often as they stand there.
void collectNodes(const Argument& argument, std::vector<NodeId>& nodes)
{
    if (const ArgumentList* list = argument.get<ArgumentList>()) {
        for (const Argument& item : list->items)
            collectNodes(item, nodes);
    } else if (argument.node()) {
        nodes.push_back(argument.node());
    }
}

std::vector<NodeId> argumentsOf(const Node& node)
{
    std::vector<NodeId> nodes;
    for (const Argument& argument : node.args)
        collectNodes(argument, nodes);
    for (const auto& [name, argument] : node.kwargs)
        collectNodes(argument, nodes);
    return nodes;
}

/// "int8 -128…127 per_channel_symmetric axis 0 PerChannelMinMaxObserver"
template<typename S>
std::string gridText(const S& spec)
{
    std::string text(dtypeName(spec.dtype));
    if (spec.quantMin && spec.quantMax)
        text += fmt::format(" {}…{}", *spec.quantMin, *spec.quantMax);
    if (spec.qscheme)
        text += fmt::format(" {}", qschemeName(*spec.qscheme));
    return text;
}

} // namespace

RecipeWord recipeWord(const char* text) { return {text, text, {}, {}}; }

RecipeWord recipeWord(const char* pattern, const std::string& argument)
{
    std::string text = pattern;
    const std::size_t at = text.find("%1");
    return {at == std::string::npos ? text : text.replace(at, 2, argument), pattern, argument, {}};
}

RecipeSide::RecipeSide(const Snapshot& snapshot, const CompareReport* run)
    : m_snapshot(snapshot),
      m_names(*snapshot.annotated->folded.graph)
{
    for (const WhyNot& why : snapshot.annotated->unannotated)
        m_reasons.emplace(why.node, &why);
    const auto add = [&](const Point& point) {
        std::vector<Point>& all = m_points[point.isEdge() ? point.user : point.node];
        if (m_pointOf.emplace(m_names.pointText(point), point).second)
            all.push_back(point);
    };
    for (const NodeNames::Entry& entry : m_names.entries()) {
        const NodeId id = entry.node->id;
        const Annotation* annotation = snapshot.annotated->annotations.find(id);
        for (const NodeId input : entry.node->inputs()) {
            const Point edge = Point::edge(input, id);
            const bool isObserved =
                snapshot.prepared && snapshot.prepared->instanceOf.contains(edge);
            if (isObserved || (annotation && annotation->input(input)))
                add(edge);
        }
        add(Point::output(id));
    }
    if (snapshot.prepared) {
        for (const auto& [point, instance] : snapshot.prepared->instanceOf)
            m_pointsOf[instance].push_back(m_names.pointText(point));
        for (auto& [instance, points] : m_pointsOf)
            std::sort(points.begin(), points.end());
    }
    if (snapshot.converted)
        m_converted.emplace(*snapshot.converted->graph);
    if (!run)
        return;
    const NodeNames ran(*run->converted); // the recipe's graph, but perhaps made at another time
    for (const Assignment& assignment : run->assignments)
        m_assignments.emplace(ran.nameOf(assignment.node), &assignment);
}

std::vector<std::string> RecipeSide::points(const std::string& name) const
{
    std::vector<std::string> texts;
    const auto found = m_points.find(m_names.find(name));
    for (std::size_t i = 0; found != m_points.end() && i < found->second.size(); ++i)
        texts.push_back(m_names.pointText(found->second[i]));
    return texts;
}

RecipeWord RecipeSide::op(const std::string& name) const
{
    const NodeId id = m_names.find(name);
    if (!id)
        return recipeWord("removed as dead code");
    if (const auto why = m_reasons.find(id); why != m_reasons.end())
        return {why->second->reason.text(), nullptr, {}, why->second->reason};
    const Annotation* annotation = m_snapshot.annotated->annotations.find(id);
    if (!annotation || annotation->rule.empty())
        return recipeWord("quantized");
    return recipeWord("quantized: %1", annotation->rule);
}

const Spec* RecipeSide::specOf(const std::string& text) const
{
    const auto found = m_pointOf.find(text);
    if (found == m_pointOf.end())
        return nullptr;
    const Point& point = found->second;
    const Annotation* annotation =
        m_snapshot.annotated->annotations.find(point.isEdge() ? point.user : point.node);
    if (!annotation)
        return nullptr;
    return point.isEdge() ? annotation->input(point.node) : &annotation->output;
}

std::string RecipeSide::specAsJson(const std::string& point) const
{
    const Spec* spec = specOf(point);
    return json::spec(spec ? *spec : Spec(),
                      [this](const Point& p) { return m_names.pointText(p); });
}

RecipeWord RecipeSide::spec(const std::string& point) const
{
    const Spec* spec = specOf(point);
    if (!spec || isNone(*spec))
        return {kSaysNothing};
    if (const auto* observed = std::get_if<ObservedSpec>(spec)) {
        std::string text = gridText(*observed);
        if (observed->chAxis)
            text += fmt::format(" axis {}", *observed->chAxis);
        text += observed->isDynamic ? " dynamic" : "";
        return {fmt::format("{} {}", text, observerClassName(observed->observer.kind))};
    }
    if (const auto* fixed = std::get_if<FixedSpec>(spec))
        return {
            fmt::format("{} scale={:.4g} zp={}", gridText(*fixed), fixed->scale, fixed->zeroPoint)};
    if (const auto* shared = std::get_if<SharedSpec>(spec))
        return recipeWord("shared with %1", m_names.pointText(shared->with));
    const auto& derived = std::get<DerivedSpec>(*spec);
    std::vector<std::string> from;
    for (const Point& each : derived.from)
        from.push_back(m_names.pointText(each));
    return recipeWord("derived from %1", fmt::format("{}", fmt::join(from, ", ")));
}

std::optional<ObserverId> RecipeSide::instance(const std::string& text) const
{
    const auto point = m_pointOf.find(text);
    if (point == m_pointOf.end() || !m_snapshot.prepared)
        return std::nullopt;
    const auto found = m_snapshot.prepared->instanceOf.find(point->second);
    return found == m_snapshot.prepared->instanceOf.end() ? std::nullopt
                                                          : std::optional(found->second);
}

const QParams* RecipeSide::qparams(ObserverId instance) const
{
    if (!m_snapshot.calibrated)
        return nullptr;
    const QParamsResult& result = m_snapshot.calibrated->qparams[instance.value];
    return result.hasData && result.qparams && !result.qparams->scale.empty() ? &*result.qparams
                                                                              : nullptr;
}

RecipeWord RecipeSide::observer(ObserverId instance, std::size_t channel, int digits) const
{
    std::string text(observerClassName(config(instance).kind));
    const QParams* found = qparams(instance);
    if (found && channel < found->scale.size() && channel < found->zeroPoint.size()) {
        text += fmt::format(" scale={:.{}g} zp={}", found->scale[channel], digits,
                            found->zeroPoint[channel]);
        if (found->scale.size() > 1)
            text += fmt::format(" (channel {} of {})", channel, found->scale.size());
    }
    return {text};
}

/// What stands between a node and the value it is made from, first to last.
std::string RecipeSide::chain(const Graph& graph, NodeId from) const
{
    std::vector<std::string> steps;
    for (const Node* node = graph.find(from); node && (isQuantize(*node) || isDequantize(*node));
         node = graph.find(node->arg(0).node()))
        steps.insert(steps.begin(), isQuantize(*node) ? "q" : "dq");
    return fmt::format("{}", fmt::join(steps, " → "));
}

std::vector<std::pair<std::string, std::string>> RecipeSide::conversions(
    const std::string& name) const
{
    std::vector<std::pair<std::string, std::string>> found;
    const NodeId id = m_converted ? m_converted->find(name) : NodeId();
    const Node* before = node(name);
    if (!id || !before)
        return found;
    const NodeNames::Entry& now = *m_converted->entry(id);
    const std::vector<NodeId> sources = argumentsOf(*before);
    const std::vector<NodeId> arguments = argumentsOf(*now.node);
    if (sources.size() != arguments.size())
        return found; // convert made another call of it
    for (std::size_t i = 0; i < sources.size(); ++i)
        found.emplace_back(m_names.pointText(Point::edge(sources[i], before->id)),
                           chain(*now.graph, arguments[i]));
    return found;
}

const Assignment* RecipeSide::assignment(const std::string& name) const
{
    const auto found = m_assignments.find(name);
    return found == m_assignments.end() ? nullptr : found->second;
}

} // namespace pt2e

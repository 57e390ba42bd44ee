#include "core/analysis/RecipeComparison.h"

#include "core/analysis/RecipeSide.h"
#include "core/passes/Qdq.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e {

namespace {

constexpr std::size_t kMostNames = 6; ///< of points that share, as a list

RecipeWord placeWord(const Assignment& assignment)
{
    switch (assignment.where) {
    case Assignment::Where::XnnpackInt8: return {"XNNPACK int8: " + assignment.kernel};
    case Assignment::Where::XnnpackFloat: return {"XNNPACK float: " + assignment.kernel};
    case Assignment::Where::LibTorch: return {"LibTorch: " + assignment.kernel};
    case Assignment::Where::Constant: return recipeWord("constant");
    case Assignment::Where::Absorbed: break;
    }
    return recipeWord("absorbed by its neighbour");
}

/// Finds the differences, name by name.
class Comparer
{
public:
    Comparer(const RecipeSide& first, const RecipeSide& second) : m_sides{&first, &second} {}
    std::vector<RecipeDifference> run();

private:
    void add(RecipeAspect aspect, std::string at, RecipeWord first, RecipeWord second);
    void compareNode(const std::string& name);
    void compareSpec(const std::string& point);
    void compareObserver(const std::string& point);
    void compareConversions(const std::string& name);
    void comparePlace(const std::string& name);
    bool isToldAtOutput(const std::string& point) const;
    bool isInBoth(const std::string& point) const;
    std::vector<std::string> partners(std::size_t side, const std::string& point) const;

    std::array<const RecipeSide*, 2> m_sides;
    std::string m_name; ///< the node compared
    std::vector<RecipeDifference> m_found;
};

void Comparer::add(RecipeAspect aspect, std::string at, RecipeWord first, RecipeWord second)
{
    RecipeDifference row;
    row.aspect = aspect;
    row.at = std::move(at);
    for (std::size_t i = 0; i < 2; ++i) {
        const Node* node = m_sides[i]->node(m_name);
        row.node[i] = node ? node->id : NodeId();
        if (node && row.op.empty())
            row.op = node->is(OpKind::CallFunction) ? std::string(shortOpName(node->target))
                                                    : std::string(opKindName(node->kind));
    }
    row.said = {std::move(first), std::move(second)};
    m_found.push_back(std::move(row));
}

bool Comparer::isInBoth(const std::string& point) const
{
    return m_sides[0]->instance(point) && m_sides[1]->instance(point);
}

/// The other points of the instance, of those that both observe.
std::vector<std::string> Comparer::partners(std::size_t side, const std::string& point) const
{
    std::vector<std::string> found;
    for (const std::string& other : m_sides[side]->pointsOf(*m_sides[side]->instance(point))) {
        if (other != point && isInBoth(other))
            found.push_back(other);
    }
    return found;
}

RecipeWord partnersWord(const std::vector<std::string>& partners)
{
    if (partners.empty())
        return recipeWord("shared with none");
    const std::size_t shown = std::min(partners.size(), kMostNames);
    std::string list =
        fmt::format("{}", fmt::join(partners.begin(),
                                    partners.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < partners.size())
        list += fmt::format(", … ({})", partners.size());
    return recipeWord("shared with %1", list);
}

/// An edge that has the instance of its producer's output under both recipes says nothing of its own.
bool Comparer::isToldAtOutput(const std::string& point) const
{
    const std::size_t arrow = point.find("->");
    if (arrow == std::string::npos)
        return false;
    const std::string output = point.substr(0, arrow);
    return std::all_of(m_sides.begin(), m_sides.end(), [&](const RecipeSide* side) {
        return side->instance(point) == side->instance(output);
    });
}

void Comparer::compareObserver(const std::string& point)
{
    const auto first = m_sides[0]->instance(point);
    const auto second = m_sides[1]->instance(point);
    if ((!first && !second) || isToldAtOutput(point))
        return;
    if (!first || !second) {
        // Only as far as both have come.
        if (m_sides[0]->isPrepared() && m_sides[1]->isPrepared())
            add(RecipeAspect::Observer, point,
                first ? m_sides[0]->observer(*first, 0, 4) : RecipeWord{kSaysNothing},
                second ? m_sides[1]->observer(*second, 0, 4) : RecipeWord{kSaysNothing});
        return;
    }
    const QParams* a = m_sides[0]->qparams(*first);
    const QParams* b = m_sides[1]->qparams(*second);
    const bool isOtherKind = m_sides[0]->config(*first).kind != m_sides[1]->config(*second).kind;
    const bool areOtherNumbers = a && b && (a->scale != b->scale || a->zeroPoint != b->zeroPoint);
    if (isOtherKind || areOtherNumbers) {
        std::size_t channel = 0; // the first that differs
        while (areOtherNumbers && a->scale.size() == b->scale.size()
               && channel + 1 < a->scale.size() && a->scale[channel] == b->scale[channel]
               && a->zeroPoint[channel] == b->zeroPoint[channel])
            ++channel;
        for (const int digits : {4, 9}) {
            RecipeWord x = m_sides[0]->observer(*first, channel, digits);
            RecipeWord y = m_sides[1]->observer(*second, channel, digits);
            if (digits == 4 && x.text == y.text)
                continue; // not told apart by so few
            add(RecipeAspect::Observer, point, std::move(x), std::move(y));
            break;
        }
    }
    const auto before = partners(0, point);
    const auto after = partners(1, point);
    if (before != after)
        add(RecipeAspect::Sharing, point, partnersWord(before), partnersWord(after));
}

void Comparer::compareSpec(const std::string& point)
{
    std::array<std::string, 2> json{m_sides[0]->specAsJson(point), m_sides[1]->specAsJson(point)};
    if (json[0] == json[1])
        return;
    RecipeWord first = m_sides[0]->spec(point);
    RecipeWord second = m_sides[1]->spec(point);
    if (first.text == second.text)
        add(RecipeAspect::Annotation, point, {json[0]}, {json[1]});
    else
        add(RecipeAspect::Annotation, point, std::move(first), std::move(second));
}

void Comparer::compareConversions(const std::string& name)
{
    const auto first = m_sides[0]->conversions(name);
    const auto second = m_sides[1]->conversions(name);
    if (first.size() != second.size())
        return;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i].second == second[i].second)
            continue;
        const auto word = [](const std::string& chain) {
            return chain.empty() ? RecipeWord{kSaysNothing} : RecipeWord{chain};
        };
        add(RecipeAspect::Conversion, first[i].first, word(first[i].second),
            word(second[i].second));
    }
}

void Comparer::comparePlace(const std::string& name)
{
    const Assignment* first = m_sides[0]->assignment(name);
    const Assignment* second = m_sides[1]->assignment(name);
    if (first && second && (first->where != second->where || first->kernel != second->kernel))
        add(RecipeAspect::Place, name, placeWord(*first), placeWord(*second));
}

void Comparer::compareNode(const std::string& name)
{
    m_name = name;
    const Node* first = m_sides[0]->node(name);
    const Node* second = m_sides[1]->node(name);
    const Node& node = first ? *first : *second;
    const bool isOp = node.is(OpKind::CallFunction) && node.target != "getitem";
    if (isOp) {
        RecipeWord a = m_sides[0]->op(name);
        RecipeWord b = m_sides[1]->op(name);
        // Another rule that says the same is no difference, another reason for float is none that counts.
        const auto isFloat = [](const RecipeWord& word) { return word.reason.has_value(); };
        if (isFloat(a) != isFloat(b) || !first || !second)
            add(RecipeAspect::Operator, name, std::move(a), std::move(b));
    }
    std::vector<std::string> points = m_sides[0]->points(name);
    std::vector<std::string> more = m_sides[1]->points(name);
    // The output, which stands last, behind all edges.
    for (const std::string& point : more) {
        if (std::find(points.begin(), points.end(), point) == points.end())
            points.insert(points.empty() ? points.end() : points.end() - 1, point);
    }
    for (const std::string& point : points) {
        compareSpec(point);
        compareObserver(point);
    }
    compareConversions(name);
    if (isOp)
        comparePlace(name);
}

std::vector<RecipeDifference> Comparer::run()
{
    for (const NodeNames::Entry& entry : m_sides[0]->names().entries())
        compareNode(entry.name());
    for (const NodeNames::Entry& entry : m_sides[1]->names().entries()) {
        if (!m_sides[0]->node(entry.name()))
            compareNode(entry.name());
    }
    return std::move(m_found);
}

std::int64_t conversionsIn(const Graph& graph)
{
    std::int64_t count = 0;
    const NodeNames names(graph);
    for (const NodeNames::Entry& entry : names.entries())
        count += isQuantize(*entry.node) || isDequantize(*entry.node) ? 1 : 0;
    return count;
}

RecipeFigures figuresOf(const Snapshot& snapshot)
{
    RecipeFigures figures;
    figures.coverage = snapshot.annotated->coverage;
    if (snapshot.prepared)
        figures.observers = static_cast<std::int64_t>(snapshot.prepared->instances.size());
    if (snapshot.converted) {
        figures.conversions = conversionsIn(*snapshot.converted->graph);
        figures.weightBytes = attributeBytes(*snapshot.converted->graph);
    }
    return figures;
}

} // namespace

const char* aspectName(RecipeAspect aspect)
{
    switch (aspect) {
    case RecipeAspect::Operator: return "operator";
    case RecipeAspect::Annotation: return "annotation";
    case RecipeAspect::Observer: return "observer";
    case RecipeAspect::Sharing: return "sharing";
    case RecipeAspect::Conversion: return "q and dq";
    case RecipeAspect::Place: return "runs on";
    }
    return "";
}

RecipeComparison compareRecipes(const Snapshot& first, const Snapshot& second,
                                const RecipeRuns& runs)
{
    RecipeComparison comparison;
    if (!first.annotated || !second.annotated)
        return comparison;
    const RecipeSide here(first, runs.compared[0].get());
    const RecipeSide there(second, runs.compared[1].get());
    comparison.differences = Comparer(here, there).run();
    comparison.figures = {figuresOf(first), figuresOf(second)};
    comparison.runs = runs;
    if (runs.compared[0] && runs.compared[1])
        comparison.predictions = comparePredictions(*runs.compared[0], *runs.compared[1]);
    return comparison;
}

} // namespace pt2e

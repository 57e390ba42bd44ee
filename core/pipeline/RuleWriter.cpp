#include "core/pipeline/RuleWriter.h"

#include "core/pipeline/Edits.h"

#include <algorithm>
#include <set>

namespace pt2e {

namespace {

using Kind = EditSpec::Kind;

EditSpec keep()
{
    EditSpec spec;
    spec.kind = Kind::Default;
    return spec;
}

std::vector<std::string> inputNames(const Node& node, const NodeNames& names)
{
    std::vector<std::string> inputs;
    for (const NodeId input : node.inputs())
        inputs.push_back(names.nameOf(input));
    return inputs;
}

/// The spec with its points as a rule names them; nothing if one is not this operator's.
std::optional<EditSpec> relativeSpec(EditSpec spec, const std::string& node,
                                     const std::vector<std::string>& inputs)
{
    const auto change = [&](NamedPoint& point) {
        const auto relative = relativeTo(point, node, inputs);
        if (relative)
            point = *relative;
        return relative.has_value();
    };
    if (spec.kind == Kind::Shared && !change(spec.sharedWith))
        return std::nullopt;
    if (spec.kind == Kind::Derived) {
        for (NamedPoint& point : spec.derivedFrom) {
            if (!change(point))
                return std::nullopt;
        }
    }
    return spec;
}

/// All operators of one target.
class Writer
{
public:
    Writer(const AnnotatedStage& stage, const Recipe& recipe,
           const std::map<Point, EditSpec>& wanted)
        : m_stage(stage),
          m_wanted(wanted),
          m_names(*stage.folded.graph)
    {
        for (const Edit& edit : recipe.edits)
            m_edited.insert(edit.at.text());
    }

    /// The rule as far as it can be one; the points that it covers go into `covered`.
    RecipeRule ruleFor(const std::string& target, std::set<Point>& covered);
    Edit editAt(const Point& point, EditSpec spec) const { return {named(point), std::move(spec)}; }
    NamedPoint named(const Point& point) const { return namedPoint(point, m_names); }
    const NodeNames& names() const { return m_names; }

private:
    struct Site
    {
        const Node* node;
        std::string name;
        std::vector<std::string> inputs;
    };
    /// What all sites get at a place; nothing if they do not get the same.
    std::optional<EditSpec> common(const std::vector<Site>& sites, std::optional<std::size_t> input,
                                   std::vector<Point>& points) const;
    std::optional<EditSpec> specAt(const Site& site, const Point& point) const;

    const AnnotatedStage& m_stage;
    const std::map<Point, EditSpec>& m_wanted;
    NodeNames m_names;
    std::set<std::string> m_edited;
};

std::optional<EditSpec> Writer::specAt(const Site& site, const Point& point) const
{
    if (m_edited.contains(named(point).text()))
        return std::nullopt; // an edit would win
    if (const auto it = m_wanted.find(point); it != m_wanted.end())
        return relativeSpec(it->second, site.name, site.inputs);
    const Annotation* annotation = m_stage.annotations.find(site.node->id);
    const Spec* now = !annotation      ? nullptr
                      : point.isEdge() ? annotation->input(point.node)
                                       : &annotation->output;
    if (!now)
        return std::nullopt;
    return relativeSpec(editSpecOf(*now, m_names), site.name, site.inputs);
}

std::optional<EditSpec> Writer::common(const std::vector<Site>& sites,
                                       std::optional<std::size_t> input,
                                       std::vector<Point>& points) const
{
    std::optional<EditSpec> all;
    bool isWanted = false;
    for (const Site& site : sites) {
        const std::vector<NodeId> inputs = site.node->inputs();
        if (input && *input >= inputs.size())
            continue;
        const Point point =
            input ? Point::edge(inputs[*input], site.node->id) : Point::output(site.node->id);
        const auto here = specAt(site, point);
        if (!here || (all && *here != *all))
            return std::nullopt;
        all = here;
        isWanted |= m_wanted.contains(point);
        points.push_back(point);
    }
    return isWanted ? all : std::nullopt;
}

RecipeRule Writer::ruleFor(const std::string& target, std::set<Point>& covered)
{
    RecipeRule rule;
    rule.match.op = target;
    std::vector<Site> sites;
    std::size_t inputCount = 0;
    for (const NodeId id : nodesOf(rule, *m_stage.folded.graph)) {
        const Node& node = *m_names.entry(id)->node;
        sites.push_back({&node, m_names.nameOf(id), inputNames(node, m_names)});
        inputCount = std::max(inputCount, sites.back().inputs.size());
    }
    const auto place = [&](std::optional<std::size_t> input) {
        std::vector<Point> points;
        auto spec = common(sites, input, points);
        if (spec)
            covered.insert(points.begin(), points.end());
        return spec;
    };
    for (std::size_t i = 0; i < inputCount; ++i)
        rule.inputs.push_back(place(i).value_or(keep()));
    rule.output = place(std::nullopt);
    while (!rule.inputs.empty() && rule.inputs.back().kind == Kind::Default)
        rule.inputs.pop_back();
    // The same at all inputs behind the first: as many as there are.
    if (rule.inputs.size() == inputCount && inputCount > 1
        && std::all_of(rule.inputs.begin() + 2, rule.inputs.end(),
                       [&](const EditSpec& spec) { return spec == rule.inputs[1]; })) {
        rule.otherInputs = rule.inputs[1];
        rule.inputs.resize(1);
    }
    return rule;
}

bool isEmpty(const RecipeRule& rule)
{
    return rule.inputs.empty() && !rule.otherInputs && !rule.output;
}

/// What stands in `above` over what stands in `below`, for the same operators.
RecipeRule overlaid(const RecipeRule& below, const RecipeRule& above)
{
    const auto inputOf = [](const RecipeRule& rule, std::size_t i) {
        return i < rule.inputs.size() ? rule.inputs[i] : rule.otherInputs.value_or(keep());
    };
    RecipeRule rule = below;
    rule.inputs.resize(std::max(below.inputs.size(), above.inputs.size()));
    for (std::size_t i = 0; i < rule.inputs.size(); ++i) {
        const EditSpec wanted = inputOf(above, i);
        rule.inputs[i] = wanted.kind == Kind::Default ? inputOf(below, i) : wanted;
    }
    if (above.otherInputs)
        rule.otherInputs = above.otherInputs;
    if (above.output)
        rule.output = above.output;
    return rule;
}

} // namespace

RecipeChange changeFor(const AnnotatedStage& stage, const Recipe& recipe,
                       const std::map<Point, EditSpec>& wanted, bool asEdits)
{
    RecipeChange change;
    Writer writer(stage, recipe, wanted);
    std::set<Point> covered;
    std::set<std::string> done;
    // In the order of the graph, so that rules and edits do not depend on ids.
    std::vector<std::pair<Point, EditSpec>> inOrder;
    for (const NodeNames::Entry& entry : writer.names().entries()) {
        const auto add = [&](const Point& point) {
            if (const auto it = wanted.find(point); it != wanted.end())
                inOrder.emplace_back(*it);
        };
        for (const NodeId input : entry.node->inputs())
            add(Point::edge(input, entry.node->id));
        add(Point::output(entry.node->id));
    }
    for (const auto& [point, spec] : inOrder) {
        const Node& owner = *writer.names().entry(point.isEdge() ? point.user : point.node)->node;
        if (asEdits || !owner.is(OpKind::CallFunction) || !done.insert(owner.target).second)
            continue;
        RecipeRule rule = writer.ruleFor(owner.target, covered);
        if (!isEmpty(rule))
            change.rules.push_back(std::move(rule));
    }
    for (const auto& [point, spec] : inOrder) {
        if (!covered.contains(point))
            change.edits.push_back(writer.editAt(point, spec));
    }
    return change;
}

Recipe withChange(Recipe recipe, const RecipeChange& change)
{
    for (const RecipeRule& rule : change.rules) {
        const auto finds = [&](const RecipeRule& other) {
            return other.match.op.empty() || matchesPattern(rule.match.op, other.match.op);
        };
        const auto last = std::find_if(recipe.rules.rbegin(), recipe.rules.rend(), finds);
        if (last != recipe.rules.rend() && last->match == rule.match && !last->skip)
            *last = overlaid(*last, rule);
        else
            recipe.rules.push_back(rule);
    }
    return withEdits(std::move(recipe), change.edits);
}

std::optional<Recipe> withRuleOfEdits(const AnnotatedStage& stage, const Recipe& recipe,
                                      const std::vector<NodeId>& nodes)
{
    const NodeNames names(*stage.folded.graph);
    RecipeRule rule;
    Recipe wanted = recipe;
    bool isAny = false;
    for (const NodeId id : nodes) {
        const NodeNames::Entry* entry = names.entry(id);
        if (!entry || !entry->node->is(OpKind::CallFunction)
            || entry->node->target != names.entry(nodes.back())->node->target)
            continue;
        rule.match.op = entry->node->target;
        const std::string name = entry->name();
        const std::vector<std::string> inputs = inputNames(*entry->node, names);
        std::erase_if(wanted.edits, [&](const Edit& edit) {
            const auto at = relativeTo(edit.at, name, inputs);
            const auto spec = at ? relativeSpec(edit.spec, name, inputs) : std::nullopt;
            const auto number =
                spec ? relativeInput(at->text()) : Result<std::optional<std::size_t>>(std::nullopt);
            if (!spec || !number)
                return false;
            isAny = true;
            rule.allowImplicitSharing &= edit.allowImplicitSharing;
            if (*number && rule.inputs.size() <= **number)
                rule.inputs.resize(**number + 1, keep());
            (*number ? rule.inputs[**number] : rule.output.emplace()) = *spec;
            return true;
        });
    }
    if (!isAny)
        return std::nullopt;
    wanted.rules.push_back(std::move(rule));
    return wanted;
}

std::optional<NamedPoint> relativeTo(const NamedPoint& point, const std::string& node,
                                     const std::vector<std::string>& inputs)
{
    if (point.user.empty())
        return point.node == node ? std::optional(NamedPoint{"$output", ""}) : std::nullopt;
    const auto input = std::find(inputs.begin(), inputs.end(), point.node);
    if (point.user != node || input == inputs.end())
        return std::nullopt;
    return NamedPoint{"$input" + std::to_string(input - inputs.begin()), ""};
}

} // namespace pt2e

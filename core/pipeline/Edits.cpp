#include "core/pipeline/Edits.h"

#include "core/quant/Bodies.h"

namespace pt2e {

Result<Spec> resolveSpec(const EditSpec& edit, const NodeNames& names)
{
    switch (edit.kind) {
    case EditSpec::Kind::Default:
    case EditSpec::Kind::None: return Spec{};
    case EditSpec::Kind::Observed: return Spec{edit.observed};
    case EditSpec::Kind::Fixed: return Spec{edit.fixed};
    case EditSpec::Kind::Shared: {
        PT2E_ASSIGN(const Point with, names.resolve(edit.sharedWith));
        return Spec{SharedSpec{with}};
    }
    case EditSpec::Kind::Derived: {
        DerivedSpec spec = edit.derived;
        spec.from.clear();
        for (const NamedPoint& named : edit.derivedFrom) {
            PT2E_ASSIGN(const Point point, names.resolve(named));
            spec.from.push_back(point);
        }
        return Spec{std::move(spec)};
    }
    }
    return Spec{};
}

NamedPoint namedPoint(const Point& point, const NodeNames& names)
{
    return {names.nameOf(point.node), point.isEdge() ? names.nameOf(point.user) : ""};
}

EditSpec editSpecOf(const Spec& spec, const NodeNames& names)
{
    EditSpec edit;
    if (const auto* observed = std::get_if<ObservedSpec>(&spec)) {
        edit.kind = EditSpec::Kind::Observed;
        edit.observed = *observed;
    } else if (const auto* fixed = std::get_if<FixedSpec>(&spec)) {
        edit.kind = EditSpec::Kind::Fixed;
        edit.fixed = *fixed;
    } else if (const auto* shared = std::get_if<SharedSpec>(&spec)) {
        edit.kind = EditSpec::Kind::Shared;
        edit.sharedWith = namedPoint(shared->with, names);
    } else if (const auto* derived = std::get_if<DerivedSpec>(&spec)) {
        edit.kind = EditSpec::Kind::Derived;
        edit.derived = *derived;
        edit.derived.from.clear();
        for (const Point& point : derived->from)
            edit.derivedFrom.push_back(namedPoint(point, names));
    }
    return edit;
}

std::vector<Edit> editsLike(const AnnotatedStage& other, const AnnotatedStage& now,
                            const std::string& name)
{
    const NodeNames theirs(*other.folded.graph), ours(*now.folded.graph);
    const Annotation* wanted = other.annotations.find(theirs.find(name));
    const NodeId node = ours.find(name);
    std::vector<Edit> edits;
    if (!wanted || !wanted->isValid() || !node)
        return edits;
    const auto add = [&](NamedPoint at, const Spec& spec) {
        edits.push_back({std::move(at), editSpecOf(spec, theirs), wanted->allowImplicitSharing});
    };
    for (const auto& [input, spec] : wanted->inputs)
        add({theirs.nameOf(input), name}, spec);
    if (const Annotation* current = now.annotations.find(node)) {
        for (const auto& [input, spec] : current->inputs) {
            if (!isNone(spec) && !wanted->input(theirs.find(ours.nameOf(input))))
                add({ours.nameOf(input), name}, Spec{});
        }
    }
    add({name, ""}, wanted->output);
    return edits;
}

namespace {

/// Puts a point back to what the quantizer said, which may be nothing at all.
void restore(AnnotationTable& annotations, const AnnotationTable& original, const Point& point)
{
    const NodeId owner = point.isEdge() ? point.user : point.node;
    Annotation* now = annotations.find(owner);
    const Annotation* before = original.find(owner);
    if (!now)
        return;
    if (!point.isEdge()) {
        now->output = before ? before->output : Spec{};
    } else if (const Spec* spec = before ? before->input(point.node) : nullptr) {
        now->setInput(point.node, *spec);
    } else {
        std::erase_if(now->inputs, [&](const auto& entry) { return entry.first == point.node; });
    }
    if (!before && !now->isValid())
        annotations.erase(owner);
}

/// `author`: who annotates, as Annotation::rule says it.
Result<void> applyEdit(AnnotationTable& annotations, const AnnotationTable& original,
                       const Edit& edit, const NodeNames& names, const std::string& author)
{
    PT2E_ASSIGN(const Point point, names.resolve(edit.at));
    if (edit.spec.kind == EditSpec::Kind::Default) {
        restore(annotations, original, point);
        return {};
    }
    PT2E_ASSIGN(const Spec spec, resolveSpec(edit.spec, names));
    Annotation& annotation = annotations.at(point.isEdge() ? point.user : point.node);
    annotation.rule = author;
    annotation.isAnnotated = true;
    if (!edit.allowImplicitSharing)
        annotation.allowImplicitSharing = false;
    if (point.isEdge())
        annotation.setInput(point.node, spec);
    else
        annotation.output = spec;
    return {};
}

// ---- rules: each makes edits at what it finds

void findNodes(const RecipeRule& rule, const Graph& graph, std::vector<NodeId>& found)
{
    const std::vector<NodeId> here = matchNodes(graph, rule.match);
    found.insert(found.end(), here.begin(), here.end());
    for (const std::string& name : visitedBodies(graph))
        findNodes(rule, **graph.subgraphs().find(name), found);
}

/// One operator that a rule found.
struct Site
{
    std::string name; ///< with the path of its body
    std::vector<std::string> inputs;
};

Site siteOf(NodeId id, const NodeNames& names)
{
    const NodeNames::Entry& entry = *names.entry(id);
    Site site{entry.name(), {}};
    for (const NodeId input : entry.node->inputs())
        site.inputs.push_back(names.nameOf(input));
    return site;
}

/// "$input0" and "$output" of the operator. False if it has no such input.
bool localize(NamedPoint& point, const Site& site)
{
    const auto number = relativeInput(point.text());
    if (!number || (*number && **number >= site.inputs.size()))
        return false;
    point = *number ? NamedPoint{site.inputs[**number], site.name} : NamedPoint{site.name, ""};
    return true;
}

bool localize(EditSpec& spec, const Site& site)
{
    if (spec.kind == EditSpec::Kind::Shared)
        return localize(spec.sharedWith, site);
    for (NamedPoint& point : spec.derivedFrom) {
        if (!localize(point, site))
            return false;
    }
    return true;
}

/// What a rule asks for at one operator, in order: inputs, output. False if a spec names an input that is not there.
bool editsAt(const RecipeRule& rule, const Site& site, std::vector<Edit>& edits)
{
    bool isComplete = true;
    const auto add = [&](NamedPoint at, EditSpec spec) {
        if (spec.kind == EditSpec::Kind::Default)
            return;
        if (localize(spec, site))
            edits.push_back({std::move(at), std::move(spec), rule.allowImplicitSharing});
        else
            isComplete = false;
    };
    for (std::size_t i = 0; i < site.inputs.size(); ++i) {
        if (i < rule.inputs.size())
            add({site.inputs[i], site.name}, rule.inputs[i]);
        else if (rule.otherInputs)
            add({site.inputs[i], site.name}, *rule.otherInputs);
    }
    if (rule.output)
        add({site.name, ""}, *rule.output);
    return isComplete;
}

/// False if a spec could not be put there.
bool applyRule(AnnotationTable& annotations, const RecipeRule& rule, NodeId id,
               const NodeNames& names, const std::string& author)
{
    if (rule.skip) {
        Annotation& annotation = annotations.at(id);
        annotation = Annotation();
        annotation.isAnnotated = true;
        annotation.rule = author;
        return true;
    }
    std::vector<Edit> edits;
    bool isComplete = editsAt(rule, siteOf(id, names), edits);
    for (const Edit& edit : edits)
        isComplete &= applyEdit(annotations, annotations, edit, names, author).has_value();
    return isComplete;
}

} // namespace

std::vector<NodeId> nodesOf(const RecipeRule& rule, const Graph& graph)
{
    std::vector<NodeId> found;
    findNodes(rule, graph, found);
    return found;
}

AnnotationTable applyRules(AnnotationTable annotations, const std::vector<RecipeRule>& rules,
                           const Graph& graph, const NodeNames& names, Diagnostics& diagnostics)
{
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const std::string author = std::string(kRecipeRule) + std::to_string(i + 1);
        const std::vector<NodeId> found = nodesOf(rules[i], graph);
        if (found.empty()) {
            diagnostics.push_back({Severity::Warning, "rule-finds-nothing", "", author,
                                   "no operator of the model matches"});
        }
        for (const NodeId id : found) {
            if (!applyRule(annotations, rules[i], id, names, author)) {
                diagnostics.push_back(
                    {Severity::Warning, "rule-missing-input", names.nameOf(id), author,
                     author
                         + " names an input that this operator does not have; that spec is left out"});
            }
        }
    }
    return annotations;
}

AnnotationTable applyEdits(AnnotationTable annotations, const std::vector<Edit>& edits,
                           const NodeNames& names, Diagnostics& diagnostics)
{
    const AnnotationTable original = annotations;
    for (const Edit& edit : edits) {
        const Result<void> applied = applyEdit(annotations, original, edit, names, "edit");
        if (!applied) {
            diagnostics.push_back({Severity::Error, "edit-missing-node", "",
                                   "edit at '" + edit.at.text() + "'", applied.error().message()});
        }
    }
    return annotations;
}

} // namespace pt2e

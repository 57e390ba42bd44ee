#include "core/pipeline/Edits.h"

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

Result<void> applyEdit(AnnotationTable& annotations, const AnnotationTable& original,
                       const Edit& edit, const NodeNames& names)
{
    PT2E_ASSIGN(const Point point, names.resolve(edit.at));
    if (edit.spec.kind == EditSpec::Kind::Default) {
        restore(annotations, original, point);
        return {};
    }
    PT2E_ASSIGN(const Spec spec, resolveSpec(edit.spec, names));
    Annotation& annotation = annotations.at(point.isEdge() ? point.user : point.node);
    annotation.rule = "edit";
    annotation.isAnnotated = true;
    if (!edit.allowImplicitSharing)
        annotation.allowImplicitSharing = false;
    if (point.isEdge())
        annotation.setInput(point.node, spec);
    else
        annotation.output = spec;
    return {};
}

} // namespace

AnnotationTable applyEdits(AnnotationTable annotations, const std::vector<Edit>& edits,
                           const NodeNames& names, Diagnostics& diagnostics)
{
    const AnnotationTable original = annotations;
    for (const Edit& edit : edits) {
        const Result<void> applied = applyEdit(annotations, original, edit, names);
        if (!applied) {
            diagnostics.push_back({Severity::Error, "edit-missing-node", "",
                                   "edit at '" + edit.at.text() + "'", applied.error().message()});
        }
    }
    return annotations;
}

} // namespace pt2e

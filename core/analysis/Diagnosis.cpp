#include "core/analysis/Diagnosis.h"

#include "core/analysis/Doctor.h"
#include "core/pipeline/Edits.h"

#include <algorithm>

namespace pt2e {

namespace diagnoses {

const ObservedSpec* Doctor::specAt(const Point& point) const
{
    const Spec* spec = snapshot.prepared->sharing.specAt(point);
    return spec ? std::get_if<ObservedSpec>(spec) : nullptr;
}

ObserverId Doctor::instanceAt(const Point& point) const
{
    const auto& instances = snapshot.prepared->instanceOf;
    const auto at = instances.find(point);
    return at == instances.end() ? ObserverId{} : at->second;
}

Edit Doctor::editAt(const Point& point, const std::optional<ObservedSpec>& spec) const
{
    Edit edit;
    edit.at = namedPoint(point, names);
    if (spec) {
        edit.spec.kind = EditSpec::Kind::Observed;
        edit.spec.observed = *spec;
    }
    return edit;
}

std::vector<Edit> Doctor::without(const std::function<bool(const Point&)>& isGone,
                                  const std::function<bool(const Point&)>& isHeir) const
{
    const auto& specs = snapshot.prepared->sharing.specs;
    const ObservedSpec* inherited = nullptr;
    for (const auto& [point, spec] : specs) {
        if (!inherited && isGone(point))
            inherited = std::get_if<ObservedSpec>(&spec);
    }
    std::vector<Edit> edits;
    for (const auto& [point, given] : specs) {
        const auto* shared = std::get_if<SharedSpec>(&given);
        if (isGone(point)) {
            if (!isNone(given))
                edits.push_back(editAt(point, std::nullopt));
            continue;
        }
        if (!shared || !isGone(shared->with))
            continue;
        if (!inherited || !isHeir(point))
            return {};
        edits.push_back(editAt(point, *inherited));
    }
    return edits;
}

std::optional<Range> Doctor::seen(ObserverId id) const
{
    const ObserverState& state = *snapshot.calibrated->states[id.value];
    if (state.minVal.size() != 1 || state.maxVal.size() != 1
        || !(state.maxVal[0] > state.minVal[0]))
        return std::nullopt;
    return Range{state.minVal[0], state.maxVal[0]};
}

const SeenValue* Doctor::seenAt(NodeId value) const
{
    const SeenValues& all = snapshot.calibrated->seen;
    const auto at = all.find(value);
    return at == all.end() ? nullptr : at->second.get();
}

ObservedSpec perChannel(ObservedSpec spec)
{
    spec.qscheme = QScheme::PerChannelSymmetric;
    spec.chAxis = 0;
    spec.observer.kind = ObserverKind::PerChannelMinMax;
    return spec;
}

} // namespace diagnoses

using namespace diagnoses;

const char* diagnosisName(DiagnosisKind kind)
{
    switch (kind) {
    case DiagnosisKind::OutlierChannel: return "outlier channel";
    case DiagnosisKind::PreClamp: return "quantized before a clamp";
    case DiagnosisKind::OneSided: return "one-sided values";
    case DiagnosisKind::UnbalancedInputs: return "unbalanced inputs";
    case DiagnosisKind::FewBatches: return "too few batches";
    case DiagnosisKind::BiasShift: return "shifted mean";
    case DiagnosisKind::DeadChannels: return "dead channels";
    case DiagnosisKind::Preprocessing: break;
    }
    return "unlike input values";
}

Recipe mendedRecipe(Recipe recipe, const Diagnosis& diagnosis)
{
    if (diagnosis.calibration)
        recipe.calibration = *diagnosis.calibration;
    return withEdits(std::move(recipe), diagnosis.edits);
}

std::vector<Diagnosis> diagnose(const Snapshot& snapshot, const CompareReport* report)
{
    if (!snapshot.prepared || !snapshot.calibrated)
        return {};
    Doctor doctor(snapshot);
    for (const Node& node : doctor.graph) {
        const ModuleRef* module =
            node.is(OpKind::CallModule) ? doctor.graph.modules().find(node.target) : nullptr;
        if (!module || !node.arg(0).node())
            continue;
        const Observed observed{doctor.graph.node(node.arg(0).node()), node, module->instance,
                                snapshot.prepared->instances[module->instance.value].config};
        if (observed.value.is(OpKind::GetAttr)) {
            findOutlierWeights(doctor, observed);
        } else {
            findPreClamp(doctor, observed);
            findOneSided(doctor, observed);
        }
    }
    const bool isOfThis =
        report && snapshot.converted && report->converted == snapshot.converted->graph;
    findUnbalancedInputs(doctor);
    findDeadChannels(doctor);
    findFewBatches(doctor);
    findPreprocessing(doctor, isOfThis ? report : nullptr);
    if (isOfThis)
        findBiasShift(doctor, *report);
    std::stable_sort(doctor.found.begin(), doctor.found.end(),
                     [](const auto& a, const auto& b) { return a.severity > b.severity; });
    return std::move(doctor.found);
}

} // namespace pt2e

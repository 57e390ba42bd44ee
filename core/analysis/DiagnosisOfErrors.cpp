// What only runs show.
#include "core/analysis/Doctor.h"
#include "core/analysis/SensitivityGroups.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e::diagnoses {

namespace {

/// The operator's weights per channel; empty where they are that, or are no weights.
std::vector<Edit> perChannelWeights(const Doctor& doctor, const Node& operation)
{
    const std::string_view op = shortOpName(operation.target);
    if (op != "linear" && op != "conv1d" && op != "conv2d" && op != "conv3d")
        return {};
    const Point weight = Point::edge(operation.arg(1).node(), operation.id);
    const ObservedSpec* spec = doctor.specAt(weight);
    if (!spec || (spec->qscheme && isPerChannel(*spec->qscheme)) || spec->isDynamic)
        return {};
    return {doctor.editAt(weight, perChannel(*spec))};
}

/// All that sensitivity analysis quantizes together with the operator, left float.
std::vector<Edit> floatGroup(const Snapshot& snapshot, NodeId operation)
{
    const auto switched = SwitchedGraph::make(snapshot, {});
    if (!switched)
        return {};
    const std::vector<SensitivityGroup> groups = sensitivityGroups(snapshot, *switched);
    std::vector<bool> isOn;
    for (const SensitivityGroup& group : groups)
        isOn.push_back(std::find(group.nodes.begin(), group.nodes.end(), operation)
                       == group.nodes.end());
    return floatEdits(snapshot, instancesOf(snapshot, groups, isOn));
}

} // namespace

void findBiasShift(Doctor& doctor, const CompareReport& report)
{
    const Graph& graph = *doctor.snapshot.annotated->folded.graph;
    for (const NodeError& error : report.nodes.nodes) {
        const Node* operation = graph.find(error.node);
        if (!error.shift || !operation || std::abs(error.shift->ratio()) < kBiasShift)
            continue;
        const ChannelShift& shift = *error.shift;
        Diagnosis found{
            DiagnosisKind::BiasShift,
            {error.node},
            error.name,
            "mean error of a channel against its standard deviation: %1",
            fmt::format("{}: {:.3g} / {:.3g}", shift.channel, shift.meanError, shift.deviation),
            std::abs(shift.ratio()) / kBiasShift,
            "quantize the weights per channel",
            perChannelWeights(doctor, *operation)};
        if (found.edits.empty()) {
            found.mend = "leave the operator float";
            found.edits = floatGroup(doctor.snapshot, error.node);
        }
        doctor.found.push_back(std::move(found));
    }
}

} // namespace pt2e::diagnoses

#include "core/view/SensitivityTables.h"

#include "core/view/CompareTables.h"
#include "core/view/TableCells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

namespace {

Cell percentCell(double share) { return numberCell(100 * share, "{:.2f} %"); }

Cell shareCell(const std::optional<double>& share)
{
    return share ? percentCell(*share) : absentCell();
}

} // namespace

Cell metricCell(const SensitivityScore& score, SensitivityMetric metric)
{
    switch (metric) {
    case SensitivityMetric::Sqnr: return decibelCell(score.output.sqnrDb);
    case SensitivityMetric::Cosine: return numberCell(score.output.cosine, "{:.6f}");
    case SensitivityMetric::Mse: return numberCell(score.output.mse, "{:.4g}");
    case SensitivityMetric::Agreement: return shareCell(score.agreement);
    case SensitivityMetric::Accuracy: break;
    }
    return shareCell(score.accuracy);
}

Table sensitivityTable(const Sensitivity& sensitivity, const SensitivityReport& report,
                       SensitivityMetric metric)
{
    Table table{"sensitivity",
                "Sensitivity",
                {"group", "SQNR dB", "worst batch dB", "cosine", "MSE", "max abs"},
                {},
                {StageKind::Annotated, StageKind::Prepared, StageKind::Converted}};
    const bool hasAgreement = report.floats.agreement.has_value();
    const bool hasAccuracy = report.floats.accuracy.has_value();
    if (hasAgreement)
        table.columns.emplace_back("same class");
    if (hasAccuracy)
        table.columns.emplace_back("accuracy");
    for (const std::size_t place : worstFirst(report, metric)) {
        const GroupResult& result = report.results[place];
        const SensitivityGroup& group = sensitivity.groups()[result.group];
        const TensorError& error = result.score.output;
        TableRow row{{textCell(group.name), decibelCell(error.sqnrDb), decibelCell(error.worstDb),
                      numberCell(error.cosine, "{:.6f}"), numberCell(error.mse, "{:.4g}"),
                      numberCell(error.maxAbs, "{:.4g}")},
                     group.nodes};
        if (hasAgreement)
            row.cells.push_back(shareCell(result.score.agreement));
        if (hasAccuracy)
            row.cells.push_back(shareCell(result.score.accuracy));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table sensitivitySetupTable(const Sensitivity& sensitivity, const SensitivityReport& report,
                            SensitivityMetric metric)
{
    Table table{"sensitivity-setup", "Setup", {"what", "value"}, {}, {}};
    const auto add = [&](const char* what, Cell cell) {
        cell.rightAligned = false;
        table.rows.push_back({{wordCell(what), std::move(cell)}, {}});
    };
    const Snapshot& snapshot = sensitivity.snapshot();
    add("model", textCell(snapshot.model->name));
    add("calibrated on", textCell(snapshot.calibrated->data));
    add("judged on", textCell(sensitivity.data().description));
    add("batches", countCell(static_cast<std::int64_t>(sensitivity.data().batches.size())));
    add("quantized", wordCell(report.mode == SensitivityMode::OneOn    ? "one group at a time"
                              : report.mode == SensitivityMode::OneOff ? "all but one group"
                              : report.mode == SensitivityMode::WeightsOnly
                                  ? "the weights of one group at a time"
                                  : "the activations of one group at a time"));
    add("metric", textCell(metricName(metric)));
    add("groups", textCell(report.results.size() == report.wanted
                               ? std::to_string(report.wanted)
                               : fmt::format("{} of {}", report.results.size(), report.wanted)));
    if (report.quantized)
        add("everything quantized", metricCell(*report.quantized, metric));
    if (metric == SensitivityMetric::Accuracy)
        add("float model", metricCell(report.floats, metric));
    return table;
}

Table mixedPrecisionTable(const Sensitivity& sensitivity, const MixedPrecisionReport& report)
{
    Table table{"mixed-precision",
                "Mixed precision",
                {"step", "float groups", metricName(report.goal.metric), "SQNR dB", "MACs in float",
                 "weight bytes in float"},
                {},
                {StageKind::Annotated, StageKind::Prepared, StageKind::Converted}};
    const bool isSqnr = report.goal.metric == SensitivityMetric::Sqnr;
    if (isSqnr)
        table.columns.erase(table.columns.begin() + 2);
    std::vector<std::size_t> before;
    for (const ParetoPoint& point : report.path) {
        std::vector<NodeId> nodes;
        std::string step = "everything quantized";
        for (const std::size_t group : point.floatGroups) {
            const auto& own = sensitivity.groups()[group].nodes;
            nodes.insert(nodes.end(), own.begin(), own.end());
            if (std::find(before.begin(), before.end(), group) == before.end())
                step = "+ " + sensitivity.groups()[group].name;
        }
        for (const std::size_t group : before) {
            if (std::find(point.floatGroups.begin(), point.floatGroups.end(), group)
                == point.floatGroups.end())
                step = "- " + sensitivity.groups()[group].name;
        }
        before = point.floatGroups;
        TableRow row{{textCell(std::move(step)),
                      countCell(static_cast<std::int64_t>(point.floatGroups.size())),
                      metricCell(point.score, report.goal.metric),
                      decibelCell(point.score.output.sqnrDb), percentCell(point.floatMacs),
                      percentCell(point.floatWeightBytes)},
                     std::move(nodes)};
        if (isSqnr)
            row.cells.erase(row.cells.begin() + 2);
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace pt2e

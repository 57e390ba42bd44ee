#include "core/view/CompareTables.h"

#include "core/view/TableCells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e {

namespace {

Cell stepsCell(const std::optional<StepError>& steps)
{
    if (!steps)
        return absentCell();
    if (steps->differing == 0)
        return {"equal", 0.0, false, {}, "equal"};
    const auto percent = [&](std::int64_t elements) {
        return 100.0 * static_cast<double>(elements) / static_cast<double>(steps->count);
    };
    const std::string argument =
        steps->farApart == 0
            ? fmt::format("{}; {:.2g} %", steps->maxSteps, percent(steps->differing))
            : fmt::format("{}; {:.2g} %, {:.2g} % > 1", steps->maxSteps, percent(steps->differing),
                          percent(steps->farApart));
    return {"max " + argument, static_cast<double>(steps->maxSteps), false, {}, "max %1", argument};
}

TableRow errorRow(const std::string& name, const char* run, const char* with,
                  const TensorError& error, Cell steps)
{
    return {{textCell(name), wordCell(run), wordCell(with), decibelCell(error.sqnrDb),
             decibelCell(error.worstDb), numberCell(error.cosine, "{:.6f}"),
             numberCell(error.mse, "{:.4g}"), numberCell(error.maxAbs, "{:.4g}"),
             numberCell(error.meanError, "{:.4g}"), std::move(steps)},
            {}};
}

} // namespace

Cell decibelCell(double decibel)
{
    if (std::isinf(decibel)) {
        const char* name = decibel > 0 ? "exact" : "n/a";
        return {name, decibel, true, {}, name};
    }
    return numberCell(decibel, "{:.2f}");
}

Cell decibelCell(const std::optional<TensorError>& error)
{
    if (!error)
        return absentCell();
    return error->count == 0 ? Cell{"n/a", std::nullopt, true, {}, "n/a"}
                             : decibelCell(error->sqnrDb);
}

Table compareSetupTable(const Snapshot& snapshot, const CompareReport& report)
{
    Table table{"setup", "Setup", {"what", "value"}, {}, {}};
    const auto add = [&](const char* what, std::string value) {
        table.rows.push_back({{wordCell(what), textCell(std::move(value))}, {}});
    };
    add("model", snapshot.model->name);
    add("calibrated on", snapshot.calibrated ? snapshot.calibrated->data : "-");
    add("compared on", report.data);
    add("batches", std::to_string(report.batches));
    if (report.samples > 0)
        add("samples", std::to_string(report.samples));
    add("data left out", std::to_string(report.problems.size()));
    add("sha256 of the data", report.dataHash);
    add("operators compared on", fmt::format("{} of the batches", report.nodes.batches));
    add("XNNPACK", fmt::format("{}; {}", report.xnnpackInfo.snapshot,
                               fmt::join(report.xnnpackInfo.instructionSets, " ")));
    add("LibTorch", fmt::format("{}; {}, BLAS {}", report.torchInfo.version,
                                report.torchInfo.cpuCapability, report.torchInfo.blas));
    add("threads", std::to_string(report.threads));
    return table;
}

Table compareBatchTable(const CompareReport& report)
{
    Table table{"batches", "Batches", {"batch", "sha256"}, {}, {}};
    for (std::size_t i = 0; i < report.batchHashes.size(); ++i)
        table.rows.push_back(
            {{countCell(static_cast<std::int64_t>(i)), textCell(report.batchHashes[i])}, {}});
    return table;
}

Table compareOutputTable(const CompareReport& report)
{
    Table table{"comparison",
                "Comparison",
                {"output", "run", "compared with", "SQNR dB", "worst batch dB", "cosine", "MSE",
                 "max abs", "mean error", "steps apart"},
                {},
                {StageKind::Exported}};
    for (const OutputComparison& output : report.outputs) {
        const auto add = [&](const char* run, const char* with, const TensorError& error,
                             Cell steps) {
            table.rows.push_back(errorRow(output.name, run, with, error, std::move(steps)));
        };
        add("simulated", "float", output.simulated, absentCell());
        add("XNNPACK", "float", output.xnnpack, absentCell());
        add("XNNPACK", "simulated", output.kernels, stepsCell(output.steps));
        if (output.weightsOnly)
            add("weights only", "float", *output.weightsOnly, absentCell());
        if (output.activationsOnly)
            add("activations only", "float", *output.activationsOnly, absentCell());
    }
    return table;
}

namespace {

/// For sorting: what is worse comes first, what is not known last.
double decibelOf(const std::optional<TensorError>& error)
{
    return error ? error->sqnrDb : std::numeric_limits<double>::infinity();
}

} // namespace

Table compareOperatorTable(const CompareReport& report)
{
    Table table{"operators",
                "Operators",
                {"node", "op", "alone dB", "weights only dB", "activations only dB",
                 "cumulative dB", "kernels dB", "XNNPACK dB", "cosine", "max abs", "mean error"},
                {},
                {StageKind::Converted}};
    std::vector<NodeError> nodes = report.nodes.nodes;
    std::stable_sort(nodes.begin(), nodes.end(), [](const NodeError& a, const NodeError& b) {
        return decibelOf(a.alone) < decibelOf(b.alone);
    });
    for (const NodeError& node : nodes) {
        const auto& drift = node.cumulative;
        table.rows.push_back({{textCell(node.name), textCell(std::string(shortOpName(node.target))),
                               decibelCell(node.alone), decibelCell(node.weightsOnly),
                               decibelCell(node.activationsOnly), decibelCell(node.cumulative),
                               decibelCell(node.kernels), decibelCell(node.xnnpack),
                               drift ? numberCell(drift->cosine, "{:.6f}") : absentCell(),
                               drift ? numberCell(drift->maxAbs, "{:.4g}") : absentCell(),
                               drift ? numberCell(drift->meanError, "{:.4g}") : absentCell()},
                              {node.node}});
    }
    return table;
}

Table compareQuestionTable(const CompareReport& report, ErrorQuestion question)
{
    Table table{
        "operators",
        "Operators",
        {"node", "op", "SQNR dB", "worst batch dB", "cosine", "MSE", "max abs", "mean error"},
        {},
        {StageKind::Converted}};
    std::vector<const NodeError*> nodes;
    for (const NodeError& node : report.nodes.nodes) {
        if (errorOf(node, question))
            nodes.push_back(&node);
    }
    std::stable_sort(nodes.begin(), nodes.end(), [question](const auto* a, const auto* b) {
        return decibelOf(errorOf(*a, question)) < decibelOf(errorOf(*b, question));
    });
    for (const NodeError* node : nodes) {
        const TensorError& error = *errorOf(*node, question);
        table.rows.push_back(
            {{textCell(node->name), textCell(std::string(shortOpName(node->target))),
              decibelCell(std::optional(error)), decibelCell(error.worstDb),
              numberCell(error.cosine, "{:.6f}"), numberCell(error.mse, "{:.4g}"),
              numberCell(error.maxAbs, "{:.4g}"), numberCell(error.meanError, "{:.4g}")},
             {node->node}});
    }
    return table;
}

Table compareQuantizationTable(const CompareReport& report)
{
    Table table{"quantizations",
                "Quantizations",
                {"value", "kind", "SQNR dB", "MSE", "rounding MSE", "clipping MSE", "clipped %",
                 "RMS steps", "codes used", "codes"},
                {},
                {StageKind::Converted}};
    std::vector<PairError> pairs = report.nodes.pairs;
    std::stable_sort(pairs.begin(), pairs.end(), [](const PairError& a, const PairError& b) {
        return a.loss.error.sqnrDb < b.loss.error.sqnrDb;
    });
    for (const PairError& pair : pairs) {
        const QuantizationLoss& loss = pair.loss;
        const bool hasCodes = loss.usedCodes > 0;
        table.rows.push_back(
            {{textCell(pair.name), wordCell(pair.isConstant ? "weight" : "activation"),
              decibelCell(std::optional(loss.error)), numberCell(loss.error.mse, "{:.4g}"),
              numberCell(loss.roundingMse, "{:.4g}"), numberCell(loss.clippingMse, "{:.4g}"),
              numberCell(100 * loss.clipRate, "{:.3g}"), numberCell(loss.stepRmse, "{:.3f}"),
              hasCodes ? countCell(loss.usedCodes) : absentCell(),
              hasCodes ? countCell(loss.codes) : absentCell()},
             {pair.quantized}});
    }
    return table;
}

// ---- labelled data

namespace {

constexpr std::array kRuns{RunKind::Float, RunKind::Simulated, RunKind::Xnnpack};

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

/// "90.12 % to 92.80 %", or with signs.
Cell interval(double low, double high, bool isSigned)
{
    return textCell(isSigned ? fmt::format("{:+.2f} to {:+.2f}", 100 * low, 100 * high)
                             : fmt::format("{:.2f} to {:.2f}", 100 * low, 100 * high));
}

Cell className(const Classified& classified, std::int64_t number)
{
    const auto at = static_cast<std::size_t>(number);
    return number >= 0 && at < classified.classNames.size() ? textCell(classified.classNames[at])
                                                            : wordCell("not a number");
}

} // namespace

Table compareAccuracyTable(const Classified& classified)
{
    Table table{
        "accuracy", "Accuracy", {"run", "right", "samples", "accuracy", "95 % interval"}, {}, {}};
    for (const RunKind run : kRuns) {
        const Proportion& share = classified.accuracy[static_cast<std::size_t>(run)];
        table.rows.push_back({{wordCell(runName(run)),
                               countCell(share.right),
                               countCell(share.all),
                               {percent(share.share), share.share, true},
                               interval(share.low, share.high, false)},
                              {}});
    }
    return table;
}

Table compareDifferenceTable(const Classified& classified)
{
    Table table{"differences",
                "Differences of accuracy",
                {"run", "compared with", "same class", "fixed", "broken", "difference in points",
                 "95 % interval", "McNemar p"},
                {},
                {}};
    for (const RunComparison& comparison : classified.comparisons) {
        const PairedDifference& difference = comparison.difference;
        const double same = classified.samples > 0 ? static_cast<double>(comparison.agreeing)
                                                         / static_cast<double>(classified.samples)
                                                   : 0;
        table.rows.push_back({{wordCell(runName(comparison.run)),
                               wordCell(runName(comparison.with)),
                               {percent(same), same, true},
                               countCell(difference.fixed),
                               countCell(difference.broken),
                               numberCell(100 * difference.difference, "{:+.2f}"),
                               interval(difference.low, difference.high, true),
                               numberCell(difference.p, "{:.3g}")},
                              {}});
    }
    return table;
}

Table compareConfusionTable(const Classified& classified, RunKind run)
{
    Table table{fmt::format("confusion-{}", runName(run)),
                fmt::format("Confusion: {}", runName(run)),
                {"label"},
                {},
                {}};
    for (const std::string& name : classified.classNames)
        table.columns.push_back(name);
    const auto& counts = classified.confusion[static_cast<std::size_t>(run)].counts;
    for (std::size_t label = 0; label < counts.size(); ++label) {
        TableRow row{{textCell(classified.classNames[label])}, {}};
        for (const std::int64_t number : counts[label])
            row.cells.push_back(countCell(number));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table compareFlipTable(const Classified& classified)
{
    Table table{
        "flips", "Flipped samples", {"sample", "label", "float", "simulated", "XNNPACK"}, {}, {}};
    for (const Flip& flip : classified.flips) {
        TableRow row{{countCell(flip.sample), className(classified, flip.label)}, {}};
        for (const std::int64_t predicted : flip.predicted)
            row.cells.push_back(className(classified, predicted));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<Table> comparisonTables(const CompareReport& report)
{
    std::vector<Table> tables;
    if (report.classified) {
        tables.push_back(compareAccuracyTable(*report.classified));
        tables.push_back(compareDifferenceTable(*report.classified));
        tables.push_back(compareFlipTable(*report.classified));
        for (const RunKind run : kRuns)
            tables.push_back(compareConfusionTable(*report.classified, run));
    }
    tables.push_back(compareOutputTable(report));
    if (!report.nodes.nodes.empty()) {
        tables.push_back(compareOperatorTable(report));
        tables.push_back(compareQuantizationTable(report));
    }
    tables.push_back(comparePartitionTable(report));
    return tables;
}

} // namespace pt2e

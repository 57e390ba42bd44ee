#include "core/view/CompareHtml.h"

#include "core/view/CompareTables.h"
#include "core/view/HtmlCharts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

using html::escaped;

namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f6f7f9; --text: #1b1f24; --soft: #5b6470;
  --line: #d9dde3; --s0: #0b6bcb; --s1: #c2410c; --s2: #0f7b54; --s3: #7a3fb0; --s4: #a16207; --s5: #b0305f; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --panel: #1d2127; --text: #e6e9ed;
  --soft: #9aa4b0; --line: #343a43; --s0: #6cb2ff; --s1: #ff9d66; --s2: #58d6a0; --s3: #c79bf2; --s4: #e3c04f;
  --s5: #f58ab0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 64rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 "DejaVu Sans", system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem; }
p { margin: .4rem 0; color: var(--soft); }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1.2rem 0; }
.tile { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: .7rem 1rem;
  min-width: 11rem; }
.tile b { display: block; font-size: 1.35rem; color: var(--text); } .tile span { color: var(--soft); font-size: .85rem; }
svg { display: block; width: 100%; height: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; margin: .5rem 0; }
svg text { font-size: 11px; fill: var(--text); } .label { text-anchor: end; }
.tick, .count { text-anchor: middle; } svg .tick { fill: var(--soft); } svg .strong { fill: var(--ground); }
.grid { stroke: var(--line); }
.bar { stroke-width: 3; stroke-linecap: round; } .right { fill: var(--s2); } .wrong { fill: var(--s1); }
.s0 { fill: var(--s0); stroke: var(--s0); } .s1 { fill: var(--s1); stroke: var(--s1); }
.s2 { fill: var(--s2); stroke: var(--s2); } .s3 { fill: var(--s3); stroke: var(--s3); }
.s4 { fill: var(--s4); stroke: var(--s4); } .s5 { fill: var(--s5); stroke: var(--s5); }
.key { display: inline-block; width: .75rem; height: .75rem; border-radius: 50%; margin: 0 .35rem 0 .8rem; }
.k0 { background: var(--s0); } .k1 { background: var(--s1); } .k2 { background: var(--s2); }
.k3 { background: var(--s3); } .k4 { background: var(--s4); } .k5 { background: var(--s5); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .84rem; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td:last-child { white-space: normal; } th { color: var(--soft); font-weight: 600; } td.number { text-align: right;
  font-variant-numeric: tabular-nums; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--soft); }
)";

std::string tableHtml(const Table& table)
{
    std::string text = "<div class=\"scroll\"><table><thead><tr>";
    for (const std::string& column : table.columns)
        text += "<th>" + escaped(column) + "</th>";
    text += "</tr></thead><tbody>\n";
    for (const TableRow& row : table.rows) {
        text += "<tr>";
        for (const Cell& cell : row.cells)
            text += (cell.rightAligned ? "<td class=\"number\">" : "<td>") + escaped(cell.text)
                    + "</td>";
        text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

std::string folded(const Table& table)
{
    return fmt::format("<details><summary>{} ({} rows)</summary>\n{}</details>\n",
                       escaped(table.title), table.rows.size(), tableHtml(table));
}

std::string heading(const char* title, const char* text)
{
    return fmt::format("<h2>{}</h2>\n<p>{}</p>\n", title, text);
}

std::string tile(const std::string& value, const std::string& what)
{
    return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", escaped(value),
                       escaped(what));
}

std::string tiles(const CompareReport& report)
{
    std::string text = "<div class=\"tiles\">\n";
    if (report.classified) {
        for (std::size_t run = 0; run < kRunKinds; ++run) {
            const Proportion& share = report.classified->accuracy[run];
            text += tile(fmt::format("{:.2f} %", 100 * share.share),
                         fmt::format("accuracy, {} ({:.2f} to {:.2f})",
                                     runName(static_cast<RunKind>(run)), 100 * share.low,
                                     100 * share.high));
        }
    }
    if (!report.outputs.empty()) {
        const OutputComparison& output = report.outputs.front();
        const auto decibel = [](double value) {
            const Cell cell = decibelCell(value);
            return std::isfinite(value) ? cell.text + " dB" : cell.text;
        };
        text += tile(decibel(output.simulated.sqnrDb), output.name + ": simulated against float");
        text += tile(decibel(output.kernels.sqnrDb), output.name + ": XNNPACK against simulated");
    }
    return text + "</div>\n";
}

std::string accuracySection(const Classified& classified)
{
    std::vector<html::IntervalRow> rows;
    for (std::size_t run = 0; run < kRunKinds; ++run) {
        const Proportion& share = classified.accuracy[run];
        rows.push_back({runName(static_cast<RunKind>(run)), 100 * share.low, 100 * share.share,
                        100 * share.high});
    }
    std::string text =
        heading("Accuracy", "Share of the samples in their class, with 95 % intervals by "
                            "Wilson's score. The runs see the same samples, so what differs "
                            "between them is told by the second table: its interval is of the "
                            "difference (Bonett and Price), its p McNemar's exact test.");
    text += html::intervalChart(rows, " %") + tableHtml(compareAccuracyTable(classified))
            + tableHtml(compareDifferenceTable(classified));
    text += heading("Confusion, XNNPACK",
                    "Labels down, predictions across in the same order. Darker: a larger share of "
                    "the row.");
    text += html::confusionChart(
        classified.classNames,
        classified.confusion[static_cast<std::size_t>(RunKind::Xnnpack)].counts);
    for (const RunKind run : {RunKind::Float, RunKind::Simulated, RunKind::Xnnpack})
        text += folded(compareConfusionTable(classified, run));
    text += heading("Flipped samples", "Those that not all runs put into the same class.");
    return text + folded(compareFlipTable(classified));
}

std::string operatorSection(const CompareReport& report)
{
    std::vector<html::DotRow> rows;
    const auto decibel = [](const std::optional<TensorError>& error) {
        return error ? std::optional(error->sqnrDb) : std::nullopt;
    };
    for (const NodeError& node : report.nodes.nodes)
        rows.push_back(
            {node.name, {decibel(node.alone), decibel(node.cumulative), decibel(node.kernels)}});
    std::string text =
        heading("Operators", "SQNR in dB, in execution order; more is better. Alone: fed with "
                             "float, only this operator quantized. Cumulative: the simulation "
                             "against float, here. Kernels: XNNPACK against the simulation.");
    text += html::dotChart({"alone", "cumulative", "kernels"}, rows, " dB");
    return text + folded(compareOperatorTable(report));
}

std::string quantizationSection(const CompareReport& report)
{
    std::vector<html::SplitRow> rows;
    for (const PairError& pair : report.nodes.pairs) {
        // In steps, so that values of different size stand on one scale.
        const QuantizationLoss& loss = pair.loss;
        const double square = loss.stepRmse * loss.stepRmse;
        const double share = loss.error.mse > 0 ? loss.clippingMse / loss.error.mse : 0;
        rows.push_back({pair.name + (pair.isConstant ? " (weight)" : ""), square * (1 - share),
                        square * share});
    }
    std::string text =
        heading("Quantizations",
                "Mean square error of each quantize and dequantize pair in steps of its scale: "
                "rounding gives about 1/12 = 0.083, what is above comes from values outside the "
                "range.");
    text += html::splitChart({"rounding", "clipping"}, rows);
    return text + folded(compareQuantizationTable(report));
}

std::string problemSection(const CompareReport& report)
{
    if (report.problems.empty())
        return {};
    Table table{"problems", "Data left out", {"place", "reason"}, {}, {}};
    for (const Diagnostic& problem : report.problems)
        table.rows.push_back({{{problem.place, {}, false}, {problem.message, {}, false}}, {}});
    return heading("Data left out", "These are in no figure on this page.") + tableHtml(table);
}

} // namespace

std::string compareHtml(const Snapshot& snapshot, const CompareReport& report)
{
    const std::string title = "PT2E comparison: " + escaped(snapshot.model->name);
    std::string page =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                    "<meta name=\"viewport\" content=\"width=device-width\">"
                    "<title>{}</title><style>{}</style></head><body>\n<h1>{}</h1>\n"
                    "<p>{}</p>\n",
                    title, kStyle, title, escaped(report.data));
    page += tiles(report) + problemSection(report);
    if (report.classified)
        page += accuracySection(*report.classified);
    page += heading("Outputs",
                    "SQNR: 20 log10 of the norm of the run compared with over the norm of the "
                    "difference, over all batches; the cosine is the mean over the samples.")
            + tableHtml(compareOutputTable(report));
    if (!report.nodes.nodes.empty())
        page += operatorSection(report) + quantizationSection(report);
    page += heading("Partitions", "Where each operator ran, and why not in int8 where it did not.")
            + folded(comparePartitionTable(report));
    page += heading("Setup", "What these figures depend on.")
            + tableHtml(compareSetupTable(snapshot, report)) + folded(compareBatchTable(report));
    return page + "</body></html>\n";
}

} // namespace pt2e

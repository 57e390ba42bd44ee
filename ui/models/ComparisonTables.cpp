#include "ui/models/ComparisonTables.h"

#include "ui/models/CoreText.h"

#include <QCoreApplication>

#include <cmath>

namespace pt2e::ui {

namespace {

std::string words(const char* text)
{
    return QCoreApplication::translate("Comparison", text).toStdString();
}

Cell textCell(std::string text) { return {std::move(text), std::nullopt, false}; }

Cell numberCell(double value, char format, int digits)
{
    std::string text =
        std::isinf(value) ? "\u221E" : QString::number(value, format, digits).toStdString();
    return {std::move(text), value, true};
}

std::string stepsText(const OutputComparison& output)
{
    if (!output.steps)
        return "\u2013";
    if (output.steps->differing == 0)
        return "0";
    const double share = 100.0 * static_cast<double>(output.steps->differing)
                         / static_cast<double>(output.steps->count);
    return QCoreApplication::translate("Comparison", "%1 (%2 % of values)")
        .arg(output.steps->maxSteps)
        .arg(share, 0, 'g', 2)
        .toStdString();
}

std::string whereText(Assignment::Where where)
{
    switch (where) {
    case Assignment::Where::XnnpackInt8: return "XNNPACK int8";
    case Assignment::Where::XnnpackFloat: return "XNNPACK float";
    case Assignment::Where::LibTorch: return "LibTorch";
    case Assignment::Where::Constant: return words(QT_TRANSLATE_NOOP("Comparison", "constant"));
    case Assignment::Where::Absorbed:
        return words(QT_TRANSLATE_NOOP("Comparison", "absorbed by its neighbour"));
    }
    return {};
}

Table outputTable(const CompareReport& report)
{
    Table table;
    table.id = "comparison";
    table.title = "Comparison";
    table.columns = {"output", "simulated dB", "cosine",     "max abs",    "XNNPACK dB",
                     "cosine", "max abs",      "kernels dB", "steps apart"};
    table.stages = {StageKind::Exported};
    for (const OutputComparison& output : report.outputs) {
        TableRow row;
        row.cells = {textCell(output.name),
                     numberCell(output.simulated.sqnrDb, 'f', 2),
                     numberCell(output.simulated.cosine, 'f', 6),
                     numberCell(output.simulated.maxAbs, 'g', 4),
                     numberCell(output.xnnpack.sqnrDb, 'f', 2),
                     numberCell(output.xnnpack.cosine, 'f', 6),
                     numberCell(output.xnnpack.maxAbs, 'g', 4),
                     numberCell(output.kernels.sqnrDb, 'f', 2),
                     textCell(stepsText(output))};
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The operators; quantize and dequantize nodes follow them and would only make the table longer.
Table partitionTable(const CompareReport& report)
{
    Table table;
    table.id = "partitions";
    table.title = "Partitions";
    table.columns = {"node", "runs on", "partition", "kernel", "reason"};
    table.stages = {StageKind::Converted};
    for (const Assignment& assignment : report.assignments) {
        const Node* node = report.converted->find(assignment.node);
        if (!node || !node->is(OpKind::CallFunction)
            || node->target.starts_with("quantized_decomposed."))
            continue;
        TableRow row;
        row.nodes = {node->id};
        const bool hasPartition = assignment.partition >= 0;
        Cell partition{hasPartition ? std::to_string(assignment.partition) : "\u2013", std::nullopt,
                       true};
        if (hasPartition)
            partition.number = assignment.partition;
        row.cells = {textCell(node->name), textCell(whereText(assignment.where)), partition,
                     textCell(assignment.kernel), textCell(assignment.reason)};
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

std::vector<Table> comparisonTables(const CompareReport& report)
{
    return {outputTable(report), partitionTable(report)};
}

} // namespace pt2e::ui

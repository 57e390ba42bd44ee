// Where the converted graph ran: partition by partition, and operator by operator.
#include "core/analysis/OperatorTimes.h"
#include "core/view/CompareTables.h"
#include "core/view/TableCells.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace pt2e {

namespace {

Cell whereCell(Assignment::Where where)
{
    switch (where) {
    case Assignment::Where::XnnpackInt8: return textCell("XNNPACK int8");
    case Assignment::Where::XnnpackFloat: return textCell("XNNPACK float");
    case Assignment::Where::LibTorch: return textCell("LibTorch");
    case Assignment::Where::Constant: return wordCell("constant");
    case Assignment::Where::Absorbed: break;
    }
    return wordCell("absorbed by its neighbour");
}

bool isQuantizing(const Node& node) { return node.target.starts_with("quantized_decomposed."); }

/// One line of the overview.
struct Part
{
    std::int64_t operators = 0;
    std::int64_t conversions = 0; ///< quantize and dequantize nodes with a kernel of their own
    std::int64_t int8 = 0;
    std::int64_t floats = 0;
    std::map<std::string, std::int64_t> kernels;
    std::optional<int> transposes; ///< XNNPACK partitions only
    std::vector<NodeId> nodes;

    void add(const Node& node, const Assignment& assignment)
    {
        const bool isInt8 = assignment.where == Assignment::Where::XnnpackInt8;
        const bool runsItself = isInt8 || assignment.where == Assignment::Where::XnnpackFloat
                                || assignment.where == Assignment::Where::LibTorch;
        if (isQuantizing(node)) {
            conversions += runsItself ? 1 : 0;
            return;
        }
        ++operators;
        nodes.push_back(node.id);
        if (!runsItself)
            return;
        (isInt8 ? int8 : floats) += 1;
        ++kernels[assignment.kernel];
    }

    std::string kernelText() const
    {
        std::vector<std::pair<std::string, std::int64_t>> sorted(kernels.begin(), kernels.end());
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        std::string all;
        for (const auto& [kernel, times] : sorted)
            all += fmt::format("{}{} × {}", all.empty() ? "" : ", ", times, kernel);
        return all.empty() ? "-" : all;
    }
};

TableRow rowOf(Cell number, Cell where, const Part& part)
{
    return {{std::move(number), std::move(where), countCell(part.operators), countCell(part.int8),
             countCell(part.conversions),
             part.transposes ? countCell(*part.transposes) : absentCell(),
             textCell(part.kernelText())},
            part.nodes};
}

} // namespace

Table comparePartitionTable(const CompareReport& report)
{
    Table table{"partitions",
                "Partitions",
                {"node", "runs on", "partition", "kernel", "microseconds", "reason"},
                {},
                {StageKind::Converted}};
    const auto times = timesOfNodes(report.operators);
    for (const Assignment& assignment : report.assignments) {
        const Node* node = report.converted->find(assignment.node);
        if (!node || !node->is(OpKind::CallFunction)
            || node->target.starts_with("quantized_decomposed."))
            continue;
        const auto time = times.find(node->id);
        table.rows.push_back(
            {{textCell(node->name), whereCell(assignment.where),
              assignment.partition < 0 ? absentCell() : countCell(assignment.partition),
              textCell(assignment.kernel),
              time == times.end()
                  ? absentCell()
                  : numberCell(static_cast<double>(time->second.count()) / 1e3, "{:.0f}"),
              textCell(assignment.reason.empty() ? "-" : assignment.reason)},
             {node->id}});
    }
    return table;
}

Table comparePartitionOverview(const CompareReport& report)
{
    Table table{
        "partition-overview",
        "Partitions",
        {"partition", "runs on", "operators", "in int8", "conversions", "transposes", "kernels"},
        {},
        {StageKind::Converted}};
    std::map<int, Part> partitions;
    Part own;
    Part torch;
    for (const Assignment& assignment : report.assignments) {
        const Node* node = report.converted->find(assignment.node);
        if (!node || !node->is(OpKind::CallFunction)
            || assignment.where == Assignment::Where::Constant)
            continue;
        if (assignment.partition >= 0)
            partitions[assignment.partition].add(*node, assignment);
        else if (assignment.where == Assignment::Where::LibTorch)
            torch.add(*node, assignment);
        else if (!isQuantizing(*node))
            own.add(*node, assignment);
    }
    for (auto& [number, part] : partitions) {
        if (static_cast<std::size_t>(number) < report.transposes.size())
            part.transposes = report.transposes[static_cast<std::size_t>(number)];
        table.rows.push_back(rowOf(countCell(number), textCell("XNNPACK"), part));
    }
    if (!own.nodes.empty())
        table.rows.push_back(rowOf(absentCell(), wordCell("kernels of our own"), own));
    if (!torch.nodes.empty())
        table.rows.push_back(rowOf(absentCell(), textCell("LibTorch"), torch));
    return table;
}

} // namespace pt2e

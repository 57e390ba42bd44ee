#include "ui/models/OpCountTable.h"

#include <algorithm>
#include <map>

namespace pt2e::ui {

namespace {

Cell numberCell(double number, bool isDelta)
{
    const auto whole = static_cast<long long>(number);
    Cell cell;
    cell.number = number;
    cell.rightAligned = true;
    cell.text = std::to_string(whole < 0 ? -whole : whole);
    if (whole < 0)
        cell.text = "\u2212" + cell.text;
    else if (isDelta && whole > 0)
        cell.text = "+" + cell.text;
    if (isDelta && whole == 0)
        cell.text = "\u00B7";
    return cell;
}

struct Row
{
    std::vector<double> counts; ///< per stage
    std::vector<NodeId> nodes;
    bool hasChange = false;
};

} // namespace

Table mergedOpCounts(const std::vector<Table>& pairs)
{
    Table merged;
    merged.id = "diff-ops";
    merged.title = "op counts";
    if (pairs.empty())
        return merged;
    const std::size_t stages = pairs.size() + 1;
    std::map<std::string, Row> rows;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        for (const TableRow& row : pairs[pair].rows) {
            Row& target = rows[row.cells[0].text];
            target.counts.resize(stages, 0);
            target.counts[pair] = row.cells[1].number.value_or(0);
            target.counts[pair + 1] = row.cells[2].number.value_or(0);
            target.hasChange |= target.counts[pair] != target.counts[pair + 1];
            for (const NodeId node : row.nodes) {
                if (std::find(target.nodes.begin(), target.nodes.end(), node) == target.nodes.end())
                    target.nodes.push_back(node);
            }
        }
    }
    merged.columns = {"op", pairs[0].columns[1]};
    merged.stages = {pairs[0].stages[0]};
    for (const Table& pair : pairs) {
        merged.columns.insert(merged.columns.end(), {"delta", pair.columns[2]});
        merged.stages.push_back(pair.stages[1]);
    }
    merged.columns.emplace_back(); // takes up the width that is left
    for (const bool changed : {true, false}) {
        for (const auto& [op, row] : rows) {
            if (row.hasChange != changed)
                continue;
            TableRow out;
            out.nodes = row.nodes;
            out.cells = {{op, std::nullopt, false}, numberCell(row.counts[0], false)};
            for (std::size_t stage = 1; stage < stages; ++stage) {
                out.cells.push_back(numberCell(row.counts[stage] - row.counts[stage - 1], true));
                out.cells.push_back(numberCell(row.counts[stage], false));
            }
            out.cells.emplace_back();
            merged.rows.push_back(std::move(out));
        }
    }
    return merged;
}

} // namespace pt2e::ui

#include "core/view/MarksTable.h"

#include "core/pipeline/NodeNames.h"
#include "core/view/TableCells.h"

namespace pt2e {

Table marksTable(const NodeMarks& marks, const Graph& exported)
{
    Table table;
    table.id = "marks";
    table.title = "bookmarks and notes";
    table.columns = {"node", "op", "bookmark", "note"};
    table.stages = {StageKind::Exported};
    if (marks.nodes().empty())
        return table;
    const NodeNames names(exported);
    for (const std::string& node : marks.nodes()) {
        const NodeId id = names.find(node);
        const NodeNames::Entry* entry = names.entry(id);
        TableRow row;
        row.cells = {
            textCell(node),
            textCell(entry ? std::string(shortOpName(entry->node->target)) : std::string()),
            marks.isBookmarked(node) ? wordCell("yes") : textCell(""),
            textCell(marks.noteOn(node))};
        if (id)
            row.nodes.push_back(id);
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace pt2e

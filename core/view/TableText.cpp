// Tables as text, CSV and JSON, and the comparison of two annotations.
#include "core/pipeline/Edits.h"
#include "core/pipeline/JsonText.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/SpecJson.h"
#include "core/view/Tables.h"

#include <algorithm>

namespace pt2e {

namespace {

/// Columns a text takes on a terminal: code points, wide ones (CJK) counted twice.
std::size_t columnsOf(std::string_view text)
{
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if ((c & 0xc0) == 0x80)
            continue;
        const bool isWide = c >= 0xe3 && c <= 0xed;
        columns += isWide ? 2 : 1;
    }
    return columns;
}

std::string padded(const std::string& text, std::size_t width, bool rightAligned)
{
    const std::size_t have = columnsOf(text);
    const std::string space(width > have ? width - have : 0, ' ');
    return rightAligned ? space + text : text + space;
}

void appendLine(std::string& out, std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
}

} // namespace

std::string tableAsText(const Table& table)
{
    if (table.rows.empty())
        return "(none)\n";
    const std::size_t columns = table.columns.size();
    std::vector<std::size_t> widths;
    std::vector<bool> rightAligned(columns, true);
    for (const std::string& name : table.columns)
        widths.push_back(columnsOf(name));
    for (const TableRow& row : table.rows) {
        for (std::size_t i = 0; i < columns; ++i) {
            widths[i] = std::max(widths[i], columnsOf(row.cells[i].text));
            rightAligned[i] = rightAligned[i] && row.cells[i].rightAligned;
        }
    }
    std::string out, header, rule;
    for (std::size_t i = 0; i < columns; ++i) {
        header += (i ? "  " : "") + padded(table.columns[i], widths[i], rightAligned[i]);
        rule += (i ? "  " : "") + std::string(widths[i], '-');
    }
    appendLine(out, header);
    appendLine(out, rule);
    for (const TableRow& row : table.rows) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i)
            line +=
                (i ? "  " : "") + padded(row.cells[i].text, widths[i], row.cells[i].rightAligned);
        appendLine(out, line);
    }
    return out;
}

namespace {

std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

} // namespace

std::string tableAsCsv(const Table& table)
{
    std::string out;
    const auto addLine = [&](const auto& fields, const auto& text) {
        std::size_t i = 0;
        for (const auto& field : fields)
            out += (i++ ? "," : "") + csvField(text(field));
        out += "\r\n";
    };
    addLine(table.columns, [](const std::string& name) { return name; });
    for (const TableRow& row : table.rows)
        addLine(row.cells, [](const Cell& cell) { return cell.text; });
    return out;
}

std::string tableAsJson(const Table& table)
{
    std::vector<std::string> rows;
    for (const TableRow& row : table.rows) {
        json::Object object;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            object.add(table.columns[i], json::text(row.cells[i].text));
        rows.push_back(object.line());
    }
    return json::Object()
        .add("table", json::text(table.id))
        .add("columns", json::arrayOf(table.columns, json::text))
        .add("rows", json::arrayLines(rows, 1))
        .lines(0);
}

// ---- against

namespace {

/// All points that either table says something about, in graph order: inputs in map order, then the output.
std::vector<Point> annotatedPoints(const NodeNames& names, const AnnotationTable& a,
                                   const AnnotationTable& b)
{
    std::vector<Point> points;
    const auto add = [&](const Point& point) {
        if (std::find(points.begin(), points.end(), point) == points.end())
            points.push_back(point);
    };
    std::vector<Point> all;
    for (const NodeNames::Entry& entry : names.entries()) {
        const NodeId node = entry.node->id;
        points.clear();
        for (const AnnotationTable* table : {&a, &b}) {
            if (const Annotation* annotation = table->find(node)) {
                for (const auto& [input, spec] : annotation->inputs)
                    add(Point::edge(input, node));
            }
        }
        add(Point::output(node));
        all.insert(all.end(), points.begin(), points.end());
    }
    return all;
}

const Spec& specAt(const AnnotationTable& table, const Point& point)
{
    static const Spec kNone;
    const Annotation* annotation = table.find(point.isEdge() ? point.user : point.node);
    if (!annotation)
        return kNone;
    if (!point.isEdge())
        return annotation->output;
    const Spec* spec = annotation->input(point.node);
    return spec ? *spec : kNone;
}

} // namespace

Result<Table> againstTable(const Snapshot& snapshot, const Recipe& other,
                           const std::string& otherName)
{
    if (!snapshot.annotated)
        return fail(ErrorCode::Internal, "against", "the annotated stage was not reached");
    const Graph& graph = *snapshot.annotated->folded.graph;
    const NodeNames names(graph);
    Diagnostics ignored;
    PT2E_ASSIGN(AnnotationTable theirs, annotate(graph, other.quantizer, ignored));
    theirs = applyEdits(std::move(theirs), other.edits, names, ignored);
    Table table;
    table.id = "against";
    table.title = "annotations against " + otherName;
    table.stages = {StageKind::Annotated, StageKind::Prepared};
    table.columns = {"point", "here", otherName};
    const auto pointText = [&](const Point& point) { return names.pointText(point); };
    for (const Point& point : annotatedPoints(names, snapshot.annotated->annotations, theirs)) {
        const Spec& here = specAt(snapshot.annotated->annotations, point);
        const Spec& there = specAt(theirs, point);
        if (here == there)
            continue;
        // The same kind twice says nothing: then the specs are written out.
        const bool sameKind = here.index() == there.index();
        const auto text = [&](const Spec& spec) {
            return sameKind ? json::spec(spec, pointText) : std::string(specWord(spec));
        };
        table.rows.push_back({{{names.pointText(point), {}, false},
                               {text(here), {}, false},
                               {text(there), {}, false}},
                              {point.isEdge() ? point.user : point.node}});
    }
    return table;
}

} // namespace pt2e

// Tables as text, CSV and JSON.
#include "core/pipeline/JsonText.h"
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
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const Cell& cell = row.cells[i];
            object.add(table.columns[i], json::text(cell.text));
            if (cell.reason)
                object.add(table.columns[i] + " key", json::text(reasonName(cell.reason->key)));
        }
        rows.push_back(object.line());
    }
    return json::Object()
        .add("table", json::text(table.id))
        .add("columns", json::arrayOf(table.columns, json::text))
        .add("rows", json::arrayLines(rows, 1))
        .lines(0);
}

} // namespace pt2e

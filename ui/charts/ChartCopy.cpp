#include "ui/charts/ChartCopy.h"

#include "core/view/TableCells.h"
#include "ui/charts/ConfusionMatrix.h"
#include "ui/charts/ConvergenceChart.h"
#include "ui/charts/CostBars.h"
#include "ui/charts/Histogram.h"
#include "ui/charts/IntervalChart.h"
#include "ui/charts/TradeChart.h"
#include "ui/charts/ValueChart.h"
#include "ui/models/TableCopy.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>
#include <tuple>

namespace pt2e::ui {

namespace {

constexpr const char* kReal = "{:.9g}";

Table tableWith(const char* id, std::vector<std::string> columns)
{
    Table table;
    table.id = table.title = id;
    table.columns = std::move(columns);
    return table;
}

Cell textCellOf(const QString& text) { return textCell(text.toStdString()); }

} // namespace

Table tableOf(const ConfusionMatrix& chart)
{
    Table table = tableWith("confusion", {"label"});
    const auto name = [&chart](std::size_t i) {
        return chart.classNames().value(static_cast<qsizetype>(i), QString::number(i));
    };
    for (std::size_t i = 0; i < chart.counts().size(); ++i)
        table.columns.push_back(name(i).toStdString());
    for (std::size_t i = 0; i < chart.counts().size(); ++i) {
        TableRow row{{textCellOf(name(i))}, {}};
        for (const std::int64_t count : chart.counts()[i])
            row.cells.push_back(countCell(count));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table tableOf(const ConvergenceChart& chart)
{
    const auto& data = chart.data();
    const bool isBand = !data.high.empty();
    Table table = isBand ? tableWith("convergence", {"batches", "low", "high"})
                         : tableWith("convergence", {"batches", "value"});
    for (std::size_t i = 0; i < data.low.size(); ++i) {
        const int batches = i < data.batches.size() ? data.batches[i] : static_cast<int>(i) + 1;
        TableRow row{{countCell(batches), numberCell(data.low[i], kReal)}, {}};
        if (isBand)
            row.cells.push_back(numberCell(data.high[i], kReal));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table tableOf(const CostBars& chart)
{
    Table table = tableWith("costs", {"group", "value", "share of the scale"});
    for (const CostBars::Row& row : chart.rows())
        table.rows.push_back(
            {{textCellOf(row.name), textCellOf(row.text), numberCell(row.length, kReal)}, {}});
    return table;
}

Table tableOf(const Histogram& chart)
{
    const Histogram::Data& data = chart.data();
    if (data.counts.empty()) {
        Table table = tableWith("channels", {"channel", "min", "max"});
        for (std::size_t i = 0; i < data.ranges.size(); ++i)
            table.rows.push_back({{countCell(static_cast<std::int64_t>(i)),
                                   numberCell(static_cast<double>(data.ranges[i].first), kReal),
                                   numberCell(static_cast<double>(data.ranges[i].second), kReal)},
                                  {}});
        return table;
    }
    Table table = tableWith("histogram", {"from", "to", "count"});
    const double step = (data.high - data.low) / static_cast<double>(data.counts.size());
    for (std::size_t i = 0; i < data.counts.size(); ++i)
        table.rows.push_back({{numberCell(data.low + static_cast<double>(i) * step, kReal),
                               numberCell(data.low + static_cast<double>(i + 1) * step, kReal),
                               numberCell(static_cast<double>(data.counts[i]), kReal)},
                              {}});
    return table;
}

Table tableOf(const IntervalChart& chart)
{
    Table table = tableWith("intervals", {"run", "value", "low", "high"});
    for (const IntervalChart::Row& row : chart.rows())
        table.rows.push_back({{textCellOf(row.name), numberCell(row.value, kReal),
                               numberCell(row.low, kReal), numberCell(row.high, kReal)},
                              {}});
    return table;
}

Table tableOf(const TradeChart& chart)
{
    const TradeChart::Data& data = chart.data();
    Table table = tableWith("trade-off", {"step", "cost", "value", "note"});
    for (std::size_t i = 0; i < data.dots.size(); ++i)
        table.rows.push_back(
            {{countCell(static_cast<std::int64_t>(i)), numberCell(data.dots[i].cost, kReal),
              numberCell(data.dots[i].value, kReal), textCellOf(data.dots[i].details)},
             {}});
    return table;
}

Table tableOf(const ValueChart& chart)
{
    const ValueChart::Data& data = chart.data();
    Table table = tableWith("values", {"from", "to"});
    std::size_t bins = 0;
    for (std::size_t i = 0; i < data.series.size(); ++i) {
        table.columns.push_back("count " + std::to_string(i + 1));
        bins = std::max(bins, data.series[i].counts.size());
    }
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double step = (data.high - data.low) / static_cast<double>(bins);
        TableRow row{{numberCell(data.low + static_cast<double>(bin) * step, kReal),
                      numberCell(data.low + static_cast<double>(bin + 1) * step, kReal)},
                     {}};
        for (const ValueChart::Series& series : data.series)
            row.cells.push_back(bin < series.counts.size()
                                    ? numberCell(static_cast<double>(series.counts[bin]), kReal)
                                    : absentCell());
        table.rows.push_back(std::move(row));
    }
    return table;
}

void addCopyActions(QMenu& menu, const TableSource& source)
{
    const std::tuple<const char*, const char*, CopyFormat> kFormats[] = {
        {QT_TRANSLATE_NOOP("Copy", "Copy as text"), "copy.text", CopyFormat::Text},
        {QT_TRANSLATE_NOOP("Copy", "Copy as CSV"), "copy.csv", CopyFormat::Csv},
        {QT_TRANSLATE_NOOP("Copy", "Copy as JSON"), "copy.json", CopyFormat::Json},
    };
    for (const auto& [text, name, format] : kFormats) {
        QAction* action = menu.addAction(
            QCoreApplication::translate("Copy", text), &menu, [source, format = format] {
                QGuiApplication::clipboard()->setText(tablesAs(source(), format));
            });
        action->setObjectName(QString::fromUtf8(name));
    }
}

void offerCopy(QWidget& widget, const TableSource& source)
{
    widget.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(&widget, &QWidget::customContextMenuRequested, &widget,
                     [&widget, source](const QPoint& at) {
                         auto* menu = new QMenu(&widget);
                         menu->setAttribute(Qt::WA_DeleteOnClose);
                         addCopyActions(*menu, source);
                         menu->popup(widget.mapToGlobal(at));
                     });
}

} // namespace pt2e::ui

// The data of a chart can be copied: a menu by the right mouse button, or the menu key where the chart takes keys.
#pragma once

#include "core/view/Tables.h"

#include <QWidget>

#include <functional>
#include <vector>

class QMenu;

namespace pt2e::ui {

class ConfusionMatrix;
class ConvergenceChart;
class CostBars;
class Histogram;
class IntervalChart;
class TradeChart;
class ValueChart;

Table tableOf(const ConfusionMatrix& chart);
Table tableOf(const ConvergenceChart& chart);
Table tableOf(const CostBars& chart);
Table tableOf(const Histogram& chart);
Table tableOf(const IntervalChart& chart);
Table tableOf(const TradeChart& chart);
Table tableOf(const ValueChart& chart);

using TableSource = std::function<std::vector<Table>()>;

/// Entries that put the tables into the clipboard: as text, as CSV, as JSON ("copy.text" …).
void addCopyActions(QMenu& menu, const TableSource& source);
/// The menu on the widget, for as long as it lives.
void offerCopy(QWidget& widget, const TableSource& source);

template<typename Chart>
void offerCopyOf(Chart& chart)
{
    offerCopy(chart, [&chart] { return std::vector<Table>{tableOf(chart)}; });
}

} // namespace pt2e::ui

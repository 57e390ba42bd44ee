// The budgets of a graph of 10,000 nodes in three panes.
#pragma once

#include "ui/panels/MainWindow.h"

#include <functional>
#include <vector>

namespace pt2e::ui {

/// Prints the median of the values in milliseconds (or megabytes) against a budget; 0: there is none.
using BenchReport = std::function<void(const char* what, std::vector<double> values, double budget,
                                       const char* unit)>;

/// A decoder of so many layers: opened collapsed, expanded, panned, searched.
void benchLargeGraph(MainWindow& window, int layers, const BenchReport& report);
/// In a process of its own: prints by how many megabytes it grows over the empty window, and how many of them are
/// tensors.
int printMemoryOfLargeGraph(MainWindow& window, int layers);

} // namespace pt2e::ui

// A comparison as tables: outputs of the three runs, and where each operator ran.
#pragma once

#include "core/analysis/Compare.h"
#include "core/view/Tables.h"

namespace pt2e::ui {

/// "comparison" and "partitions", in this order. SQNR's signal is float, for the last column the simulation.
std::vector<Table> comparisonTables(const CompareReport& report);

} // namespace pt2e::ui

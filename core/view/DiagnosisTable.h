// Diagnoses as a table, for the command line and the window.
#pragma once

#include "core/analysis/Diagnosis.h"
#include "core/view/Tables.h"

namespace pt2e {

/// "diagnosis": one row each, in the order given: what, at which operator, the numbers that show it, what mends it.
Table diagnosisTable(const std::vector<Diagnosis>& diagnoses);

} // namespace pt2e

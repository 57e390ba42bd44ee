// Output quality against the number of calibration batches as a table, for the command line and the window.
#pragma once

#include "core/analysis/OutputConvergence.h"
#include "core/view/Tables.h"

namespace pt2e {

/// "convergence": a row for each number of batches: SQNR and cosine of the worst output, samples put into the float model's
/// class and accuracy where the data give them, and how many scales are not yet where all batches take them.
Table convergenceTable(const OutputConvergence& convergence);

} // namespace pt2e

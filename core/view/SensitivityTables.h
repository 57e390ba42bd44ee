// Sensitivity and mixed precision as tables, for the command line and the window.
#pragma once

#include "core/analysis/MixedPrecision.h"
#include "core/view/Tables.h"

namespace pt2e {

/// "sensitivity": each group, what costs most under the metric first.
Table sensitivityTable(const Sensitivity& sensitivity, const SensitivityReport& report,
                       SensitivityMetric metric);
/// "sensitivity-setup": what the figures depend on, and those of everything quantized and of the float model.
Table sensitivitySetupTable(const Sensitivity& sensitivity, const SensitivityReport& report,
                            SensitivityMetric metric);
/// "mixed-precision": step by step, which groups are float and what comes of it.
Table mixedPrecisionTable(const Sensitivity& sensitivity, const MixedPrecisionReport& report);
/// The value in the metric's unit: "34.51", "98.2 %"; "-" where there is none.
Cell metricCell(const SensitivityScore& score, SensitivityMetric metric);

} // namespace pt2e

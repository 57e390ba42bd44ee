#include "core/view/ConvergenceTable.h"

#include "core/view/SensitivityTables.h"
#include "core/view/TableCells.h"

#include <fmt/format.h>

namespace pt2e {

Table convergenceTable(const OutputConvergence& convergence)
{
    std::vector<SensitivityMetric> metrics{SensitivityMetric::Sqnr, SensitivityMetric::Cosine};
    for (const SensitivityMetric metric :
         {SensitivityMetric::Agreement, SensitivityMetric::Accuracy}) {
        if (!convergence.points.empty() && valueOf(convergence.points.front().score, metric))
            metrics.push_back(metric);
    }
    Table table{"convergence", "Convergence", {"batches"}, {}, {}};
    for (const SensitivityMetric metric : metrics)
        table.columns.emplace_back(metric == SensitivityMetric::Sqnr        ? "SQNR dB"
                                   : metric == SensitivityMetric::Agreement ? "same class"
                                                                            : metricName(metric));
    table.columns.emplace_back("scales moved");
    for (const OutputConvergence::Point& point : convergence.points) {
        TableRow row{{countCell(static_cast<std::int64_t>(point.batches))}, {}};
        for (const SensitivityMetric metric : metrics)
            row.cells.push_back(metricCell(point.score, metric));
        row.cells.push_back(countCell(static_cast<std::int64_t>(point.moved),
                                      fmt::format("{} / {}", point.moved, convergence.scales)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace pt2e

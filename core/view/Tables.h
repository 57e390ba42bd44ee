// The tables of the notebook and of the window's docks, as data; text, CSV and JSON are made from it.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

struct Cell
{
    std::string text;
    std::optional<double> number; ///< sorts by it when present
    bool rightAligned = false;
    std::shared_ptr<const Reason> reason =
        {}; ///< what the text says, as data; null: something else
    const char* pattern = nullptr; ///< the text with %1 for `argument`, for translators
    std::string argument = {};
};

struct TableRow
{
    std::vector<Cell> cells;
    std::vector<NodeId> nodes; ///< selected with the row
};

struct Table
{
    std::string id; ///< "observers", as in `pt2e tables --table`
    std::string title;
    std::vector<std::string> columns;
    std::vector<TableRow> rows;
    std::vector<StageKind> stages; ///< stages its nodes belong to
};

/// One table per pair of neighbouring stages (interfaces.md "op counts").
std::vector<Table> opCountTables(const Snapshot& snapshot);
Table observerTable(const Snapshot& snapshot);
Table annotationTable(const Snapshot& snapshot);
/// What quantizer.annotate alone writes on the exported graph (--raw).
Result<Table> rawAnnotationTable(const Snapshot& snapshot);
Table unannotatedTable(const Snapshot& snapshot);
/// What at least one of two recipes leaves float: name, op, then for each its reason (or the rule that took the op)
/// and the root. Both stages are of the same exported graph; the names head the columns.
Table unannotatedAgainst(const AnnotatedStage& here, const std::string& hereName,
                         const AnnotatedStage& there, const std::string& thereName);
/// Of a program that is quantized already: each place where a value is quantized (or a constant dequantized), its dtype
/// and parameters.
Table quantizedValuesTable(const Graph& graph, const ProgramForm& form);
Table sharingTable(const Snapshot& snapshot);
Table coverageTable(const Snapshot& snapshot);
Table problemsTable(const Snapshot& snapshot);
/// Points that two recipes annotate differently: point, here, there. Both stages are of the same exported graph; edits
/// count as their quantizer's.
Table againstTable(const AnnotatedStage& here, const AnnotatedStage& there,
                   const std::string& thereName);

/// "scale=0.03299 zp=-5", or "scale=0.0009225 zp=0 (per-channel, n=8)"; "not calibrated", "dynamic".
std::string qparamsText(const PreparedGraph& prepared, const CalibratedStage* calibrated,
                        ObserverId observer);
/// "Spec", "SharedSpec", "FixedSpec", "DerivedSpec" or "NoneType".
std::string_view specWord(const Spec& spec);

std::string tableAsText(const Table& table); ///< aligned columns, as the notebook prints
std::string tableAsCsv(const Table& table); ///< RFC 4180
std::string tableAsJson(const Table& table); ///< {"table", "columns", "rows": [{column: text}]}

} // namespace pt2e

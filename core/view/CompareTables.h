// A comparison as tables, for the command line, the window and the report.
#pragma once

#include "core/analysis/Compare.h"
#include "core/view/Tables.h"

#include <vector>

namespace pt2e {

/// "setup": what the figures depend on. "batches": the hash of each, to repeat the run.
Table compareSetupTable(const Snapshot& snapshot, const CompareReport& report);
Table compareBatchTable(const CompareReport& report);
/// "comparison": each output, run against run. The signal of SQNR is the run compared with.
Table compareOutputTable(const CompareReport& report);
/// "operators": each operator under all questions, the one that loses most by itself first.
Table compareOperatorTable(const CompareReport& report);
/// "operators" under one question with all its figures, worst first; those it was not answered for are left out.
Table compareQuestionTable(const CompareReport& report, ErrorQuestion question);
/// "quantizations": what each quantize/dequantize pair loses, rounding and clipping apart; worst first.
Table compareQuantizationTable(const CompareReport& report);
/// "partition-overview": a row for each XNNPACK partition, one for kernels of our own and one for LibTorch, where there
/// are such: how many operators, of them in int8 by themselves (fused ones have no kernel), conversions, changes of layout, kernels.
Table comparePartitionOverview(const CompareReport& report);
/// "partitions": where each operator ran, how long where that was measured, and why; quantize and dequantize nodes follow them.
Table comparePartitionTable(const CompareReport& report);
/// Of labelled data: "accuracy"; "differences" between the runs; "confusion" of one run, labels down, predictions
/// across; "flips": the samples that not all runs put into the same class.
Table compareAccuracyTable(const Classified& classified);
Table compareDifferenceTable(const Classified& classified);
Table compareConfusionTable(const Classified& classified, RunKind run);
Table compareFlipTable(const Classified& classified);

/// What the window shows: all of the above but setup and batches; of labelled data those that there are.
std::vector<Table> comparisonTables(const CompareReport& report);

/// "34.51"; "exact" where nothing differs, "n/a" where there is no signal. For the window as data.
Cell decibelCell(double decibel);
Cell decibelCell(const std::optional<TensorError>& error);

} // namespace pt2e

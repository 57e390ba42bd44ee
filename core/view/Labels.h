// The words and numbers on the items.
#pragma once

#include "core/observers/Observer.h"
#include "core/pipeline/Snapshot.h"

#include <string>
#include <string_view>

namespace pt2e {

/// Four significant digits as Python's "{:.4g}", with a proper minus sign (U+2212): "0.03299", "−1.2e−05".
std::string figureNumber(double value);
std::string figureNumber(std::int64_t value);
/// "0.03299 −5"; per channel "0.0009225 … ×8"; empty if there are none.
std::string qparamsText(const QParams& qparams);
/// At most `limit` characters (code points), the middle replaced by "…".
std::string elided(std::string_view text, std::size_t limit = 30);
/// The digits at the end of "activation_post_process_3", or the whole name.
std::string observerNumber(std::string_view name);
/// "4×8×16×16", or empty; for a tuple "(…, …)".
std::string shapeOf(const ValueMeta& val);
/// Stage name as a heading, "Prepared", and what its picture shows, "float + observers".
std::string stageTitle(StageKind stage);
std::string stageCaption(StageKind stage);
/// "conv_bn_fold" → "folded", "dead_code_elimination" → "unused"; else "removed".
std::string removalWord(std::string_view pass);

} // namespace pt2e

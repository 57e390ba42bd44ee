#include "core/passes/Qdq.h"

namespace pt2e {

namespace {

bool callsPrefix(const Node& node, std::string_view prefix)
{
    return node.is(OpKind::CallFunction) && node.target.starts_with(prefix);
}

} // namespace

bool isQuantize(const Node& node) { return callsPrefix(node, "quantized_decomposed.quantize_"); }

bool isDequantize(const Node& node)
{
    return callsPrefix(node, "quantized_decomposed.dequantize_");
}

} // namespace pt2e

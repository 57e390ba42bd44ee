// What ops over a 2-D window have in common, and their 1-D forms, which run over one row.
#pragma once

#include "core/engine/xnnpack/Emitter.h"

namespace pt2e::xnn {

/// XNNPACK's sizes of windows.
inline std::uint32_t small(std::int64_t value) { return static_cast<std::uint32_t>(value); }

/// Positional argument i for height and width, `missing` where it is not given. An op on N, C, L (rank 3) has only the
/// width's; `row` is the height's then.
std::optional<std::vector<std::int64_t>> pairOf(const Node& node, std::size_t i, std::size_t rank,
                                                std::int64_t missing, std::int64_t row);

/// emit(from, to) on images: `input` and `result` themselves, or for a 1-D op both as one row. `input` is the value of
/// the call's operand 0; the result has the parameters of `type`.
template<typename Emit>
Result<void> emitOverWindow(const OpCall& call, Emitter& emitter, ValueId input, ValueId result,
                            const QuantType& type, Emit emit)
{
    const Operand& source = call.operand(0);
    if (source.shape.size() != 3)
        return emit(input, result);
    const Shape in = rowOf(toNhwc(source.shape));
    const Shape out = toNhwc(call.outputShape);
    PT2E_ASSIGN(const ValueId image, emitter.plainTemporary(in, source.type));
    PT2E_TRY(emitter.subgraph().reshape(in, input, image));
    PT2E_ASSIGN(const ValueId row, emitter.plainTemporary(rowOf(out), type));
    PT2E_TRY(emit(image, row));
    return emitter.subgraph().reshape(out, row, result);
}

} // namespace pt2e::xnn

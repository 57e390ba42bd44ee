#include "core/engine/xnnpack/ByteTable.h"

#include "core/engine/xnnpack/Segment.h"

#include <algorithm>

namespace pt2e::xnn {

Result<ByteTable> evaluateTable(const ConvertedView& view, const QuantizedFunction& function)
{
    const QuantType* type = view.typeOf(function.source);
    if (!type)
        return fail(ErrorCode::Internal, "byte table", "its input has no type");
    std::vector<NodeId> nodes = function.nodes;
    for (const NodeId id : {function.activation, function.quantize}) {
        if (id)
            nodes.push_back(id);
    }
    const NodeId end = nodes.back();
    PT2E_ASSIGN(Segment segment, Segment::make(view.graph(), nodes, {end}));
    std::array<std::uint8_t, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<std::uint8_t>(type->isShifted ? i : i ^ 0x80u);
    std::unordered_map<NodeId, Value> values;
    values[function.source].data = Tensor::fromBytes(type->isShifted ? DType::UInt8 : DType::Int8,
                                                     {256}, std::as_bytes(std::span(all)));
    PT2E_TRY(segment.run(values, {}, {}));
    const Tensor* result = values.at(end).tensor();
    if (!result || result->shape() != Shape{256})
        return fail(ErrorCode::Internal, "byte table", "the function does not give 256 values");
    PT2E_ASSIGN(const Tensor flat, result->contiguous());
    PT2E_ASSIGN(const auto bytes, flat.bytes());
    ByteTable table;
    if (flat.dtype() == DType::Float32) {
        std::copy_n(reinterpret_cast<const float*>(bytes.data()), 256, table.floats.begin());
        return table;
    }
    if (flat.dtype() != DType::Int8 && flat.dtype() != DType::UInt8)
        return fail(ErrorCode::Internal, "byte table", "its values are neither int8 nor float32");
    const std::uint8_t shift = flat.dtype() == DType::UInt8 ? 0x80 : 0;
    for (std::size_t i = 0; i < 256; ++i)
        table.bytes[i] = static_cast<std::int8_t>(std::to_integer<std::uint8_t>(bytes[i]) ^ shift);
    return table;
}

} // namespace pt2e::xnn

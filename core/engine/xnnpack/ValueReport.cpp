#include "core/engine/xnnpack/ValueReport.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

/// The tensor in the graph's order, in memory of its own: buffers are used again by the next run.
Result<Tensor> inGraphOrder(const Tensor& tensor, DataLayout layout, const Shape& natural)
{
    const auto& strides = tensor.strides();
    Shape ordered = strides;
    if (layout == DataLayout::Nhwc && isImage(natural)) {
        ordered = {strides.front(), strides.back()};
        ordered.insert(ordered.end(), strides.begin() + 1, strides.end() - 1);
    }
    const Tensor view(tensor.storage(), tensor.dtype(), natural, ordered, tensor.offset());
    PT2E_ASSIGN(const Tensor contiguous, view.contiguous());
    PT2E_ASSIGN(const auto bytes, contiguous.bytes());
    return Tensor::fromBytes(tensor.dtype(), natural, bytes);
}

class Reporter
{
public:
    Reporter(const Plan& plan, const Graph& graph, const RunOptions& options)
        : m_plan(plan),
          m_graph(graph),
          m_options(options)
    {}

    Result<void> report(const Unit& unit, const ValueMap& values) const
    {
        const NodeId id = unit.writes.front();
        const auto known = values.find(id);
        const Tensor* tensor = known == values.end() ? nullptr : known->second.tensor();
        const QuantType* type = m_plan.view->typeOf(id);
        if (!tensor)
            return {};
        const Shape& natural = *m_plan.view->shape(id);
        if (!type) {
            if (!isWanted(id))
                return {};
            PT2E_ASSIGN(Tensor copy, inGraphOrder(*tensor, DataLayout::Natural, natural));
            return m_options.onValue(id, Value{std::move(copy)});
        }
        PT2E_ASSIGN(const Tensor copy, inGraphOrder(*tensor, m_plan.layoutOf(id), natural));
        const auto& quantizes = unit.call.output.quantizes;
        if (quantizes.empty())
            return reportQuantized(id, copy, *type);
        for (const NodeId quantize : quantizes)
            PT2E_TRY(reportQuantized(quantize, copy, *type));
        return {};
    }

private:
    bool isWanted(NodeId id) const
    {
        return m_graph.contains(id) && (!m_options.wants || m_options.wants(id));
    }

    Result<void> reportQuantized(NodeId quantize, const Tensor& values, const QuantType& type) const
    {
        if (isWanted(quantize)) {
            PT2E_ASSIGN(Tensor integers, withGraphType(values, type));
            PT2E_TRY(m_options.onValue(quantize, Value{std::move(integers)}));
        }
        for (const NodeId user : m_plan.view->graph().node(quantize).users) {
            if (!isWanted(user))
                continue;
            PT2E_ASSIGN(Tensor reals, dequantized(values, type));
            PT2E_TRY(m_options.onValue(user, Value{std::move(reals)}));
        }
        return {};
    }

    static Result<Tensor> withGraphType(const Tensor& values, const QuantType& type)
    {
        if (!type.isShifted)
            return values;
        PT2E_ASSIGN(const auto bytes, values.bytes());
        std::vector<std::byte> shifted(bytes.begin(), bytes.end());
        for (std::byte& value : shifted)
            value ^= std::byte{0x80};
        return Tensor::fromBytes(DType::UInt8, values.shape(), shifted);
    }

    /// quantized_decomposed.dequantize_per_tensor: (q - zero point) · scale in float32.
    static Result<Tensor> dequantized(const Tensor& values, const QuantType& type)
    {
        PT2E_ASSIGN(const auto integers, values.values<std::int8_t>());
        std::vector<float> reals(integers.size());
        for (std::size_t i = 0; i < reals.size(); ++i)
            reals[i] = static_cast<float>(integers[i] - type.zeroPoint) * type.scale;
        return Tensor::fromValues<float>(DType::Float32, values.shape(), reals);
    }

    const Plan& m_plan;
    const Graph& m_graph;
    const RunOptions& m_options;
};

} // namespace

Result<void> reportStep(const Plan& plan, std::size_t step, const Graph& graph,
                        const ValueMap& values, const RunOptions& options)
{
    const Reporter reporter(plan, graph, options);
    for (const std::size_t i : plan.steps[step].units) {
        // A dequantized value has been told of with its integers.
        if (plan.units[i].kind != Unit::Kind::Dequantize)
            PT2E_TRY(reporter.report(plan.units[i], values));
    }
    return {};
}

} // namespace pt2e::xnn

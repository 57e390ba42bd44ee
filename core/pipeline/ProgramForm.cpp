#include "core/pipeline/ProgramForm.h"

#include "core/quant/Reason.h"

#include <algorithm>
#include <set>

namespace pt2e {

namespace {

constexpr std::string_view kFloat = "float program";
constexpr std::string_view kOtherFloat = "float program in %1";
constexpr std::string_view kAnnotated = "float program with annotations (%1 nodes)";
constexpr std::string_view kFake = "QAT program with fake quantization (%1 fake_quantize)";
constexpr std::string_view kConverted = "converted program (%1, %2 q / %3 dq)";

/// The op without its namespace, if that is one of quantized ops: PyTorch's own, or torchao's.
std::string_view quantizedOp(std::string_view target)
{
    for (const std::string_view space : {"quantized_decomposed.", "torchao.", "pt2e_quant."}) {
        if (target.starts_with(space))
            return target.substr(space.size());
    }
    return {};
}

bool isFakeQuantize(std::string_view target)
{
    return target.starts_with("aten.fake_quantize_") || target.starts_with("aten._fake_quantize_")
           || target.starts_with("aten._fused_moving_avg_obs_fq_helper")
           || target.starts_with("aten.fused_moving_avg_obs_fake_quant");
}

struct Found
{
    ProgramForm form;
    std::set<DType> integers;
    std::set<DType> floats;
};

void addFloat(const DType dtype, Found& found)
{
    if (isFloatingPoint(dtype) && dtype != DType::Float32)
        found.floats.insert(dtype);
}

void addCall(const Node& node, Found& found)
{
    const std::string_view op = quantizedOp(node.target);
    const bool isQuantize = op.starts_with("quantize");
    const bool isDequantize = op.starts_with("dequantize");
    found.form.quantize += isQuantize ? 1 : 0;
    found.form.dequantize += isDequantize ? 1 : 0;
    found.form.fakeQuantize += isFakeQuantize(node.target) ? 1 : 0;
    if (!isQuantize && !isDequantize)
        return;
    // The dtype is the last positional argument; the float one of a dequantize is a keyword.
    for (const Argument& argument : node.args) {
        if (const DType* dtype = argument.get<DType>(); dtype && !isFloatingPoint(*dtype))
            found.integers.insert(*dtype);
    }
}

void walk(const Graph& graph, Found& found)
{
    for (const Node& node : graph) {
        found.form.annotated += carriesAnnotation(node) ? 1 : 0;
        if (node.is(OpKind::CallFunction))
            addCall(node, found);
        const TensorMeta* meta = node.is(OpKind::Placeholder) ? node.val.tensor() : nullptr;
        if (meta)
            addFloat(meta->dtype, found);
    }
    for (const auto& [name, attribute] : graph.attributes()) {
        if (attribute.kind == AttributeKind::Parameter && attribute.value.isValid())
            addFloat(attribute.value.dtype(), found);
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            walk(*body, found);
    }
}

std::string names(const std::vector<DType>& dtypes)
{
    std::string all;
    for (const DType dtype : dtypes)
        all += (all.empty() ? "" : ", ") + std::string(dtypeName(dtype));
    return all;
}

} // namespace

std::string_view ProgramForm::pattern() const
{
    switch (kind) {
    case ProgramKind::Float: return floats.empty() ? kFloat : kOtherFloat;
    case ProgramKind::Annotated: return kAnnotated;
    case ProgramKind::FakeQuantized: return kFake;
    case ProgramKind::Converted: return kConverted;
    }
    return {};
}

std::vector<std::string> ProgramForm::parameters() const
{
    switch (kind) {
    case ProgramKind::Float: return {names(floats)};
    case ProgramKind::Annotated: return {std::to_string(annotated)};
    case ProgramKind::FakeQuantized: return {std::to_string(fakeQuantize)};
    case ProgramKind::Converted: break;
    }
    return {integers.empty() ? "?" : names(integers), std::to_string(quantize),
            std::to_string(dequantize)};
}

std::string ProgramForm::text() const { return fillTemplate(pattern(), parameters()); }

bool carriesAnnotation(const Node& node)
{
    static const std::string key = '"' + std::string(kAnnotationKey) + '"';
    return node.is(OpKind::CallFunction) && node.fileMeta
           && node.fileMeta->custom.find(key) != std::string::npos;
}

ProgramForm programForm(const Graph& graph)
{
    Found found;
    walk(graph, found);
    found.form.integers.assign(found.integers.begin(), found.integers.end());
    found.form.floats.assign(found.floats.begin(), found.floats.end());
    found.form.kind = found.form.quantize + found.form.dequantize > 0 ? ProgramKind::Converted
                      : found.form.fakeQuantize > 0                   ? ProgramKind::FakeQuantized
                      : found.form.annotated > 0                      ? ProgramKind::Annotated
                                                                      : ProgramKind::Float;
    return found.form;
}

std::vector<std::string_view> programPatterns()
{
    return {kFloat, kOtherFloat, kAnnotated, kFake, kConverted};
}

} // namespace pt2e

// The quantized_decomposed operators, which exist in Python only. Each is the same sequence of ATen calls, in the same
// precision, as torchao 0.18's (torch.ao.quantization.fx._decomposed), so results are equal bit for bit.
#include "core/kernels/torch/TorchKernels.h"

#include <limits>

namespace pt2e::torchside {

namespace {

struct Bounds
{
    double low;
    double high;
};

std::optional<Bounds> boundsOf(at::ScalarType type)
{
    switch (type) {
    case at::kByte: return Bounds{0, 255};
    case at::kChar: return Bounds{-128, 127};
    case at::ScalarType::UInt16: return Bounds{0, 65535};
    case at::kShort: return Bounds{-32768, 32767};
    case at::kInt: return Bounds{-2147483648.0, 2147483647.0};
    case at::ScalarType::Float8_e5m2: return Bounds{-57344, 57344};
    case at::ScalarType::Float8_e4m3fn: return Bounds{-448, 448};
    default: return std::nullopt;
    }
}

/// _quant_min_max_bounds_check
void checkBounds(std::int64_t quantMin, std::int64_t quantMax, at::ScalarType type)
{
    const auto bounds = boundsOf(type);
    TORCH_CHECK(bounds, "unsupported dtype ", c10::toString(type));
    TORCH_CHECK(static_cast<double>(quantMin) >= bounds->low, "quant_min ", quantMin,
                " is below the range of ", c10::toString(type));
    TORCH_CHECK(static_cast<double>(quantMax) <= bounds->high, "quant_max ", quantMax,
                " is above the range of ", c10::toString(type));
}

at::Tensor widened(const at::Tensor& input)
{
    const bool isHalf = input.scalar_type() == at::kHalf || input.scalar_type() == at::kBFloat16;
    at::Tensor wide = isHalf ? input.to(at::kFloat) : input;
    TORCH_CHECK(wide.scalar_type() == at::kFloat, "expected a float32 input, got ",
                c10::toString(wide.scalar_type()));
    return wide;
}

at::Tensor quantizePerTensor(const at::Tensor& input, double scale, std::int64_t zeroPoint,
                             std::int64_t quantMin, std::int64_t quantMax, at::ScalarType dtype)
{
    checkBounds(quantMin, quantMax, dtype);
    const double inverse = 1.0 / scale;
    at::Tensor work = widened(input).mul(inverse);
    return work.round_().add_(zeroPoint).clamp_(quantMin, quantMax).to(dtype);
}

at::Tensor dequantizePerTensor(const at::Tensor& input, double scale, std::int64_t zeroPoint,
                               std::int64_t quantMin, std::int64_t quantMax, at::ScalarType dtype,
                               at::ScalarType outDtype)
{
    TORCH_CHECK(input.scalar_type() == dtype, "expected an input of dtype ", c10::toString(dtype),
                ", got ", c10::toString(input.scalar_type()));
    TORCH_CHECK(boundsOf(dtype), "unsupported dtype ", c10::toString(dtype));
    static_cast<void>(quantMin); // part of the schema only
    static_cast<void>(quantMax);
    return input.to(outDtype).sub(zeroPoint).mul(scale);
}

/// The axis swapped with axis 0, as _permute_to_axis_zero does; its own inverse.
std::vector<std::int64_t> axisToFront(const at::Tensor& input, std::int64_t axis)
{
    TORCH_CHECK(axis >= 0 && axis < input.dim(), "axis ", axis, " is outside a tensor of ",
                input.dim(), " dimensions");
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < input.dim(); ++i)
        order.push_back(i);
    std::swap(order[0], order[static_cast<std::size_t>(axis)]);
    return order;
}

at::Tensor alongFront(const at::Tensor& perChannel, const at::Tensor& input)
{
    std::vector<std::int64_t> shape(static_cast<std::size_t>(input.dim()), 1);
    shape[0] = perChannel.size(0);
    return perChannel.view(shape);
}

at::Tensor quantizePerChannel(const at::Tensor& given, const at::Tensor& scales,
                              const at::Tensor& zeroPoints, std::int64_t axis,
                              std::int64_t quantMin, std::int64_t quantMax, at::ScalarType dtype)
{
    checkBounds(quantMin, quantMax, dtype);
    at::Tensor input = widened(given);
    const auto order = axisToFront(input, axis);
    input = input.permute(order);
    const at::Tensor inverse = alongFront(scales, input).reciprocal();
    // In place on the product: the same numbers without three more tensors.
    const at::Tensor scaled = input.mul(inverse).round_().add_(alongFront(zeroPoints, input));
    return scaled.clamp_(quantMin, quantMax).permute(order).to(dtype);
}

at::Tensor dequantizePerChannel(const at::Tensor& given, const at::Tensor& scales,
                                const std::optional<at::Tensor>& zeroPoints, std::int64_t axis,
                                std::int64_t quantMin, std::int64_t quantMax, at::ScalarType dtype,
                                at::ScalarType outDtype)
{
    TORCH_CHECK(given.scalar_type() == dtype, "expected an input of dtype ", c10::toString(dtype),
                ", got ", c10::toString(given.scalar_type()));
    checkBounds(quantMin, quantMax, dtype);
    const auto order = axisToFront(given, axis);
    at::Tensor input = given.permute(order);
    if (zeroPoints && zeroPoints->defined())
        input = input.sub(alongFront(*zeroPoints, input));
    return input.mul(alongFront(scales, input)).to(outDtype).permute(order);
}

/// determine_qparams without a customized range; everything in float32, widened at the end.
std::pair<at::Tensor, at::Tensor> chooseQparams(const at::Tensor& input, std::int64_t quantMin,
                                                std::int64_t quantMax, double epsilon,
                                                at::ScalarType dtype, bool isSymmetric)
{
    TORCH_CHECK(input.scalar_type() == at::kFloat || input.scalar_type() == at::kHalf
                    || input.scalar_type() == at::kBFloat16,
                "expected a floating point input, got ", c10::toString(input.scalar_type()));
    TORCH_CHECK(boundsOf(dtype), "unsupported dtype ", c10::toString(dtype));
    const auto [low, high] = at::aminmax(input);
    const at::Tensor zero = at::zeros_like(low);
    const at::Tensor negative = at::min(low, zero);
    const at::Tensor positive = at::max(high, zero);
    const at::Tensor eps = at::scalar_tensor(epsilon, at::TensorOptions(at::kFloat));
    const auto range = static_cast<double>(quantMax - quantMin);
    at::Tensor scale;
    at::Tensor zeroPoint;
    if (isSymmetric) {
        scale = at::max(at::max(negative.neg(), positive).div(range / 2), eps);
        zeroPoint = at::zeros_like(low, at::TensorOptions(at::kLong));
        if (dtype == at::kByte)
            zeroPoint.fill_(128);
    } else {
        scale = at::max(positive.sub(negative).div(range), eps);
        zeroPoint =
            negative.div(scale).round().to(at::kInt).neg().add(quantMin).clamp(quantMin, quantMax);
    }
    return {scale.to(at::kDouble).reshape({1}), zeroPoint.to(at::kLong).reshape({1})};
}

using Stack = torch::jit::Stack;

/// Argument i of the call that lies on the stack.
const c10::IValue& argument(const Stack& stack, std::size_t i) { return stack.at(i); }
std::int64_t whole(const Stack& stack, std::size_t i)
{
    const c10::IValue& value = argument(stack, i);
    return value.isTensor() ? value.toTensor().item().toLong() : value.toInt();
}
double real(const Stack& stack, std::size_t i)
{
    const c10::IValue& value = argument(stack, i);
    // A float32 scale widens to double here, as .item() does.
    return value.isTensor() ? value.toTensor().item().toDouble() : value.toDouble();
}
at::ScalarType type(const Stack& stack, std::size_t i)
{
    const c10::IValue& value = argument(stack, i);
    return value.isNone() ? at::kFloat : static_cast<at::ScalarType>(value.toInt());
}

void give(Stack& stack, at::Tensor result)
{
    stack.clear();
    stack.emplace_back(std::move(result));
}

void quantizeTensorOp(Stack& s)
{
    give(s, quantizePerTensor(argument(s, 0).toTensor(), real(s, 1), whole(s, 2), whole(s, 3),
                              whole(s, 4), type(s, 5)));
}
void dequantizeTensorOp(Stack& s)
{
    give(s, dequantizePerTensor(argument(s, 0).toTensor(), real(s, 1), whole(s, 2), whole(s, 3),
                                whole(s, 4), type(s, 5), type(s, 6)));
}
void quantizeChannelOp(Stack& s)
{
    give(s, quantizePerChannel(argument(s, 0).toTensor(), argument(s, 1).toTensor(),
                               argument(s, 2).toTensor(), whole(s, 3), whole(s, 4), whole(s, 5),
                               type(s, 6)));
}
void dequantizeChannelOp(Stack& s)
{
    give(s, dequantizePerChannel(argument(s, 0).toTensor(), argument(s, 1).toTensor(),
                                 argument(s, 2).toOptional<at::Tensor>(), whole(s, 3), whole(s, 4),
                                 whole(s, 5), type(s, 6), type(s, 7)));
}
template<bool isSymmetric>
void chooseOp(Stack& s)
{
    auto [scale, zeroPoint] = chooseQparams(argument(s, 0).toTensor(), whole(s, 1), whole(s, 2),
                                            real(s, 3), type(s, 4), isSymmetric);
    s.clear();
    s.emplace_back(std::move(scale));
    s.emplace_back(std::move(zeroPoint));
}
void convertOp(Stack& s) { give(s, argument(s, 0).toTensor().to(type(s, 1))); }

struct Entry
{
    const char* target;
    const char* schema;
    void (*run)(Stack&);
};

const Entry kOps[] = {
    {"quantized_decomposed.quantize_per_tensor.default",
     "quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype) "
     "-> Tensor",
     quantizeTensorOp},
    {"quantized_decomposed.quantize_per_tensor.tensor",
     "quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, "
     "ScalarType dtype) -> Tensor",
     quantizeTensorOp},
    {"quantized_decomposed.quantize_per_tensor.tensor2",
     "quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor quant_max, "
     "ScalarType dtype) -> Tensor",
     quantizeTensorOp},
    {"quantized_decomposed.dequantize_per_tensor.default",
     "dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, "
     "*, ScalarType? out_dtype=None) -> Tensor",
     dequantizeTensorOp},
    {"quantized_decomposed.dequantize_per_tensor.tensor",
     "dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, "
     "ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
     dequantizeTensorOp},
    {"quantized_decomposed.dequantize_per_tensor.tensor2",
     "dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor quant_max, "
     "ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
     dequantizeTensorOp},
    {"quantized_decomposed.quantize_per_channel.default",
     "quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max, "
     "ScalarType dtype) -> Tensor",
     quantizeChannelOp},
    {"quantized_decomposed.dequantize_per_channel.default",
     "dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int quant_max, "
     "ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
     dequantizeChannelOp},
    {"quantized_decomposed.choose_qparams.tensor",
     "choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> (Tensor, "
     "Tensor)",
     chooseOp<false>},
    {"quantized_decomposed.choose_qparams_symmetric.tensor",
     "choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> "
     "(Tensor, Tensor)",
     chooseOp<true>},
    {"quantized_decomposed.convert_element_type.no_fuse",
     "convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor", convertOp},
};

} // namespace

std::shared_ptr<const Kernel> findDecomposedKernel(const std::string& target)
{
    for (const Entry& entry : kOps) {
        if (target == entry.target)
            return std::make_shared<const SchemaKernel>(
                target, torch::jit::parseSchema(entry.schema), entry.run);
    }
    return nullptr;
}

} // namespace pt2e::torchside

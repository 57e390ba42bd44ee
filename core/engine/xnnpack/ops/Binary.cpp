// Elementwise ops of two tensors: xnn_define_add2, _subtract, _multiply2; in float also division,
// maximum and minimum.
#include "core/engine/xnnpack/Emitter.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

struct Kind
{
    std::string_view op; ///< short name in the graph
    Binary binary;
    const char* kernel;
    bool hasInt8;
};

constexpr Kind kKinds[] = {
    {"add", Binary::Add, "add2", true},
    {"add_", Binary::Add, "add2", true},
    {"sub", Binary::Subtract, "subtract", true},
    {"sub_", Binary::Subtract, "subtract", true},
    {"mul", Binary::Multiply, "multiply2", true},
    {"mul_", Binary::Multiply, "multiply2", true},
    {"div", Binary::Divide, "divide", false},
    {"maximum", Binary::Maximum, "maximum2", false},
    {"minimum", Binary::Minimum, "minimum2", false},
};

const Kind& kindOf(const OpCall& call)
{
    const std::string_view name = shortOpName(call.node->target);
    for (const Kind& kind : kKinds) {
        if (kind.op == name)
            return kind;
    }
    return kKinds[0]; // the table names no other
}

float scaleOf(const Operand& operand)
{
    return operand.kind == Operand::Kind::Int8 ? operand.type.scale
                                               : operand.constant->scales.front();
}

/// What broadcasting the two would give.
std::optional<Shape> broadcast(const Shape& a, const Shape& b)
{
    Shape result(std::max(a.size(), b.size()), 1);
    for (const Shape* shape : {&a, &b}) {
        const std::size_t skipped = result.size() - shape->size();
        for (std::size_t i = 0; i < shape->size(); ++i) {
            std::int64_t& size = result[skipped + i];
            if (size != 1 && (*shape)[i] != 1 && size != (*shape)[i])
                return std::nullopt;
            size = std::max(size, (*shape)[i]);
        }
    }
    return result;
}

/// A number of the graph, where the op computes in float: a constant with one element.
bool isNumber(const OpCall& call, std::size_t i)
{
    return call.isFloat && call.operand(i).kind == Operand::Kind::Literal
           && numberOf(call.node->arg(i));
}

Reason checkOperand(const OpCall& call, std::size_t i, const char* which)
{
    const Operand& operand = call.operand(i);
    if (isNumber(call, i))
        return {};
    if (!call.isActivation(operand) && !call.isConstant(operand))
        return fmt::format("its {} operand is not {}", which, call.isFloat ? "a tensor" : "int8");
    if (call.isFloat)
        return {};
    if (operand.constant && operand.constant->scales.size() > 1)
        return fmt::format("its {} operand is quantized per channel", which);
    if (operand.constant && !isUsableScale(scaleOf(operand)))
        return fmt::format("its {} operand's scale is not a normal number above 0", which);
    if (kindOf(call).binary == Binary::Multiply)
        return {};
    // xnn_init_qs8_add_minmax_scalar_params only asserts this.
    return checkRatio(fmt::format("{} scale / output scale", which).c_str(), scaleOf(operand),
                      call.output.type.scale, -10, 8);
}

} // namespace

Decision decideBinary(const OpCall& call)
{
    const Kind& kind = kindOf(call);
    if (!call.isFloat && !kind.hasInt8)
        return Decision::no("XNNPACK's int8 kernel for it is slower than float");
    for (const auto& [name, value] : call.node->kwargs) {
        const std::int64_t* factor = value.get<std::int64_t>();
        if (!value.isNone() && !(name == "alpha" && factor && *factor == 1))
            return Decision::no(name == "alpha" ? "it adds a multiple (alpha)"
                                                : "it has keyword arguments");
    }
    const Operand& a = call.operand(0);
    const Operand& b = call.operand(1);
    if (Reason reason = checkOperand(call, 0, "first"); !reason.empty())
        return Decision::no(std::move(reason));
    if (Reason reason = checkOperand(call, 1, "second"); !reason.empty())
        return Decision::no(std::move(reason));
    if (broadcast(a.shape, b.shape) != call.outputShape || call.outputShape.empty())
        return Decision::no(fmt::format("{} and {} do not broadcast to {}", shapeText(a.shape),
                                        shapeText(b.shape), shapeText(call.outputShape)));
    if (kind.binary == Binary::Multiply && !call.isFloat) {
        // xnn_init_qs8_mul_minmax_scalar_params only asserts this.
        const float product = scaleOf(a) * scaleOf(b);
        if (Reason reason = checkRatio("product of the scales / output scale", product,
                                       call.output.type.scale, -16, 8);
            !reason.empty())
            return Decision::no(std::move(reason));
    }
    // Constants get ones in front; an activation of fewer dimensions is only right in the graph's
    // own order.
    const bool isAny =
        std::all_of(call.operands.begin(), call.operands.begin() + 2, [&](const Operand& operand) {
            return !call.isActivation(operand) || operand.shape.size() == call.outputShape.size();
        });
    return Decision::yes(fmt::format("{} {}", kind.kernel, call.typeName()),
                         isAny ? DataLayout::Any : DataLayout::Natural);
}

namespace {

Result<ValueId> emitOperand(const OpCall& call, std::size_t i, Emitter& emitter)
{
    const std::size_t rank = call.outputShape.size();
    if (!isNumber(call, i))
        return emitter.input(call.operand(i), rank);
    const auto number = static_cast<float>(*numberOf(call.node->arg(i)));
    return emitter.subgraph().constant(
        {Shape(rank, 1), DType::Float32, std::as_bytes(std::span(&number, 1)), {}, 0, 0});
}

} // namespace

Result<void> emitBinary(const OpCall& call, Emitter& emitter)
{
    const Binary binary = kindOf(call).binary;
    PT2E_ASSIGN(const ValueId a, emitOperand(call, 0, emitter));
    PT2E_ASSIGN(const ValueId b, emitOperand(call, 1, emitter));
    const auto emit = [&](ValueId result) {
        return emitter.subgraph().binary(binary, emitter.outputRange(), a, b, result);
    };
    // These two take no range to clip to.
    if (binary == Binary::Maximum || binary == Binary::Minimum)
        return emitter.into(call.output.type, emit);
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emit(output);
}

} // namespace pt2e::xnn

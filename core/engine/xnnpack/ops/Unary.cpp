// Functions of one value: XNNPACK's kernels in float, and in int8 where XNNPACK's table has exactly
// the entries that the graph's own float op gives. Other functions of int8 become byte tables
// (Pointwise.h).
#include "core/engine/xnnpack/ByteTable.h"
#include "core/engine/xnnpack/Emitter.h"

#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

struct Kind
{
    std::string_view op; ///< short name in the graph
    Unary unary;
    const char* kernel;
    bool hasInt8;
};

constexpr Kind kKinds[] = {
    {"sigmoid", Unary::Sigmoid, "sigmoid", true},
    {"tanh", Unary::Tanh, "tanh", true},
    {"gelu", Unary::Gelu, "gelu", true},
    {"hardswish", Unary::HardSwish, "hardswish", true},
    {"elu", Unary::Elu, "elu", true},
    {"leaky_relu", Unary::LeakyRelu, "leaky_relu", false}, // 8 bits of precision only
    {"abs", Unary::Abs, "abs", true},
    {"neg", Unary::Negate, "negate", true},
    {"exp", Unary::Exp, "exp", false},
    {"log", Unary::Log, "log", false},
    {"sqrt", Unary::Sqrt, "square_root", false},
    {"rsqrt", Unary::ReciprocalSqrt, "reciprocal_square_root", false},
    {"floor", Unary::Floor, "floor", false},
    {"ceil", Unary::Ceil, "ceiling", false},
    {"round", Unary::Round, "bankers_rounding", false},
};

const Kind& kindOf(const OpCall& call)
{
    std::string_view name = shortOpName(call.node->target);
    if (name.ends_with('_'))
        name.remove_suffix(1);
    for (const Kind& kind : kKinds) {
        if (kind.op == name)
            return kind;
    }
    return kKinds[0]; // the table names no other
}

/// elu's alpha, leaky_relu's slope; nothing where the op has a form that XNNPACK does not know.
std::optional<float> parameterOf(const OpCall& call)
{
    const Node& node = *call.node;
    const Unary unary = kindOf(call).unary;
    if (unary == Unary::Gelu) {
        const pt2e::Argument* approximate = node.kwarg("approximate");
        const std::string* name = approximate ? approximate->get<std::string>() : nullptr;
        return name && *name != "none" ? std::nullopt : std::optional(0.0f);
    }
    if (hasKeywords(node))
        return std::nullopt;
    const auto number = [&](std::size_t i, double missing) {
        return node.arg(i).isNone() ? std::optional(missing) : numberOf(node.arg(i));
    };
    if (unary == Unary::Elu) {
        const auto alpha = number(1, 1);
        if (!alpha || number(2, 1) != 1.0 || number(3, 1) != 1.0 || !(*alpha > 0))
            return std::nullopt;
        return static_cast<float>(*alpha);
    }
    if (unary == Unary::LeakyRelu) {
        const auto slope = number(1, 0.01);
        return slope ? std::optional(static_cast<float>(*slope)) : std::nullopt;
    }
    return 0.0f;
}

/// What XNNPACK makes of each of the 256 values.
Result<std::vector<std::int8_t>> nativeTable(Unary unary, float parameter, const QuantType& in,
                                             const QuantType& out)
{
    const Shape shape{256};
    PT2E_ASSIGN(auto subgraph, Subgraph::create(2));
    PT2E_TRY(subgraph->externalInput(0, {shape, false, in.scale, in.zeroPoint}));
    PT2E_TRY(subgraph->externalOutput(1, {shape, false, out.scale, out.zeroPoint}));
    PT2E_TRY(subgraph->unary(unary, parameter, 0, 1));
    PT2E_ASSIGN(const auto runtime, Runtime::build(std::move(subgraph), ThreadPool(1)));
    Storage::Allocation from = Storage::allocate(256);
    Storage::Allocation to = Storage::allocate(256);
    for (int i = 0; i < 256; ++i)
        from.data[static_cast<std::size_t>(i)] = static_cast<std::byte>(i - 128);
    void* externals[] = {from.data.data(), to.data.data()};
    PT2E_TRY(runtime->run(externals));
    std::vector<std::int8_t> table;
    for (const std::byte value : to.data)
        table.push_back(static_cast<std::int8_t>(value));
    return table;
}

Reason whyNotNative(const OpCall& call, float parameter)
{
    const QuantizedFunction function{call.operand(0).quantize,
                                     {call.operand(0).node, call.node->id},
                                     call.output.activation,
                                     call.output.quantizes.front()};
    const auto wanted = evaluateTable(*call.view, function);
    const auto native =
        nativeTable(kindOf(call).unary, parameter, call.operand(0).type, call.output.type);
    if (!wanted || !native)
        return (wanted ? native.error() : wanted.error()).message();
    for (std::size_t i = 0; i < native->size(); ++i) {
        if ((*native)[i] != wanted->bytes[i])
            return fmt::format("XNNPACK's table has {} for {}, the graph {}", (*native)[i],
                               static_cast<int>(i) - 128, wanted->bytes[i]);
    }
    return {};
}

} // namespace

Decision decideUnary(const OpCall& call)
{
    const Kind& kind = kindOf(call);
    if (!call.isActivation(call.operand(0)))
        return Decision::no("its input is not an activation");
    const auto parameter = parameterOf(call);
    if (!parameter)
        return Decision::no("XNNPACK does not have this form of it");
    if (!call.isFloat) {
        if (!kind.hasInt8)
            return Decision::no("XNNPACK's int8 kernel for it is not exact");
        if (!call.bounds.isTrivial())
            return Decision::no("its output is clipped");
        if (Reason reason = whyNotNative(call, *parameter); !reason.empty())
            return Decision::no(std::move(reason));
    }
    return Decision::yes(fmt::format("{} {}", kind.kernel, call.typeName()), DataLayout::Any);
}

Result<void> emitUnary(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emitter.subgraph().unary(kindOf(call).unary, parameterOf(call).value_or(0), input,
                                    output);
}

} // namespace pt2e::xnn

#include "core/engine/xnnpack/Pointwise.h"

#include "core/engine/xnnpack/Ops.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace pt2e::xnn {

namespace {

constexpr std::string_view kPointwise[] = {
    "abs",      "add",        "ceil",       "celu",    "clamp",      "clamp_max",   "clamp_min",
    "clone",    "cos",        "div",        "dropout", "elu",        "erf",         "exp",
    "exp2",     "expm1",      "floor",      "gelu",    "hardshrink", "hardsigmoid", "hardswish",
    "hardtanh", "leaky_relu", "log",        "log10",   "log1p",      "log2",        "log_sigmoid",
    "mish",     "mul",        "neg",        "pow",     "reciprocal", "relu",        "relu6",
    "round",    "rsqrt",      "rsub",       "selu",    "sigmoid",    "sign",        "silu",
    "sin",      "softplus",   "softshrink", "sqrt",    "square",     "sub",         "tan",
    "tanh",     "threshold",  "trunc"};

bool isPointwise(const Node& node)
{
    if (!node.is(OpKind::CallFunction) || !node.target.starts_with("aten."))
        return false;
    std::string_view name = shortOpName(node.target);
    if (mutatesArgument(node.target)) {
        if (!name.ends_with('_'))
            return false;
        name.remove_suffix(1);
    }
    if (std::find(std::begin(kPointwise), std::end(kPointwise), name) == std::end(kPointwise))
        return false;
    return name != "dropout" || boolOf(node, 2, true) == false;
}

} // namespace

Pointwise::Pointwise(const ConvertedView& view, const std::function<bool(const Node&)>& isTaken)
    : m_view(view)
{
    for (const Node& node : view.graph()) {
        if (const NodeId from = isPerTensorDequantize(node) ? node.arg(0).node() : NodeId();
            from && view.typeOf(from)) {
            m_source[node.id] = from;
        } else if (isPointwise(node) && !isTaken(node)) {
            if (const NodeId source = sourceOf(node))
                m_source[node.id] = source;
        }
    }
    for (const Node& node : view.graph()) {
        if (m_source.contains(node.id) && !isPerTensorDequantize(node))
            addExits(node);
    }
}

NodeId Pointwise::sourceOf(const Node& node) const
{
    if (mutatesArgument(node.target) && m_view.graph().node(node.arg(0).node()).users.size() > 1)
        return {};
    NodeId source;
    for (const NodeId input : node.inputs()) {
        if (const auto known = m_source.find(input); known != m_source.end()) {
            if (source && source != known->second)
                return {};
            source = known->second;
        } else if (const Shape* shape = m_view.shape(input);
                   !m_view.isConstant(input) || !shape || elementCount(*shape) != 1) {
            return {}; // another value, or one that differs from element to element
        }
    }
    if (!source)
        return {};
    const Shape* shape = m_view.shape(node.id);
    const TensorMeta* meta = node.val.tensor();
    const bool fits =
        shape && meta && *shape == *m_view.shape(source) && meta->dtype == DType::Float32;
    return fits ? source : NodeId();
}

void Pointwise::addExits(const Node& node)
{
    std::vector<NodeId> others; // typed quantizes that no exit has yet
    bool isReadAsFloat = false;
    for (const NodeId user : node.users) {
        if (isPerTensorQuantize(m_view.graph().node(user)) && m_view.typeOf(user))
            others.push_back(user);
        else
            isReadAsFloat = isReadAsFloat || !m_source.contains(user);
    }
    const NodeId source = m_source.at(node.id);
    while (!others.empty()) {
        const QuantType type = *m_view.typeOf(others.front());
        Exit exit{{source, chainOf(node.id), {}, others.front()}, node.id, {}};
        for (const NodeId quantize : others) {
            if (*m_view.typeOf(quantize) == type)
                exit.quantizes.push_back(quantize);
        }
        std::erase_if(others, [&](NodeId id) { return *m_view.typeOf(id) == type; });
        m_exits.push_back(std::move(exit));
    }
    if (isReadAsFloat)
        m_exits.push_back({{source, chainOf(node.id), {}, {}}, node.id, {}});
}

std::vector<NodeId> Pointwise::chainOf(NodeId end) const
{
    std::unordered_set<NodeId> members{end};
    std::vector<NodeId> open{end};
    while (!open.empty()) {
        const Node& node = m_view.graph().node(open.back());
        open.pop_back();
        if (isPerTensorDequantize(node))
            continue; // the source stands before it
        for (const NodeId input : node.inputs()) {
            if (m_source.contains(input) && members.insert(input).second)
                open.push_back(input);
        }
    }
    std::vector<NodeId> chain;
    for (const Node& node : m_view.graph()) {
        if (members.contains(node.id))
            chain.push_back(node.id);
    }
    return chain;
}

std::string functionText(const Graph& graph, const QuantizedFunction& function)
{
    std::string text;
    for (const NodeId id : function.nodes) {
        const Node& node = graph.node(id);
        if (isQuantizeOrDequantize(node))
            continue;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", shortOpName(node.target));
    }
    return text;
}

} // namespace pt2e::xnn

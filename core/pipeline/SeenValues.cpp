#include "core/pipeline/SeenValues.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pt2e {

namespace {

constexpr MinMaxPair kNothing{std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()};

/// A NaN counts for nothing.
void widen(MinMaxPair& range, MinMaxPair more)
{
    range.min = more.min < range.min ? more.min : range.min;
    range.max = more.max > range.max ? more.max : range.max;
}

/// The range of each channel of one tensor.
std::vector<MinMaxPair> rangesAlong(std::span<const float> values,
                                    const std::vector<std::int64_t>& shape, std::size_t axis)
{
    const auto channels = static_cast<std::size_t>(shape[axis]);
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i)
        inner *= static_cast<std::size_t>(shape[i]);
    std::vector<MinMaxPair> ranges(channels, kNothing);
    if (inner == 1) {
        for (std::size_t i = 0; i < values.size(); ++i)
            widen(ranges[i % channels], {values[i], values[i]});
        return ranges;
    }
    for (std::size_t i = 0; i * inner < values.size(); ++i)
        widen(ranges[i % channels], minMaxOf(values.subspan(i * inner, inner)));
    return ranges;
}

bool isOneOf(std::string_view op, std::span<const std::string_view> names)
{
    return std::find(names.begin(), names.end(), op) != names.end();
}

} // namespace

MinMaxPair SeenValue::range() const
{
    MinMaxPair all = kNothing;
    for (const MinMaxPair& batch : batches)
        widen(all, batch);
    return all;
}

std::int64_t channelAxisOf(const Graph& graph, NodeId id)
{
    constexpr std::array<std::string_view, 24> kKeepChannels = {
        "relu",       "relu_",   "relu6",      "relu6_",      "hardtanh",    "hardtanh_",
        "clamp",      "clamp_",  "leaky_relu", "leaky_relu_", "elu",         "silu",
        "silu_",      "gelu",    "sigmoid",    "tanh",        "hardsigmoid", "hardswish",
        "hardswish_", "dropout", "batch_norm", "max_pool2d",  "avg_pool2d",  "contiguous"};
    for (const Node* node = graph.find(id); node && node->is(OpKind::CallFunction);
         node = graph.find(node->arg(0).node())) {
        const std::string_view op = shortOpName(node->target);
        const TensorMeta* value = node->val.tensor();
        const auto rank = value ? static_cast<std::int64_t>(value->shape.size()) : 0;
        if (op == "linear")
            return rank - 1;
        if (op.starts_with("conv")) {
            const std::size_t digit = op.find_first_of("123");
            const std::int64_t spatial = digit == std::string_view::npos ? 0 : op[digit] - '0';
            return spatial > 0 && rank > spatial ? rank - spatial - 1 : -1;
        }
        if (!isOneOf(op, kKeepChannels))
            return -1;
    }
    return -1;
}

void ValueWatch::want(NodeId node)
{
    auto watched = std::make_unique<Watched>();
    watched->value.batches.resize(m_batches, kNothing);
    watched->value.axis = m_graph.contains(node) ? channelAxisOf(m_graph, node) : -1;
    m_watched.emplace(node, std::move(watched));
}

Result<void> ValueWatch::add(std::size_t batch, NodeId node, const Tensor& tensor)
{
    const auto found = m_watched.find(node);
    if (found == m_watched.end() || tensor.elementCount() == 0)
        return {};
    Watched& watched = *found->second;
    SeenValue& value = watched.value;
    PT2E_ASSIGN(const FloatView view, FloatView::of(tensor));
    if (value.axis < 0 || value.axis >= static_cast<std::int64_t>(tensor.shape().size())) {
        widen(value.batches[batch], minMaxOf(view.values()));
        return {};
    }
    const std::vector<MinMaxPair> ranges =
        rangesAlong(view.values(), tensor.shape(), static_cast<std::size_t>(value.axis));
    for (const MinMaxPair& range : ranges)
        widen(value.batches[batch], range);
    const std::lock_guard lock(watched.mutex);
    if (value.channels.empty())
        value.channels.resize(ranges.size(), kNothing);
    for (std::size_t i = 0; i < std::min(ranges.size(), value.channels.size()); ++i)
        widen(value.channels[i], ranges[i]);
    return {};
}

SeenValues ValueWatch::take()
{
    SeenValues seen;
    for (auto& [node, watched] : m_watched) {
        const MinMaxPair range = watched->value.range();
        if (range.min <= range.max)
            seen.emplace(node, std::make_shared<const SeenValue>(std::move(watched->value)));
    }
    m_watched.clear();
    return seen;
}

} // namespace pt2e

// Channels: one too large for the others, or without effect.
#include "core/analysis/Doctor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e::diagnoses {

namespace {

/// The largest absolute weight of each output channel.
std::vector<double> channelSizes(const Tensor& weight)
{
    std::vector<double> sizes;
    const auto values = weight.toDoubles();
    if (!values || weight.shape().size() < 2 || weight.shape().front() < 2)
        return sizes;
    const std::size_t each = values->size() / static_cast<std::size_t>(weight.shape().front());
    for (std::size_t i = 0; each > 0 && i < values->size(); i += each) {
        double size = 0;
        for (std::size_t j = i; j < i + each; ++j)
            size = std::max(size, std::abs((*values)[j]));
        sizes.push_back(size);
    }
    return sizes;
}

/// Weights with the output channels on their first axis.
bool isWeighted(const Node& node)
{
    const std::string_view op = shortOpName(node.target);
    return node.is(OpKind::CallFunction)
           && (op == "conv1d" || op == "conv2d" || op == "conv3d" || op == "linear");
}

/// "3 of 16 (1, 5, 9)": the first few of them.
std::string listed(const std::vector<std::size_t>& channels, std::size_t all)
{
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(channels.size(), kShown); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", channels[i]);
    return fmt::format("{} / {} ({}{})", channels.size(), all, text,
                       channels.size() > kShown ? ", …" : "");
}

std::vector<std::size_t> zeroChannels(const Doctor& doctor, const Node& node, std::size_t& all)
{
    const Graph& graph = *doctor.snapshot.annotated->folded.graph;
    const Node* weight = isWeighted(node) ? graph.find(node.arg(1).node()) : nullptr;
    const Attribute* attribute =
        weight && weight->is(OpKind::GetAttr) ? graph.attributes().find(weight->target) : nullptr;
    std::vector<std::size_t> zero;
    const std::vector<double> sizes =
        attribute ? channelSizes(attribute->value) : std::vector<double>{};
    const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] <= kDeadShare * largest)
            zero.push_back(i);
    }
    all = sizes.size();
    return zero;
}

/// Constant ones among those that come from weights that are not zero; a value that is only passed on (pooled) says nothing
/// beyond the one it comes from.
std::vector<std::size_t> constantChannels(const Doctor& doctor, const Node& node, std::size_t& all)
{
    const Graph& graph = *doctor.snapshot.annotated->folded.graph;
    const SeenValue* seen = doctor.seenAt(node.id);
    // What random numbers do not wake up may well be of use.
    const bool isReal =
        doctor.snapshot.recipe.calibration.source != CalibrationChoice::Source::Random;
    if (!seen || seen->channels.empty() || !isReal)
        return {};
    const Node* source = &node;
    while (!isWeighted(*source)) {
        source = graph.find(source->arg(0).node());
        if (!source || doctor.seenAt(source->id))
            return {};
    }
    std::size_t ignored = 0;
    const std::vector<std::size_t> zero = zeroChannels(doctor, *source, ignored);
    all = seen->channels.size();
    const MinMaxPair whole = seen->range();
    const double width = static_cast<double>(whole.max) - static_cast<double>(whole.min);
    std::vector<std::size_t> constant;
    for (std::size_t i = 0; i < all; ++i) {
        const MinMaxPair& range = seen->channels[i];
        const bool isSame =
            static_cast<double>(range.max) - static_cast<double>(range.min) <= kDeadShare * width;
        if (isSame && std::find(zero.begin(), zero.end(), i) == zero.end())
            constant.push_back(i);
    }
    return constant;
}

} // namespace

void findOutlierWeights(Doctor& doctor, const Observed& observed)
{
    const Attribute* attribute = doctor.graph.attributes().find(observed.value.target);
    const bool isOne = observed.observer.users.size() == 1;
    if (isPerChannel(observed.config.qscheme) || observed.config.isDynamic || !attribute || !isOne)
        return;
    const Node& operation = doctor.graph.node(observed.observer.users.front());
    const Point point = Point::edge(observed.value.id, operation.id);
    const ObservedSpec* spec = doctor.specAt(point);
    if (!spec || !isWeighted(operation))
        return;
    const std::vector<double> sizes = channelSizes(attribute->value);
    std::vector<double> sorted = sizes;
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted.empty() ? 0 : sorted[sorted.size() / 2];
    if (median <= 0 || sorted.back() < kOutlierRatio * median)
        return;
    const auto worst = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    doctor.found.push_back({DiagnosisKind::OutlierChannel,
                            {operation.id, observed.value.id},
                            operation.name,
                            "largest weight of one channel against that of most: %1",
                            fmt::format("{}: {:.4g} / {:.4g}", worst, sorted.back(), median),
                            sorted.back() / median / kOutlierRatio,
                            "quantize the weights per channel",
                            {doctor.editAt(point, perChannel(*spec))}});
}

void findDeadChannels(Doctor& doctor)
{
    for (const Node& node : *doctor.snapshot.annotated->folded.graph) {
        std::size_t all = 0;
        std::vector<std::size_t> dead = zeroChannels(doctor, node, all);
        const char* evidence = "channels whose weights are all zero: %1";
        if (dead.empty()) {
            dead = constantChannels(doctor, node, all);
            evidence = "channels that were the same all through the data: %1";
        }
        if (dead.empty())
            continue;
        doctor.found.push_back(
            {DiagnosisKind::DeadChannels,
             {node.id},
             node.name,
             evidence,
             listed(dead, all),
             static_cast<double>(dead.size()) / static_cast<double>(all),
             "no recipe can: they can be pruned from the model, unless the data show too little"});
    }
}

} // namespace pt2e::diagnoses

#include "core/view/Overlay.h"

#include "core/analysis/GraphVariants.h"
#include "core/analysis/OperatorTimes.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>

namespace pt2e {

namespace {

// ---- decibel: less is worse

constexpr std::array kDecibels{45.0, 40.0, 35.0, 30.0, 20.0}; ///< lower ends of levels 0, 1, …

int levelOfDecibel(double decibel)
{
    int level = 0;
    while (level < kOverlayScale - 1 && decibel < kDecibels[static_cast<std::size_t>(level)])
        ++level;
    return level;
}

std::vector<OverlayLevel> decibelLevels()
{
    std::vector<OverlayLevel> levels{{0, fmt::format("≥ {:.0f} dB", kDecibels.front())}};
    for (int level = 1; level < kOverlayScale - 1; ++level)
        levels.push_back(
            {level, fmt::format("{:.0f}–{:.0f}", kDecibels[static_cast<std::size_t>(level)],
                                kDecibels[static_cast<std::size_t>(level) - 1])});
    levels.push_back({kOverlayScale - 1, fmt::format("< {:.0f} dB", kDecibels.back())});
    return levels;
}

std::string decibelText(double decibel)
{
    if (std::isnan(decibel))
        return "not a number";
    if (std::isinf(decibel))
        return decibel > 0 ? "exact" : "n/a";
    return fmt::format("{:.1f} dB", decibel);
}

// ---- shares of a whole: more is worse

constexpr std::array kPercents{1.0, 5.0, 10.0, 20.0, 40.0}; ///< upper ends of levels 0, 1, …

int levelOfShare(double percent)
{
    int level = 0;
    while (level < kOverlayScale - 1 && percent >= kPercents[static_cast<std::size_t>(level)])
        ++level;
    return level;
}

std::vector<OverlayLevel> shareLevels()
{
    std::vector<OverlayLevel> levels{{0, fmt::format("< {:.0f} %", kPercents.front())}};
    for (int level = 1; level < kOverlayScale - 1; ++level)
        levels.push_back(
            {level, fmt::format("{:.0f}–{:.0f}", kPercents[static_cast<std::size_t>(level) - 1],
                                kPercents[static_cast<std::size_t>(level)])});
    levels.push_back({kOverlayScale - 1, fmt::format("≥ {:.0f} %", kPercents.back())});
    return levels;
}

std::string bytesText(std::int64_t bytes)
{
    if (bytes < 1000)
        return fmt::format("{} B", bytes);
    if (bytes < 1'000'000)
        return fmt::format("{:.3g} kB", static_cast<double>(bytes) / 1e3);
    return fmt::format("{:.3g} MB", static_cast<double>(bytes) / 1e6);
}

std::string timeText(std::chrono::nanoseconds time)
{
    const double microseconds = static_cast<double>(time.count()) / 1e3;
    return microseconds < 1000 ? fmt::format("{:.0f} µs", microseconds)
                               : fmt::format("{:.3g} ms", microseconds / 1e3);
}

/// Of the constants behind the node's inputs, through dequantize.
void addConstants(const Graph& graph, const Node& node, std::unordered_set<std::string>& seen,
                  std::int64_t& bytes)
{
    for (const NodeId id : node.inputs()) {
        const Node& input = graph.node(id);
        if (input.is(OpKind::GetAttr) && seen.insert(input.target).second) {
            if (const Attribute* attribute = graph.attributes().find(input.target))
                bytes += static_cast<std::int64_t>(attribute->value.byteCount());
        } else if (input.target.starts_with("quantized_decomposed.")) {
            // A value that is computed ends the walk at its quantize node: there is no constant behind it.
            bool isConstant = true;
            for (const NodeId behind : input.inputs())
                isConstant = isConstant && graph.node(behind).is(OpKind::GetAttr);
            if (isConstant)
                addConstants(graph, input, seen, bytes);
        }
    }
}

} // namespace

Overlay errorOverlay(const CompareReport& report, ErrorQuestion question)
{
    Overlay overlay;
    overlay.kind = OverlayKind::Error;
    overlay.title = fmt::format("SQNR: {}", questionName(question));
    overlay.levels = decibelLevels();
    for (const NodeError& node : report.nodes.nodes) {
        const auto& error = errorOf(node, question);
        if (!error || error->count == 0)
            continue;
        // No signal, or no number: as bad as can be.
        const double decibel = error->sqnrDb;
        overlay.marks[node.node] = {std::isnan(decibel) ? kOverlayScale - 1
                                                        : levelOfDecibel(decibel),
                                    decibelText(decibel)};
    }
    return overlay;
}

Overlay engineOverlay(const CompareReport& report)
{
    constexpr int kInt8 = kOverlayScale;
    constexpr int kFloat = kOverlayScale + 1;
    constexpr int kTorch = kOverlayScale + 2;
    constexpr int kAbsorbed = kOverlayScale + 3;
    static_assert(kAbsorbed == kOverlayScale + kOverlayKinds - 1);
    Overlay overlay;
    overlay.kind = OverlayKind::Engine;
    overlay.title = "Engine";
    overlay.levels = {{kInt8, "XNNPACK int8"},
                      {kFloat, "XNNPACK float"},
                      {kTorch, "LibTorch"},
                      {kAbsorbed, "absorbed by its neighbour"}};
    for (const Assignment& assignment : report.assignments) {
        const Node* node = report.converted->find(assignment.node);
        if (!node || !isOperator(*node))
            continue;
        switch (assignment.where) {
        case Assignment::Where::XnnpackInt8: overlay.marks[node->id] = {kInt8, "int8"}; break;
        case Assignment::Where::XnnpackFloat:
            overlay.marks[node->id] = {kFloat, "XNNPACK float"};
            break;
        case Assignment::Where::LibTorch: overlay.marks[node->id] = {kTorch, "LibTorch"}; break;
        case Assignment::Where::Absorbed: overlay.marks[node->id] = {kAbsorbed, "absorbed"}; break;
        case Assignment::Where::Constant: break;
        }
    }
    return overlay;
}

Overlay timeOverlay(const CompareReport& report)
{
    Overlay overlay;
    overlay.kind = OverlayKind::Time;
    overlay.title = "Time";
    overlay.levels = shareLevels();
    std::chrono::nanoseconds total{0};
    for (const XnnpackProgram::OperatorTime& one : report.operators)
        total += one.time;
    for (const auto& [id, time] : timesOfNodes(report.operators)) {
        const Node* node = report.converted->find(id);
        if (!node || !isOperator(*node) || total.count() == 0)
            continue;
        const double percent =
            100.0 * static_cast<double>(time.count()) / static_cast<double>(total.count());
        overlay.marks[id] = {levelOfShare(percent),
                             fmt::format("{} · {:.2g} %", timeText(time), percent)};
    }
    return overlay;
}

Overlay bytesOverlay(const Graph& converted)
{
    Overlay overlay;
    overlay.kind = OverlayKind::Bytes;
    overlay.title = "Weight bytes";
    overlay.levels = shareLevels();
    std::vector<std::pair<NodeId, std::int64_t>> all;
    std::int64_t total = 0;
    for (const Node& node : converted) {
        if (!isOperator(node))
            continue;
        std::unordered_set<std::string> seen;
        std::int64_t bytes = 0;
        addConstants(converted, node, seen, bytes);
        if (bytes > 0)
            all.emplace_back(node.id, bytes);
        total += bytes;
    }
    for (const auto& [id, bytes] : all) {
        const double percent = 100.0 * static_cast<double>(bytes) / static_cast<double>(total);
        overlay.marks[id] = {levelOfShare(percent),
                             fmt::format("{} · {:.2g} %", bytesText(bytes), percent)};
    }
    return overlay;
}

} // namespace pt2e

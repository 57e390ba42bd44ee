// The words and the size of a collapsed module.
#include "core/passes/Qdq.h"
#include "core/view/Cells.h"
#include "core/view/Labels.h"
#include "core/view/ModuleTree.h"
#include "core/view/Overlay.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

constexpr double kWordGap = 6;
constexpr double kMinWidth = 120;
constexpr double kHeight = 48;

std::string counted(int count, const char* word)
{
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

} // namespace

void CellMaker::addModule(SceneItem& item, std::size_t stage, const ViewNode& v) const
{
    const StageView& view = m_graph.stages[stage];
    const ModuleBox& box = view.boxes->boxes[static_cast<std::size_t>(v.box)];
    auto module = std::make_shared<ModuleItem>();
    module->paths = box.paths;
    const bool isKnown = view.stage != StageKind::Exported && snapshotOf(stage).annotated
                         && snapshotOf(stage).recipe.quantizer.flavor != QuantizerFlavor::None;
    int quantized = 0;
    for (const int member : v.members) {
        const ViewNode& inner = view.at(member);
        const Node& node = *inner.node;
        if (member != v.members.front())
            item.folded.push_back(node.id);
        item.isFocus = item.isFocus || m_focus.nodes.contains(&node);
        // As coverage counts.
        if (!node.is(OpKind::CallFunction) || node.target == "getitem" || isQuantize(node)
            || isDequantize(node))
            continue;
        ++module->ops;
        quantized += unquantizedIn(stage).contains(node.id) ? 0 : 1;
    }
    item.title = elided(box.title, 44);
    item.name = box.className;
    item.detail = counted(module->ops, "op");
    if (isKnown) {
        module->quantized = quantized;
        item.detail = std::to_string(quantized) + " of " + item.detail + " int8";
    }
    item.module = std::move(module);
    addModuleOverlay(item, stage);
}

/// Of a scale the worst of what is in it, of kinds the one that all are of.
void CellMaker::addModuleOverlay(SceneItem& item, std::size_t stage) const
{
    if (!hasOverlay(stage))
        return;
    const OverlayMark* shown = nullptr;
    const auto look = [&](NodeId node) {
        const auto mark = m_options.overlay->marks.find(node);
        if (mark == m_options.overlay->marks.end())
            return true;
        if (!shown)
            shown = &mark->second;
        const bool isScale = shown->level < kOverlayScale && mark->second.level < kOverlayScale;
        if (isScale && mark->second.level > shown->level)
            shown = &mark->second;
        return isScale || mark->second.level == shown->level;
    };
    if (!look(item.node) || !std::all_of(item.folded.begin(), item.folded.end(), look) || !shown)
        return;
    item.overlay = shown->level;
    const bool isError = m_options.overlay->kind == OverlayKind::Error;
    item.overlayText = shown->text;
    if (shown->level < kOverlayScale)
        item.overlayText.insert(0, isError ? "worst " : "most ");
}

void CellMaker::sizeModule(SceneItem& item) const
{
    const bool isRun = item.module && item.module->paths.size() > 1;
    const auto& detail = item.overlay >= 0 ? item.overlayText : item.detail;
    const double head = kModuleExpander + kWordGap + m_measurer.width(item.title, TextRole::Title)
                        + kWordGap + m_measurer.width(item.name, TextRole::Name);
    const double content = std::max(head, m_measurer.width(detail, TextRole::Detail));
    item.rect.width = std::ceil(std::max(kMinWidth, content + 2 * kModulePadding) / 2) * 2;
    item.rect.height = kHeight;
    if (isRun) {
        item.rect.width += 2 * kModulePlate;
        item.rect.height += kModulePlate;
    }
}

} // namespace pt2e

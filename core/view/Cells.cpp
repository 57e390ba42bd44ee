#include "core/view/Cells.h"

#include "core/view/Correspondence.h"
#include "core/view/Labels.h"
#include "core/view/Overlay.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

constexpr double kOpMinWidth = 112;
constexpr double kOpPadding = 12;
constexpr double kOpHeight = 42;
constexpr double kOpHeightWithoutDetail = 28;
constexpr double kPillHeight = 28;
constexpr double kPillPadding = 16;
constexpr double kTagHeight = 18;
constexpr double kTagPadding = 7;
constexpr double kHexagonWidth = 24;
constexpr double kHexagonHeight = 22;
constexpr double kTriangleWidth = 20;
constexpr double kTriangleHeight = 16;
constexpr double kGhostHeight = 22;
constexpr double kStubHeight = 20;
/// Between title and name, and around the " · " of a detail line.
constexpr double kWordGap = 6;

double even(double width) // to an even number, so that the axis is on a whole unit
{
    return std::ceil(width / 2) * 2;
}

std::string tagTitle(const std::string& target)
{
    if (target.size() <= 24)
        return target;
    // The end of a long dotted name tells more than its begin.
    auto dot = target.rfind('.');
    if (dot != std::string::npos && dot > 0)
        dot = target.rfind('.', dot - 1);
    return dot == std::string::npos ? elided(target, 24) : "…" + elided(target.substr(dot + 1), 23);
}

/// "bn1" of {"bn1.weight", "bn1.bias", …}, or empty.
std::string commonModule(const std::vector<std::string>& targets)
{
    std::string prefix;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const auto dot = targets[i].rfind('.');
        const auto module = dot == std::string::npos ? std::string() : targets[i].substr(0, dot);
        if (i > 0 && module != prefix)
            return {};
        prefix = module;
    }
    return prefix;
}

bool isBatchNorm(const Node& node)
{
    return node.is(OpKind::CallFunction)
           && shortOpName(node.target).find("batch_norm") != std::string_view::npos;
}

} // namespace

CellMaker::CellMaker(const SceneModel& model, const Focus& focus, const ViewPlan& plan,
                     const ViewOptions& options, const TextMeasurer& measurer)
    : m_model(model),
      m_graph(model.graph),
      m_focus(focus),
      m_plan(plan),
      m_options(options),
      m_measurer(measurer)
{}

Cell CellMaker::node(std::size_t stage, int index) const
{
    Cell cell;
    cell.item = makeItem(stage, index);
    cell.wing = wing(stage, index);
    cell.left = cell.right = cell.item.rect.width / 2;
    cell.height = cell.item.rect.height;
    if (!cell.item.badge.empty())
        cell.right += kBadgeGap + m_measurer.width(cell.item.badge, TextRole::Badge);
    double width = 0;
    for (const auto& row : cell.wing)
        width = std::max(width, row.width);
    cell.left += width;
    cell.height = std::max(cell.height, static_cast<double>(cell.wing.size()) * kRowHeight - 2);
    return cell;
}

Cell CellMaker::label(std::size_t stage, int index) const
{
    Cell cell;
    const auto item = makeItem(stage, index);
    cell.item.node = item.node;
    cell.item.badge = item.badge.empty() ? "observer " + item.number : item.badge;
    if (item.kind == ItemKind::Quantize && cell.item.badge.substr(0, 2) == "q ")
        cell.item.badge.erase(0, 2);
    cell.right = kBadgeGap + m_measurer.width(cell.item.badge, TextRole::Badge);
    cell.height = m_measurer.lineHeight(TextRole::Badge);
    return cell;
}

Cell CellMaker::stub(std::size_t stage, const PlanNode& plan) const
{
    Cell cell;
    const auto& hidden = m_graph.stages[stage].at(plan.at[stage]);
    cell.item.kind = ItemKind::Stub;
    cell.item.node = hidden.node->id;
    cell.item.title = plan.text;
    if (plan.text.empty())
        cell.item.title =
            elided(hidden.kind == ItemKind::Module ? makeItem(stage, plan.at[stage]).title
                                                   : hidden.node->name,
                   24);
    for (const int slot : plan.hidden)
        if (const int at = m_graph.slot(slot).at[stage]; at >= 0)
            cell.item.folded.push_back(m_graph.stages[stage].at(at).node->id);
    size(cell.item);
    cell.left = cell.right = cell.item.rect.width / 2;
    cell.height = cell.item.rect.height;
    return cell;
}

Cell CellMaker::ghost(std::size_t stage, int index, std::size_t goneIn) const
{
    Cell cell;
    const ViewNode& v = m_graph.stages[stage].at(index);
    const Node& node = *v.node;
    const auto pass = removalPass(snapshotOf(stage), m_graph.stages[stage].stage, node.id,
                                  m_graph.stages[goneIn].stage);
    cell.item.kind = ItemKind::Ghost;
    cell.item.node = node.id;
    cell.item.title = v.kind == ItemKind::Module ? makeItem(stage, index).title
                                                 : std::string(shortOpName(node.target));
    cell.item.name = node.name;
    cell.item.detail = removalWord(pass) + ": " + elided(cell.item.title, 24);
    size(cell.item);
    cell.left = cell.right = cell.item.rect.width / 2;
    cell.height = cell.item.rect.height;
    return cell;
}

SceneItem CellMaker::makeItem(std::size_t stage, int index) const
{
    const auto& view = m_graph.stages[stage];
    const auto& v = view.at(index);
    SceneItem item;
    item.kind = v.kind;
    item.node = v.node->id;
    item.isFocus = m_focus.nodes.contains(v.node);
    item.isInt8 = view.carriesInt8(index);
    switch (v.kind) {
    case ItemKind::Weight: item = makeWeight(stage, v); break;
    case ItemKind::Module: addModule(item, stage, v); break;
    case ItemKind::Placeholder:
    case ItemKind::Output:
        item.title = elided(v.node->name);
        item.detail = v.kind == ItemKind::Output ? std::string() : shapeOf(v.node->val);
        break;
    case ItemKind::Observer: {
        const auto* module = view.graph->modules().find(v.node->target);
        item.title = module ? module->className : v.node->target;
        item.name = v.node->name;
        item.number = observerNumber(v.node->name);
        item.badge = observerBadge(stage, *v.node);
        break;
    }
    case ItemKind::Quantize:
        item.title = "q";
        item.name = v.node->name;
        item.badge = "q";
        if (const auto* scale = v.node->arg(1).get<double>()) {
            const auto* zeroPoint = v.node->arg(2).get<std::int64_t>();
            item.badge +=
                " " + figureNumber(*scale) + " " + figureNumber(zeroPoint ? *zeroPoint : 0);
        }
        break;
    case ItemKind::Dequantize:
        item.title = item.badge = "dq";
        item.name = v.node->name;
        break;
    default:
        item.title = elided(shortOpName(v.node->target));
        if (v.node->name != item.title)
            item.name = elided(v.node->name);
        item.detail = shapeOf(v.node->val);
        item.isUnquantized =
            view.stage != StageKind::Exported && unquantizedIn(stage).contains(v.node->id);
        if (item.isUnquantized)
            item.mark = "float";
        addOverlay(item, stage);
        break;
    }
    // Scales and zero points kept as constants stand with the q or dq that reads them.
    if (const auto scales = view.scalesOf(index); !scales.empty())
        item.folded = scales;
    size(item);
    return item;
}

/// Figures stand in place of the shape.
void CellMaker::addOverlay(SceneItem& item, std::size_t stage) const
{
    if (!hasOverlay(stage))
        return;
    const auto mark = m_options.overlay->marks.find(item.node);
    if (mark == m_options.overlay->marks.end())
        return;
    item.overlay = mark->second.level;
    item.overlayText = mark->second.text;
}

SceneItem CellMaker::makeWeight(std::size_t stage, const ViewNode& v) const
{
    const auto& view = m_graph.stages[stage];
    SceneItem item;
    item.kind = ItemKind::Weight;
    item.node = v.node->id;
    item.isFocus = m_focus.nodes.contains(v.node);
    item.isInt8 = view.carriesInt8(view.indexOf(v.node->id));
    item.name = v.node->name;
    item.title = tagTitle(v.node->target);
    if (const auto* attribute = view.graph->attributes().find(v.node->target);
        attribute && attribute->value.isValid()) {
        item.detail = shapeText(attribute->value.meta().shape);
        if (item.isInt8)
            item.title = std::string(dtypeName(attribute->value.dtype())) + " " + item.detail;
    }
    return item;
}

std::string CellMaker::observerBadge(std::size_t stage, const Node& node) const
{
    const auto* module = m_graph.stages[stage].graph->modules().find(node.target);
    const auto& calibrated = snapshotOf(stage).calibrated;
    if (!module || !calibrated || module->instance.value >= calibrated->qparams.size())
        return {};
    const auto& result = calibrated->qparams[module->instance.value];
    return result.hasData && result.qparams ? qparamsText(*result.qparams) : std::string();
}

void CellMaker::size(SceneItem& item) const
{
    const auto width = [&](const std::string& text, TextRole role) {
        return text.empty() ? 0 : m_measurer.width(text, role);
    };
    const auto second = [&](double w) { return w > 0 ? kWordGap + w : 0; };
    switch (item.kind) {
    case ItemKind::Op: {
        const double head =
            width(item.title, TextRole::Title) + second(width(item.name, TextRole::Name));
        std::string line = item.overlay >= 0 ? item.overlayText : item.detail;
        if (!item.mark.empty())
            line += (line.empty() ? "" : " · ") + item.mark;
        // Room for the hatched bands.
        const double bands = item.isUnquantized ? 14 : 0;
        const double content = std::max(head, width(line, TextRole::Detail)) + bands;
        item.rect.width = even(std::max(kOpMinWidth, content + 2 * kOpPadding));
        item.rect.height = line.empty() ? kOpHeightWithoutDetail : kOpHeight;
        break;
    }
    case ItemKind::Placeholder:
    case ItemKind::Output:
        item.rect.width = even(width(item.title, TextRole::Title)
                               + second(width(item.detail, TextRole::Detail)) + 2 * kPillPadding);
        item.rect.height = kPillHeight;
        break;
    case ItemKind::Weight:
        item.rect.width = even(width(item.title, TextRole::Badge) + 2 * kTagPadding);
        item.rect.height = kTagHeight;
        break;
    case ItemKind::Observer:
        item.rect.width = even(std::max(kHexagonWidth, width(item.number, TextRole::Badge) + 14));
        item.rect.height = kHexagonHeight;
        break;
    case ItemKind::Quantize:
    case ItemKind::Dequantize:
        item.rect.width = kTriangleWidth;
        item.rect.height = kTriangleHeight;
        break;
    case ItemKind::Ghost:
        item.rect.width = even(width(item.detail, TextRole::Badge) + 2 * kTagPadding);
        item.rect.height = kGhostHeight;
        break;
    case ItemKind::Module: sizeModule(item); break;
    case ItemKind::Stub:
        item.rect.width =
            even(std::max(36.0, width(item.title, TextRole::Badge) + 2 * kTagPadding));
        item.rect.height = kStubHeight;
        break;
    }
}

WingRow CellMaker::row(std::vector<SceneItem> items, std::vector<bool> int8) const
{
    WingRow row;
    for (auto& item : items) {
        item.inWing = true;
        row.width += item.rect.width + kWingGap;
    }
    row.items = std::move(items);
    row.int8 = std::move(int8);
    return row;
}

SceneItem CellMaker::foldedWeights(std::size_t stage, const ViewNode& consumer,
                                   const std::vector<int>& weights) const
{
    const auto& view = m_graph.stages[stage];
    std::vector<std::string> targets;
    SceneItem item;
    for (const int w : weights) {
        const Node& node = *view.at(w).node;
        targets.push_back(node.target);
        item.isFocus = item.isFocus || m_focus.nodes.contains(&node);
        if (item.node.isValid())
            item.folded.push_back(node.id);
        else
            item.node = node.id;
    }
    const auto module = commonModule(targets);
    item.kind = ItemKind::Weight;
    item.title = tagTitle(module.empty() ? consumer.node->name : module) + " ×"
                 + std::to_string(weights.size());
    size(item);
    return item;
}

std::vector<WingRow> CellMaker::wing(std::size_t stage, int index) const
{
    const auto& view = m_graph.stages[stage];
    const auto& v = view.at(index);
    std::vector<WingRow> rows;
    const auto addChain = [&](std::vector<SceneItem> items, std::vector<bool> int8,
                              const std::vector<int>& chain) {
        for (const int d : chain) {
            if (m_options.qdqOnEdges && view.at(d).role != ViewRole::Core
                && view.at(d).kind != ItemKind::Weight) {
                auto& folded = items.back().folded;
                const auto scales = view.scalesOf(d);
                folded.push_back(view.at(d).node->id);
                folded.insert(folded.end(), scales.begin(), scales.end());
                continue;
            }
            items.push_back(makeItem(stage, d));
            int8.push_back(view.carriesInt8(d));
        }
        rows.push_back(row(std::move(items), std::move(int8)));
    };
    if (m_options.weights && v.role == ViewRole::Core) {
        // A sub-graph keeps its own tag: it is the door to it.
        const auto isBare = [&](const std::vector<int>& chain) {
            return chain.size() == 1
                   && !view.graph->subgraphs().contains(view.at(chain.front()).node->target);
        };
        std::vector<int> bare;
        for (const auto& chain : view.constantsOf(index))
            if (isBare(chain))
                bare.push_back(chain.front());
        const bool fold = (isBatchNorm(*v.node) && bare.size() > 1) || bare.size() > 2;
        if (fold) {
            rows.push_back(row({foldedWeights(stage, v, bare)}, {false}));
        }
        for (const auto& chain : view.constantsOf(index))
            if (!fold || !isBare(chain))
                addChain({makeItem(stage, chain.front())}, {view.carriesInt8(chain.front())},
                         {chain.begin() + 1, chain.end()});
    }
    const auto chips = m_plan.chips[stage].find(index);
    if (chips == m_plan.chips[stage].end())
        return rows;
    for (const auto& chip : chips->second) {
        SceneItem item;
        item.kind = ItemKind::Stub;
        item.node = view.at(chip.source).node->id;
        item.title = elided(view.at(chip.source).node->name, 24);
        item.isInt8 = chip.isInt8;
        size(item);
        addChain({std::move(item)}, {chip.isInt8}, chip.chain);
    }
    return rows;
}

} // namespace pt2e

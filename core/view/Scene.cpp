#include "core/view/Scene.h"

#include "core/view/Cells.h"
#include "core/view/Labels.h"
#include "core/view/LayeredLayout.h"
#include "core/view/Overlay.h"
#include "core/view/SceneModel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace pt2e {

namespace {

constexpr double kMargin = 20;
constexpr double kPortGap = 14; ///< between lines that enter an op side by side

/// Builds the scenes of one request; the steps of build() are the story.
class SceneBuilder
{
public:
    SceneBuilder(const SceneModel& model, const ViewOptions& options, const TextMeasurer& measurer)
        : m_model(model),
          m_options(options),
          m_graph(model.graph),
          m_measurer(measurer),
          m_cells(m_graph.stages.size())
    {}

    Result<std::vector<Scene>> build(const JobContext& context)
    {
        PT2E_ASSIGN(m_focus, findFocus(m_graph, m_options));
        PT2E_TRY(context.checkpoint());
        m_plan = makePlan(m_graph, m_focus, m_options);
        PT2E_TRY(context.checkpoint());
        makeCells();
        PT2E_TRY(context.checkpoint());
        PT2E_TRY(place(context));
        std::vector<Scene> scenes;
        for (std::size_t s = 0; s < m_graph.stages.size(); ++s) {
            PT2E_TRY(context.checkpoint());
            scenes.push_back(project(s));
        }
        return scenes;
    }

private:
    void makeCells()
    {
        const CellMaker maker(m_model, m_focus, m_plan, m_options, m_measurer);
        for (std::size_t s = 0; s < m_graph.stages.size(); ++s) {
            m_cells[s].resize(m_plan.nodes.size());
            for (std::size_t p = 0; p < m_plan.nodes.size(); ++p) {
                const auto& node = m_plan.nodes[p];
                if (node.at[s] >= 0) {
                    m_cells[s][p] = node.slot < 0  ? maker.stub(s, node)
                                    : node.isLabel ? maker.label(s, node.at[s])
                                                   : maker.node(s, node.at[s]);
                } else if (m_options.ghosts && s > 0 && areOfOneRecipe(s - 1, s) && node.slot >= 0
                           && node.at[s - 1] >= 0
                           && m_graph.stages[s - 1].at(node.at[s - 1]).role == ViewRole::Core) {
                    m_cells[s][p] = maker.ghost(s - 1, node.at[s - 1], s);
                }
            }
        }
    }

    bool areOfOneRecipe(std::size_t a, std::size_t b) const
    {
        return m_graph.stages[a].recipe == m_graph.stages[b].recipe;
    }

    /// An observer, or the q made from it, that its one consumer asked for, not the op that feeds it.
    bool observesAnInput(std::size_t stage, int index) const
    {
        const StageView& view = m_graph.stages[stage];
        const ViewNode& v = view.at(index);
        const bool isObserver = v.kind == ItemKind::Observer || v.kind == ItemKind::Quantize;
        const Snapshot& snapshot = m_model.snapshotOf(view.recipe);
        if (!isObserver || v.in.empty() || v.out.size() != 1 || !snapshot.annotated)
            return false;
        const ViewNode& producer = view.at(v.in.front());
        if (producer.kind != ItemKind::Op)
            return false;
        const Annotation* said = snapshot.annotated->annotations.find(producer.node->id);
        return !said || isNone(said->output);
    }

    Result<void> place(const JobContext& context)
    {
        m_layout.nodes.resize(m_plan.nodes.size());
        for (std::size_t p = 0; p < m_plan.nodes.size(); ++p) {
            auto& node = m_layout.nodes[p];
            const int slot = m_plan.nodes[p].slot;
            node.isSmall = slot >= 0 && m_graph.slot(slot).role == ViewRole::Decoration;
            for (std::size_t s = 0; s < m_cells.size(); ++s)
                if (const auto& cell = m_cells[s][p]) {
                    node.left = std::max(node.left, cell->left);
                    node.right = std::max(node.right, cell->right);
                    node.height = std::max(node.height, cell->height);
                    node.staysLow = node.staysLow || cell->item.kind == ItemKind::Dequantize;
                    if (m_plan.nodes[p].at[s] >= 0 && node.isSmall)
                        node.belongsBelow =
                            node.belongsBelow || observesAnInput(s, m_plan.nodes[p].at[s]);
                }
            node.staysLow = node.staysLow || node.belongsBelow;
        }
        std::set<std::pair<int, int>> seen;
        for (const auto& edges : m_plan.edges)
            for (const auto& edge : edges) {
                int from = edge.from;
                const auto add = [&](int to) {
                    if (seen.emplace(from, to).second) {
                        m_edgeOf[{from, to}] = static_cast<int>(m_layout.edges.size());
                        m_layout.edges.push_back({from, to, {}, false});
                    }
                    from = to;
                };
                std::for_each(edge.via.begin(), edge.via.end(), add);
                add(edge.to);
            }
        PT2E_TRY(m_layout.run(context));
        m_origin = {m_layout.bounds.x - kMargin, m_layout.bounds.y - kMargin};
        return {};
    }

    // ---- one stage

    Scene project(std::size_t stage)
    {
        Scene scene;
        const auto& view = m_graph.stages[stage];
        scene.stage = view.stage;
        scene.title = stageTitle(view.stage);
        scene.caption = stageCaption(view.stage);
        scene.bounds = {0, 0, m_layout.bounds.width + 2 * kMargin,
                        m_layout.bounds.height + 2 * kMargin};
        if (m_options.overlay && view.recipe == 0) {
            scene.legendTitle = m_options.overlay->title;
            for (const OverlayLevel& entry : m_options.overlay->levels)
                scene.legend.push_back({entry.level, entry.text});
        }
        for (const auto& name : m_focus.missing[stage])
            scene.notes.push_back("focus node '" + name + "' is not in this stage");
        m_itemOf.assign(m_plan.nodes.size(), -1);
        for (std::size_t p = 0; p < m_plan.nodes.size(); ++p)
            if (m_cells[stage][p] && !m_plan.nodes[p].isLabel)
                addCell(scene, static_cast<int>(p), *m_cells[stage][p]);
        addEdges(scene, stage);
        scene.items.shrink_to_fit(); // it never grows again
        scene.edges.shrink_to_fit();
        return scene;
    }

    PointF centerOf(int plan) const
    {
        const auto& c = m_layout.nodes[static_cast<std::size_t>(plan)].center;
        return {c.x - m_origin.x, c.y - m_origin.y};
    }
    LayoutLayer layerOf(int plan) const
    {
        return layer(m_layout.nodes[static_cast<std::size_t>(plan)].layer);
    }
    LayoutLayer layer(int index) const
    {
        const auto& l = m_layout.layers[static_cast<std::size_t>(index)];
        return {l.top - m_origin.y, l.bottom - m_origin.y};
    }

    void addCell(Scene& scene, int plan, const Cell& cell)
    {
        const auto center = centerOf(plan);
        const int index = static_cast<int>(scene.items.size());
        m_itemOf[static_cast<std::size_t>(plan)] = index;
        SceneItem item = cell.item;
        item.rect.x = center.x - item.rect.width / 2;
        item.rect.y = std::round(center.y - item.rect.height / 2);
        const double edge = item.rect.x;
        const double y = item.rect.y + item.rect.height / 2;
        scene.items.push_back(std::move(item));
        const double first =
            y - (static_cast<double>(cell.wing.size()) - 1) * CellMaker::kRowHeight / 2;
        for (std::size_t r = 0; r < cell.wing.size(); ++r)
            addRow(scene, cell.wing[r], edge,
                   first + static_cast<double>(r) * CellMaker::kRowHeight, index);
    }

    /// Right to left from the consumer's edge.
    static void addRow(Scene& scene, const WingRow& row, double right, double y, int consumer)
    {
        int next = consumer;
        const auto& target = scene.items[static_cast<std::size_t>(consumer)].rect;
        // A row beyond the consumer's own height enters at its corner.
        double into = std::clamp(y, target.y + 8, target.y + target.height - 8);
        for (std::size_t i = row.items.size(); i-- > 0;) {
            SceneItem item = row.items[i];
            item.rect.x = right - CellMaker::kWingGap - item.rect.width;
            item.rect.y = y - item.rect.height / 2;
            SceneEdge edge;
            edge.to = next;
            edge.from = static_cast<int>(scene.items.size());
            edge.isInt8 = row.int8[i];
            edge.points = {{item.rect.x + item.rect.width, y}, {right, into}};
            right = item.rect.x;
            into = y;
            next = edge.from;
            scene.items.push_back(std::move(item));
            scene.edges.push_back(std::move(edge));
        }
    }

    /// Corridors of the line from the bottom of `from` to the top of `to`, without the ends.
    void addCorridors(int from, int to, std::vector<std::pair<double, int>>& corridors) const
    {
        const auto it = m_edgeOf.find({from, to});
        if (it == m_edgeOf.end())
            return;
        const auto& edge = m_layout.edges[static_cast<std::size_t>(it->second)];
        if (edge.isReversed)
            return;
        int at = m_layout.nodes[static_cast<std::size_t>(from)].layer;
        for (const double x : edge.corridors)
            corridors.emplace_back(x - m_origin.x, ++at);
    }

    struct Draft
    {
        SceneEdge edge;
        std::vector<std::pair<double, int>> corridors; ///< x and layer
        double arrivesFrom = 0; ///< x of the last corridor or of the start
        double port = 0;
    };

    Draft draft(const PlanEdge& plan, std::size_t stage) const
    {
        Draft d;
        d.edge.from = m_itemOf[static_cast<std::size_t>(plan.from)];
        d.edge.to = m_itemOf[static_cast<std::size_t>(plan.to)];
        d.edge.isInt8 = plan.isInt8;
        for (const int n : plan.folded) {
            d.edge.folded.push_back(m_graph.stages[stage].at(n).node->id);
            const auto scales = m_graph.stages[stage].scalesOf(n);
            d.edge.folded.insert(d.edge.folded.end(), scales.begin(), scales.end());
        }
        int from = plan.from;
        for (const int via : plan.via) {
            addCorridors(from, via, d.corridors);
            d.corridors.emplace_back(centerOf(via).x,
                                     m_layout.nodes[static_cast<std::size_t>(via)].layer);
            from = via;
        }
        addCorridors(from, plan.to, d.corridors);
        d.arrivesFrom = d.corridors.empty() ? centerOf(plan.from).x : d.corridors.back().first;
        d.port = centerOf(plan.to).x;
        if (plan.label >= 0 && m_cells[stage][static_cast<std::size_t>(plan.label)]) {
            const auto& cell = *m_cells[stage][static_cast<std::size_t>(plan.label)];
            const auto at = centerOf(plan.label);
            d.edge.badge = cell.item.badge;
            d.edge.badgeRect = {at.x + CellMaker::kBadgeGap, at.y - cell.height / 2,
                                cell.right - CellMaker::kBadgeGap, cell.height};
        }
        return d;
    }

    void addEdges(Scene& scene, std::size_t stage)
    {
        std::vector<Draft> drafts;
        std::unordered_map<int, std::vector<std::size_t>> into;
        const auto& plans = m_plan.edges[stage];
        for (const auto& plan : plans) {
            drafts.push_back(draft(plan, stage));
            into[plan.to].push_back(drafts.size() - 1);
        }
        for (auto& [plan, edges] : into)
            assignPorts(scene, plan, edges, drafts);
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            trace(scene, plans[i], drafts[i]);
            scene.edges.push_back(std::move(drafts[i].edge));
        }
    }

    /// Lines that arrive straight enter at the axis; the others side by side left and right of it.
    void assignPorts(const Scene& scene, int plan, std::vector<std::size_t>& edges,
                     std::vector<Draft>& drafts) const
    {
        const auto& item =
            scene.items[static_cast<std::size_t>(m_itemOf[static_cast<std::size_t>(plan)])];
        if (edges.size() < 2 || item.kind == ItemKind::Observer || item.kind == ItemKind::Quantize
            || item.kind == ItemKind::Dequantize)
            return;
        const double axis = centerOf(plan).x;
        std::stable_sort(edges.begin(), edges.end(), [&](std::size_t a, std::size_t b) {
            return drafts[a].arrivesFrom < drafts[b].arrivesFrom;
        });
        const auto isStraight = [&](std::size_t e) {
            return std::abs(drafts[e].arrivesFrom - axis) < 1;
        };
        std::size_t left = 0;
        std::size_t straight = 0;
        for (const std::size_t e : edges) {
            left += !isStraight(e) && drafts[e].arrivesFrom < axis ? 1 : 0;
            straight += isStraight(e) ? 1 : 0;
        }
        const std::size_t right = edges.size() - left - straight;
        const double room = item.rect.width / 2 - 10;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (isStraight(edges[i]))
                continue;
            const bool isLeft = i < left;
            const auto rank = static_cast<double>(isLeft ? left - i : i - left - straight + 1);
            const auto count = static_cast<double>(isLeft ? left : right);
            // Without a line on the axis the two sides meet at half the distance.
            const double offset = straight > 0 ? rank : rank - 0.5;
            const double step = std::min(kPortGap + 8, room / count);
            drafts[edges[i]].port = axis + (isLeft ? -1 : 1) * offset * step;
        }
    }

    void trace(const Scene& scene, const PlanEdge& plan, Draft& d) const
    {
        auto& points = d.edge.points;
        const auto& from = scene.items[static_cast<std::size_t>(d.edge.from)].rect;
        const auto& to = scene.items[static_cast<std::size_t>(d.edge.to)].rect;
        const double x = from.x + from.width / 2;
        points.push_back({x, from.y + from.height});
        points.push_back({x, layerOf(plan.from).bottom});
        for (const auto& [corridor, index] : d.corridors) {
            points.push_back({corridor, layer(index).top});
            points.push_back({corridor, layer(index).bottom});
        }
        points.push_back({d.port, layerOf(plan.to).top});
        points.push_back({d.port, to.y});
        simplify(points);
    }

    /// Drops points in the middle of a straight vertical.
    static void simplify(std::vector<PointF>& points)
    {
        std::vector<PointF> kept;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const bool isInner = i > 0 && i + 1 < points.size();
            if (isInner && std::abs(points[i - 1].x - points[i].x) < 0.01
                && std::abs(points[i + 1].x - points[i].x) < 0.01)
                continue;
            if (!kept.empty() && kept.back() == points[i] && i + 1 < points.size())
                continue;
            kept.push_back(points[i]);
        }
        points = std::move(kept);
    }

    const SceneModel& m_model;
    const ViewOptions& m_options;
    const UnionGraph& m_graph;
    const TextMeasurer& m_measurer;
    Focus m_focus;
    ViewPlan m_plan;
    std::vector<std::vector<std::optional<Cell>>> m_cells; ///< per stage and plan node
    LayeredLayout m_layout;
    std::map<std::pair<int, int>, int> m_edgeOf;
    PointF m_origin;
    std::vector<int> m_itemOf; ///< per plan node, of the stage being projected
};

} // namespace

Result<std::vector<Scene>> buildScenes(const SceneModel& model, const ViewOptions& options,
                                       const TextMeasurer& measurer, const JobContext& context)
{
    if (options.modules != model.folding)
        return buildScenes(SceneModel(model.flat, options.modules), options, measurer, context);
    std::vector<Scene> built;
    if (!model.graph.stages.empty()) {
        SceneBuilder builder(model, options, measurer);
        PT2E_ASSIGN(built, builder.build(context));
    }
    // Stages that were not reached keep their place, empty.
    std::vector<Scene> scenes;
    std::size_t next = 0;
    for (const StageKind stage : model.stages()) {
        if (next < built.size() && built[next].stage == stage) {
            scenes.push_back(std::move(built[next++]));
            continue;
        }
        Scene empty;
        empty.stage = stage;
        empty.title = stageTitle(stage);
        empty.notes.push_back("this stage was not reached");
        scenes.push_back(std::move(empty));
    }
    return scenes;
}

} // namespace pt2e

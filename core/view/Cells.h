// The items of one stage with their sizes: an op with the constants beside it, an observer with its number, a ghost, a
// stub. Internal to core/view.
#pragma once

#include "core/view/SceneModel.h"
#include "core/view/ViewPlan.h"

#include <unordered_set>
#include <vector>

namespace pt2e {

/// One line of constants left of its consumer: tag, then observer or q and dq, then the consumer.
struct WingRow
{
    std::vector<SceneItem> items; ///< left to right, sizes set
    std::vector<bool> int8; ///< per item: the line to its right
    double width = 0; ///< with the gaps
};

/// All that stands at one plan node in one stage.
struct Cell
{
    SceneItem item; ///< size set
    std::vector<WingRow> wing;
    double left = 0; ///< extents around the axis
    double right = 0;
    double height = 0;
};

class CellMaker
{
public:
    CellMaker(const SceneModel& model, const Focus& focus, const ViewPlan& plan,
              const ViewOptions& options, const TextMeasurer& measurer);

    Cell node(std::size_t stage, int index) const;
    Cell label(std::size_t stage, int index) const; ///< the text of a folded observer or q
    Cell stub(std::size_t stage, const PlanNode& node) const;
    Cell ghost(std::size_t stage, int index, std::size_t goneIn) const;

    static constexpr double kWingGap = 7; ///< between the items of a row
    static constexpr double kRowHeight = 24;
    static constexpr double kBadgeGap = 6; ///< between a small shape and its text

private:
    SceneItem makeItem(std::size_t stage, int index) const;
    void addOverlay(SceneItem& item, std::size_t stage) const;
    void addModule(SceneItem& item, std::size_t stage, const ViewNode& v) const;
    void addModuleOverlay(SceneItem& item, std::size_t stage) const;
    SceneItem makeWeight(std::size_t stage, const ViewNode& v) const;
    std::string observerBadge(std::size_t stage, const Node& node) const;
    void size(SceneItem& item) const;
    void sizeModule(SceneItem& item) const;
    std::vector<WingRow> wing(std::size_t stage, int index) const;
    WingRow row(std::vector<SceneItem> items, std::vector<bool> int8) const;
    SceneItem foldedWeights(std::size_t stage, const ViewNode& consumer,
                            const std::vector<int>& weights) const;

    const Snapshot& snapshotOf(std::size_t stage) const
    {
        return m_model.snapshotOf(m_graph.stages[stage].recipe);
    }
    const std::unordered_set<NodeId>& unquantizedIn(std::size_t stage) const
    {
        return m_model.flat->unquantized[m_graph.stages[stage].recipe];
    }
    /// Its figures are the first recipe's.
    bool hasOverlay(std::size_t stage) const
    {
        return m_options.overlay && m_graph.stages[stage].recipe == 0;
    }

    const SceneModel& m_model;
    const UnionGraph& m_graph;
    const Focus& m_focus;
    const ViewPlan& m_plan;
    const ViewOptions& m_options;
    const TextMeasurer& m_measurer;
};

} // namespace pt2e

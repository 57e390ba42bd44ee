// What a pane shows, without Qt: items with a place and a size, and the lines between them.
//
// All panes share one layout: the union graph of the shown stages is laid out once and projected per pane, so the
// same node stands at the same place everywhere. Sizes come from a TextMeasurer that ui/render implements.
#pragma once

#include "core/base/JobContext.h"
#include "core/pipeline/Snapshot.h"
#include "core/view/ModuleFolding.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

struct PointF
{
    double x = 0, y = 0;
    friend bool operator==(const PointF&, const PointF&) = default;
};
struct RectF
{
    double x = 0, y = 0, width = 0, height = 0;
    friend bool operator==(const RectF&, const RectF&) = default;
};

enum class TextRole : std::uint8_t { Title, Name, Detail, Badge };
/// Width and height of one line of text in scene units (1 unit = 1 px at zoom 100 %).
class TextMeasurer
{
public:
    virtual ~TextMeasurer() = default;
    virtual double width(std::string_view text, TextRole role) const = 0;
    virtual double lineHeight(TextRole role) const = 0;
};

enum class ItemKind : std::uint8_t {
    Op, ///< rectangle: short op name, node name, shape
    Placeholder, ///< pill
    Output, ///< pill
    Weight, ///< small tag beside its consumer (get_attr); one tag per consumer
    Observer, ///< hexagon with its number, scale and zero point
    Quantize, ///< small triangle down
    Dequantize, ///< small triangle up
    Ghost, ///< a node of the stage before that is gone here: dashed, says why
    Stub, ///< the end of a cut edge, with the hidden neighbour's name
    Module ///< a collapsed module, or a run of modules alike: a box with what is in it
};

/// What a collapsed module stands for.
struct ModuleItem
{
    std::vector<std::string> paths; ///< one, or those of a run of modules alike
    int ops = 0; ///< calls of functions without getitem, in this stage
    int quantized = -1; ///< of them; −1: not known, as in the exported stage
};

inline constexpr double kModulePadding = 12; ///< left and right of a Module's words
inline constexpr double kModuleExpander = 14; ///< side of the square at its left that expands it
inline constexpr double kModulePlate = 4; ///< by which the second plate of a run looks out

struct SceneItem
{
    ItemKind kind = ItemKind::Op;
    NodeId node; ///< for Ghost and Stub: the node that is gone or hidden
    std::string title; ///< "conv2d"
    std::string name; ///< node name where it differs from the title, else empty
    std::string detail; ///< shape "4×8×16×16"; for Ghost the reason: "folded: batch_norm"
    std::string badge; ///< observer: "0.03299 −5", q: "q 0.03299 −5"
    std::string number; ///< observer: its index
    bool isFocus = false;
    bool isUnquantized = false; ///< an op without a valid annotation: drawn with a hatched edge
    bool isInt8 = false; ///< its value is a quantized integer tensor
    std::string mark; ///< "float" on unquantized ops: says in words what the hatching says
    int overlay = -1; ///< level of ViewOptions::overlay (Overlay.h); −1: none
    std::string overlayText; ///< "37.6 dB"; stands where the shape does otherwise
    /// Further nodes this item stands for: folded batch-norm parameters, scale and zero-point constants of a dq, the
    /// neighbours behind a "+12 more" stub (a click reveals `node` and all of these).
    /// Of a Module all nodes of the stage that are in it.
    std::vector<NodeId> folded;
    std::shared_ptr<const ModuleItem> module; ///< of a Module
    bool inWing = false; ///< stands left of its consumer, in the row of a weight; draws no badge
    RectF rect; ///< the shape; the badge text stands right of it and is not part of it
};

struct SceneEdge
{
    int from = -1; ///< index into items
    int to = -1;
    bool isInt8 = false; ///< carries an integer tensor: thick and coloured
    std::vector<PointF>
        points; ///< polyline from the border of `from` to the border of `to`, ≥ 2 points
    std::string badge; ///< ViewOptions::qdqOnEdges: qparams of the edge, "0.03299 −5"; else empty
    RectF badgeRect;
    std::vector<NodeId>
        folded; ///< ViewOptions::qdqOnEdges: observers, q and dq that lie on the edge
};

struct Scene
{
    StageKind stage = StageKind::Exported;
    std::string title; ///< "Prepared"
    std::string caption; ///< "float + observers"
    std::vector<SceneItem> items;
    std::vector<SceneEdge> edges;
    RectF bounds; ///< the same for all scenes of one layout
    struct LegendEntry
    {
        int level = 0;
        std::string text;
    };
    std::string legendTitle; ///< of the overlay; empty: none
    std::vector<LegendEntry> legend;
    std::vector<std::string> notes; ///< e.g. "focus node 'foo' is not in this stage"

    /// Of a Module: the square with the plus sign.
    static RectF expanderOf(const SceneItem& item);
    int itemOf(NodeId node) const; ///< first item of a node (or that stands for it), or -1
    std::vector<int> itemsOf(
        NodeId node) const; ///< all of them: shared constants have one per consumer
};

struct Overlay;

enum class Direction : std::uint8_t { Both, Up, Down };

struct ViewOptions
{
    std::vector<std::string> focus; ///< node names; empty: the whole graph
    int hops = 3;
    Direction direction = Direction::Both;
    bool weights = true;
    bool qdqOnEdges = false; ///< q/dq pairs and observers folded onto the edge they belong to
    bool ghosts = true;
    ModuleFolding modules; ///< which are one box
    std::vector<NodeId> revealed; ///< hidden neighbours shown by a click on their stub
    std::shared_ptr<const Overlay> overlay; ///< may be null
    friend bool operator==(const ViewOptions&, const ViewOptions&) = default;
};

/// What does not depend on the focus: the union graph of the stages with modules collapsed. Made once per snapshot and
/// folding, then used for every focus; immutable, any thread may use it.
class SceneModel;
std::shared_ptr<const SceneModel> makeSceneModel(SnapshotPtr snapshot,
                                                 std::vector<StageKind> stages,
                                                 const ModuleFolding& modules = {});
/// Of the same stages with other modules collapsed; shares with the other one what folding does not change.
std::shared_ptr<const SceneModel> makeSceneModel(const SceneModel& other,
                                                 const ModuleFolding& modules);
/// Scenes of the model's stages, as below.
Result<std::vector<Scene>> buildScenes(const SceneModel& model, const ViewOptions& options,
                                       const TextMeasurer& measurer, const JobContext& context);

/// Scenes of the stages, in step. Fails only when cancelled or when no focus node exists in any stage.
Result<std::vector<Scene>> buildScenes(const Snapshot& snapshot,
                                       const std::vector<StageKind>& stages,
                                       const ViewOptions& options, const TextMeasurer& measurer,
                                       const JobContext& context);

} // namespace pt2e

// All that the inspector says about a node, gathered from a snapshot. No widgets.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace pt2e::ui {

/// A place of the node's annotation that can be edited: one input, or the output.
struct PointFact
{
    NamedPoint point;
    QString label; ///< the input's name; empty for the output
    int observer = -1; ///< number of the observer that stands there, or -1
    Spec spec; ///< as prepare uses it
    Spec said; ///< what the quantizer said
    bool isEdited = false; ///< the recipe has an edit here
    QString text; ///< spec in words
    QString saidText;
};

/// Statistics of the observer that belongs to the node.
struct ValueFact
{
    QString where; ///< name of the node whose values these are
    QString observer; ///< "activation_post_process_0"
    NodeId observerNode; ///< in the prepared graph
    ObserverConfig config;
    ObserverState state;
    std::optional<QParams> qparams;
    std::int64_t batches = 0;
    ObserverId instance;
};

struct AcrossFact
{
    StageKind stage = StageKind::Exported;
    QString text;
    std::vector<NodeId> nodes;
};

struct NodeFacts
{
    bool isValid = false;
    StageKind stage = StageKind::Exported;
    NodeId node;
    QString name;
    QString title; ///< short op name
    QString target;
    QString call;
    QString value; ///< "4×8×16×16 float32"
    QString module; ///< dotted path
    QString source; ///< innermost line of the stack trace
    std::vector<std::pair<QString, NodeId>> users;
    std::vector<std::pair<QString, QString>> meta;
    std::vector<AcrossFact> across;

    NodeId annotatedNode; ///< invalid: the node has no place in the annotated graph
    QString rule;
    std::vector<PointFact> points;
    QString whyNot; ///< why it is not quantized, or empty
    NodeId whyNotRoot; ///< root of the cascade, where it is another node
    QString whyNotRootName;
    std::vector<std::pair<QString, std::vector<NodeId>>>
        sharing; ///< other places of the same observer instance

    std::optional<ValueFact> values;

    /// In a sub-graph ("loop/inner"): points by the names that edits use.
    void placeIn(const std::string& body);
};

/// "4×8×16×16 float32"; a tuple in brackets; empty where the file does not say.
QString valueText(const ValueMeta& val);

NodeFacts gatherFacts(const Snapshot& snapshot, StageKind stage, NodeId node);

/// Share of the observed values that the quantized range cuts off; nothing without a histogram.
std::optional<double> clippedShare(const ValueFact& values);

} // namespace pt2e::ui

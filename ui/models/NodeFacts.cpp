#include "ui/models/NodeFacts.h"

#include "core/ir/Text.h"
#include "core/pipeline/RangeEdits.h"
#include "core/view/Correspondence.h"
#include "ui/models/CoreText.h"
#include "ui/models/ReasonText.h"
#include "ui/models/SpecText.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace pt2e::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("NodeFacts", text); }

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// The innermost frame: 'File "model.py", line 12, in forward'.
QString sourceLine(const std::string& trace)
{
    const QStringList lines =
        QString::fromStdString(trace).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
        if (it->trimmed().startsWith(QLatin1String("File ")))
            return it->trimmed();
    }
    return {};
}

QString howText(const Counterpart& counterpart)
{
    QString how;
    switch (counterpart.how) {
    case Counterpart::How::Same: return {};
    case Counterpart::How::Inserted: how = words(QT_TRANSLATE_NOOP("NodeFacts", "inserted")); break;
    case Counterpart::How::FusedInto:
        how = words(QT_TRANSLATE_NOOP("NodeFacts", "fused into"));
        break;
    case Counterpart::How::Decomposed:
        how = words(QT_TRANSLATE_NOOP("NodeFacts", "decomposed"));
        break;
    case Counterpart::How::Folded: how = words(QT_TRANSLATE_NOOP("NodeFacts", "folded")); break;
    case Counterpart::How::Duplicated: how = words(QT_TRANSLATE_NOOP("NodeFacts", "copy")); break;
    }
    if (!counterpart.pass.empty())
        how += words(QT_TRANSLATE_NOOP("NodeFacts", " by %1"))
                   .arg(QString::fromStdString(counterpart.pass));
    return how;
}

void addAcross(NodeFacts& facts, const Snapshot& snapshot)
{
    constexpr std::array kStages{StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                                 StageKind::Converted};
    for (const StageKind stage : kStages) {
        const GraphPtr graph = snapshot.graph(stage);
        if (!graph)
            continue;
        AcrossFact across;
        across.stage = stage;
        if (stage == facts.stage) {
            across.text = facts.name;
            across.nodes = {facts.node};
        } else {
            const Correspondence found = correspond(snapshot, facts.stage, facts.node, stage);
            QStringList parts;
            for (const Counterpart& counterpart : found.nodes) {
                const Node* node = graph->find(counterpart.node);
                if (!node)
                    continue;
                const QString how = howText(counterpart);
                const QString name = QString::fromStdString(node->name);
                parts << (how.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, how));
                across.nodes.push_back(counterpart.node);
            }
            across.text = parts.join(QStringLiteral(", "));
            if (parts.isEmpty())
                across.text = found.removedBy.empty()
                                  ? QStringLiteral("\u2013")
                                  : words(QT_TRANSLATE_NOOP("NodeFacts", "removed by %1"))
                                        .arg(QString::fromStdString(found.removedBy));
        }
        facts.across.push_back(std::move(across));
    }
}

int numberOf(const std::string& observerName)
{
    const auto at = observerName.find_last_of('_');
    if (at == std::string::npos)
        return -1;
    bool isNumber = false;
    const int number = QString::fromStdString(observerName.substr(at + 1)).toInt(&isNumber);
    return isNumber ? number : -1;
}

/// The observer in the prepared graph through which `user` takes `source`, or on the output of `source` (no user).
const Node* observerAt(const Graph& prepared, NodeId source, NodeId user)
{
    const auto isObserver = [](const Node* node) { return node && node->is(OpKind::CallModule); };
    if (!user.isValid()) {
        if (const Node* node = prepared.find(source)) {
            for (const NodeId id : node->users) {
                if (const Node* candidate = prepared.find(id); isObserver(candidate))
                    return candidate;
            }
        }
        return nullptr;
    }
    const Node* node = prepared.find(user);
    if (!node)
        return nullptr;
    for (const NodeId id : node->inputs()) {
        // An edge may carry several observers one behind the other; the last one is the edge's own.
        const Node* first = prepared.find(id);
        const Node* at = first;
        while (isObserver(at) && at->arg(0).node() != source)
            at = prepared.find(at->arg(0).node());
        if (isObserver(at))
            return first;
    }
    return nullptr;
}

const Edit* editAt(const Recipe& recipe, const NamedPoint& point)
{
    const auto it = std::find_if(recipe.edits.begin(), recipe.edits.end(),
                                 [&point](const Edit& edit) { return edit.at == point; });
    return it == recipe.edits.end() ? nullptr : &*it;
}

PointFact pointFact(const Snapshot& snapshot, const Node& node, const Node* input)
{
    const AnnotatedStage& stage = *snapshot.annotated;
    const Graph& graph = *stage.folded.graph;
    const auto specOf = [&](const AnnotationTable& table) -> Spec {
        const Annotation* annotation = table.find(node.id);
        if (!annotation)
            return {};
        if (!input)
            return annotation->output;
        const Spec* spec = annotation->input(input->id);
        return spec ? *spec : Spec{};
    };
    PointFact fact;
    fact.point = input ? NamedPoint{input->name, node.name} : NamedPoint{node.name, {}};
    fact.label = input ? QString::fromStdString(input->name) : QString();
    fact.spec = specOf(stage.annotations);
    fact.said = specOf(stage.quantizerSaid);
    fact.isEdited = editAt(snapshot.recipe, fact.point) != nullptr;
    fact.text = specText(fact.spec, graph);
    fact.saidText = specText(fact.said, graph);
    if (snapshot.prepared) {
        // Behind an output that is not observed may stand what its user asked for.
        const Node* observer = nullptr;
        if (input)
            observer = observerAt(*snapshot.prepared->graph, input->id, node.id);
        else if (!isNone(fact.spec))
            observer = observerAt(*snapshot.prepared->graph, node.id, {});
        if (observer)
            fact.observer = numberOf(observer->target);
    }
    return fact;
}

void addAnnotation(NodeFacts& facts, const Snapshot& snapshot)
{
    if (!snapshot.annotated)
        return;
    const Graph& graph = *snapshot.annotated->folded.graph;
    const Node* node = graph.find(facts.node);
    if (!node) {
        for (const Counterpart& counterpart :
             correspond(snapshot, facts.stage, facts.node, StageKind::Annotated).nodes) {
            // What was inserted at a node is not that node.
            if (counterpart.how != Counterpart::How::Inserted && !node)
                node = graph.find(counterpart.node);
        }
    }
    if (!node || node->is(OpKind::GetAttr))
        return;
    facts.annotatedNode = node->id;
    if (const Annotation* annotation = snapshot.annotated->annotations.find(node->id))
        facts.rule = QString::fromStdString(annotation->rule);
    for (const NodeId input : node->inputs()) {
        const Node* source = graph.find(input);
        const TensorMeta* meta = source ? source->val.tensor() : nullptr;
        if (source && !node->is(OpKind::Output) && (!meta || isFloatingPoint(meta->dtype)))
            facts.points.push_back(pointFact(snapshot, *node, source));
    }
    if (!node->is(OpKind::Output))
        facts.points.push_back(pointFact(snapshot, *node, nullptr));
    for (const WhyNot& why : snapshot.annotated->unannotated) {
        if (why.node != node->id)
            continue;
        facts.whyNot = reasonText(why.reason);
        const Node* root = graph.find(why.root);
        if (root && root != node) {
            facts.whyNotRoot = root->id;
            facts.whyNotRootName = QString::fromStdString(root->name);
        }
    }
}

/// Places that use the same observer instance as this node's points. The points themselves are left out, and the
/// other end of their edges: an edge always shares with the output it comes from.
void addSharing(NodeFacts& facts, const Snapshot& snapshot)
{
    if (!snapshot.prepared || !facts.annotatedNode.isValid())
        return;
    const Graph& graph = *snapshot.annotated->folded.graph;
    const NodeId own = facts.annotatedNode;
    for (const std::vector<Point>& group : snapshot.prepared->sharing.groups()) {
        std::vector<NodeId> sources; // of this node's edges in the group
        bool hasOutput = false;
        for (const Point& point : group) {
            if (point.user == own)
                sources.push_back(point.node);
            hasOutput |= point == Point::output(own);
        }
        if (sources.empty() && !hasOutput)
            continue;
        const auto isSource = [&sources](NodeId node) {
            return std::find(sources.begin(), sources.end(), node) != sources.end();
        };
        QStringList names;
        std::vector<NodeId> nodes;
        for (const Point& point : group) {
            if (point.user == own || point.node == own || (!point.isEdge() && isSource(point.node)))
                continue;
            names << pointText(point, graph);
            nodes.push_back(point.isEdge() ? point.user : point.node);
        }
        if (!names.isEmpty())
            facts.sharing.emplace_back(names.join(QStringLiteral(", ")), nodes);
    }
}

void addValues(NodeFacts& facts, const Snapshot& snapshot)
{
    if (!snapshot.prepared || !snapshot.calibrated)
        return;
    const Graph& prepared = *snapshot.prepared->graph;
    const Node* observer = prepared.find(facts.node);
    if (observer && !observer->is(OpKind::CallModule)) {
        const Node* node = observer;
        observer = observerAt(prepared, node->id, {});
        for (const NodeId input : node->inputs()) {
            const Node* candidate = prepared.find(input);
            if (!observer && candidate && candidate->is(OpKind::CallModule))
                observer = candidate;
        }
    }
    if (!observer) {
        for (const Counterpart& counterpart :
             correspond(snapshot, facts.stage, facts.node, StageKind::Prepared).nodes) {
            const Node* candidate = prepared.find(counterpart.node);
            if (!observer && candidate && candidate->is(OpKind::CallModule))
                observer = candidate;
        }
    }
    const ModuleRef* module = observer ? prepared.modules().find(observer->target) : nullptr;
    if (!module || module->instance.value >= snapshot.calibrated->states.size())
        return;
    ValueFact values;
    const Node* source = prepared.find(observer->arg(0).node());
    values.where = source ? QString::fromStdString(source->name) : QString();
    values.observer = QString::fromStdString(observer->name);
    values.observerNode = observer->id;
    values.instance = module->instance;
    values.config = snapshot.prepared->instances[module->instance.value].config;
    values.state = seenBy(snapshot, module->instance);
    if (module->instance.value < snapshot.calibrated->qparams.size()
        && snapshot.calibrated->qparams[module->instance.value].hasData)
        values.qparams = snapshot.calibrated->qparams[module->instance.value].qparams;
    values.batches = snapshot.calibrated->batches;
    facts.values = std::move(values);
}

void addMeta(NodeFacts& facts, const Node& node)
{
    if (!node.origin.pass.empty())
        facts.meta.emplace_back(words(QT_TRANSLATE_NOOP("NodeFacts", "made by")),
                                text(originKindName(node.origin.kind)) + QStringLiteral(" · ")
                                    + QString::fromStdString(node.origin.pass));
    if (!node.fileMeta)
        return;
    for (const auto& [key, value] : node.fileMeta->raw)
        facts.meta.emplace_back(QString::fromStdString(key), QString::fromStdString(value));
    if (node.is(OpKind::CallFunction) && node.fileMeta->sourceFnStack.empty())
        facts.meta.emplace_back(
            QStringLiteral("source_fn_stack"),
            words(QT_TRANSLATE_NOOP("NodeFacts", "absent (rules that look for a module need it)")));
}

} // namespace

QString valueText(const ValueMeta& val)
{
    if (const TensorMeta* meta = val.tensor())
        return QString::fromStdString(shapeText(meta->shape)) + QLatin1Char(' ')
               + text(dtypeName(meta->dtype));
    if (const auto* scalar = std::get_if<ValueMeta::Scalar>(&val.value))
        return QString::fromStdString(scalar->type + " " + scalar->text);
    if (const auto* tuple = std::get_if<std::vector<ValueMeta>>(&val.value)) {
        QStringList parts;
        for (const ValueMeta& part : *tuple)
            parts << valueText(part);
        return QLatin1Char('(') + parts.join(QStringLiteral(", ")) + QLatin1Char(')');
    }
    return {};
}

void NodeFacts::placeIn(const std::string& body)
{
    if (body.empty())
        return;
    for (PointFact& fact : points) {
        fact.point.node = body + "/" + fact.point.node;
        if (!fact.point.user.empty())
            fact.point.user = body + "/" + fact.point.user;
    }
}

NodeFacts gatherFacts(const Snapshot& snapshot, StageKind stage, NodeId id)
{
    NodeFacts facts;
    const GraphPtr graph = snapshot.graph(stage);
    const Node* node = graph ? graph->find(id) : nullptr;
    if (!node)
        return facts;
    facts.isValid = true;
    facts.stage = stage;
    facts.node = id;
    facts.name = QString::fromStdString(node->name);
    facts.title = text(shortOpName(node->target));
    if (!node->is(OpKind::CallFunction))
        facts.title = facts.name;
    facts.target = node->is(OpKind::CallFunction) ? QString::fromStdString(node->target)
                                                  : text(opKindName(node->kind));
    if (node->is(OpKind::CallModule)) {
        if (const ModuleRef* module = graph->modules().find(node->target))
            facts.target = QString::fromStdString(module->className);
    }
    facts.call = QString::fromStdString(printCall(*graph, *node));
    facts.value = valueText(node->val);
    if (node->fileMeta) {
        if (!node->fileMeta->moduleStack.empty())
            facts.module = QString::fromStdString(node->fileMeta->moduleStack.back().path);
        facts.source = sourceLine(node->fileMeta->stackTrace);
    }
    for (const NodeId user : node->users) {
        if (const Node* found = graph->find(user))
            facts.users.emplace_back(QString::fromStdString(found->name), user);
    }
    addMeta(facts, *node);
    addAcross(facts, snapshot);
    addAnnotation(facts, snapshot);
    addSharing(facts, snapshot);
    addValues(facts, snapshot);
    return facts;
}

std::optional<double> clippedShare(const ValueFact& values)
{
    const auto& histogram = values.state.histogram;
    if (histogram.empty() || values.state.minVal.size() != 1 || !values.qparams
        || values.qparams->scale.size() != 1)
        return std::nullopt;
    const double scale = static_cast<double>(values.qparams->scale[0]);
    const double zero = static_cast<double>(values.qparams->zeroPoint[0]);
    const double low = scale * (static_cast<double>(values.config.quantMin) - zero - 0.5);
    const double high = scale * (static_cast<double>(values.config.quantMax) - zero + 0.5);
    const double first = static_cast<double>(values.state.minVal[0]);
    const double step = (static_cast<double>(values.state.maxVal[0]) - first)
                        / static_cast<double>(histogram.size());
    double all = 0;
    double outside = 0;
    for (std::size_t bin = 0; bin < histogram.size(); ++bin) {
        const double middle = first + (static_cast<double>(bin) + 0.5) * step;
        all += static_cast<double>(histogram[bin]);
        if (middle < low || middle > high)
            outside += static_cast<double>(histogram[bin]);
    }
    return all > 0 ? std::optional(outside / all) : std::nullopt;
}

} // namespace pt2e::ui

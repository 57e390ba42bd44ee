#include "core/pipeline/StageDump.h"

#include "core/pipeline/GraphJson.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/OpCounts.h"
#include "core/pipeline/SpecJson.h"

#include <limits>
#include <map>
#include <set>

namespace pt2e {

namespace {

using json::Object;

std::string annotationsJson(const NodeNames& names, const AnnotationTable& annotations)
{
    const auto point = [&](const Point& p) { return names.pointText(p); };
    std::vector<std::string> lines;
    for (const NodeNames::Entry& entry : names.entries()) {
        const Annotation* annotation = annotations.find(entry.node->id);
        if (!annotation)
            continue;
        const auto input = [&](const auto& item) {
            return json::array(
                {json::text(names.nameOf(item.first)), json::spec(item.second, point)});
        };
        lines.push_back(Object()
                            .add("node", json::text(entry.name()))
                            .add("target", json::text(entry.node->target))
                            .add("inputs", json::arrayOf(annotation->inputs, input))
                            .add("output", json::spec(annotation->output, point))
                            .line());
    }
    return json::arrayLines(lines, 1);
}

std::string unannotatedJson(const NodeNames& names, const AnnotationTable& annotations)
{
    std::vector<std::string> items;
    for (const NodeNames::Entry& entry : names.entries()) {
        if (entry.node->is(OpKind::CallFunction) && !annotations.hasValid(entry.node->id))
            items.push_back(json::text(entry.name()));
    }
    return json::array(items);
}

/// Groups whose first key has a spec of its own: the others have no observer instance.
std::string sharingJson(const NodeNames& names, const SharingGroups& sharing)
{
    std::vector<std::string> lines;
    for (const std::vector<Point>& group : sharing.groups()) {
        const Spec* first = group.empty() ? nullptr : sharing.specAt(group.front());
        if (!first || isNone(*first))
            continue;
        lines.push_back(json::arrayOf(
            group, [&](const Point& point) { return json::text(names.pointText(point)); }));
    }
    return json::arrayLines(lines, 1);
}

std::string realsJson(const std::vector<float>& values)
{
    return json::arrayOf(values, [](float v) { return json::real(v); });
}

bool hasRange(ObserverKind kind)
{
    return kind != ObserverKind::Placeholder && kind != ObserverKind::FixedQParams
           && kind != ObserverKind::Derived;
}

/// min_val or max_val: as torchao's buffers stand before any data, where none was seen.
std::string boundJson(const ObserverInstance& instance, const std::vector<float>& seen, float none)
{
    if (!hasRange(instance.config.kind))
        return json::kNull;
    const bool perChannel = instance.config.kind == ObserverKind::PerChannelMinMax
                            || instance.config.kind == ObserverKind::MovingAveragePerChannelMinMax;
    return seen.empty() && !perChannel ? realsJson({none}) : realsJson(seen);
}

void addNumbers(Object& object, const ObserverInstance& instance, const CalibratedStage* calibrated)
{
    if (!calibrated) {
        for (const char* key : {"scale", "zero_point", "min", "max"})
            object.add(key, json::kNull);
        return;
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::optional<QParams>& qparams = calibrated->qparams[instance.id.value].qparams;
    const ObserverState& state = *calibrated->states[instance.id.value];
    object.add("scale", qparams ? realsJson(qparams->scale) : json::kNull);
    object.add("zero_point",
               qparams ? json::arrayOf(qparams->zeroPoint, json::integer) : json::kNull);
    object.add("min", boundJson(instance, state.minVal, kInfinity));
    object.add("max", boundJson(instance, state.maxVal, -kInfinity));
}

std::string observersJson(const PreparedGraph& prepared, const CalibratedStage* calibrated)
{
    const NodeNames names(*prepared.graph);
    std::vector<std::string> lines;
    std::map<ObserverId, std::int64_t> numbers; // instances, numbered as they are met
    for (const NodeNames::Entry& entry : names.entries()) {
        const Node& node = *entry.node;
        const ModuleRef* module = entry.graph->modules().find(node.target);
        if (!node.is(OpKind::CallModule) || !module || !module->instance)
            continue;
        const ObserverInstance& instance = prepared.instances[module->instance.value];
        const ObserverConfig& config = instance.config;
        const auto number = static_cast<std::int64_t>(numbers.size());
        const auto name = [&](NodeId id) { return json::text(names.nameOf(id)); };
        Object object;
        object.add("name", json::text(entry.name()));
        object.add("class", json::text(observerClassName(config.kind)));
        object.add("from", name(node.arg(0).node()));
        object.add("to", json::arrayOf(node.users, name));
        object.add("dtype", json::text(dtypeName(config.dtype)));
        object.add("quant_min", json::integer(config.quantMin));
        object.add("quant_max", json::integer(config.quantMax));
        object.add("qscheme", json::text(qschemeName(config.qscheme)));
        object.add("ch_axis", config.chAxis < 0 ? json::kNull : json::integer(config.chAxis));
        addNumbers(object, instance, calibrated);
        object.add("instance", json::integer(numbers.emplace(instance.id, number).first->second));
        lines.push_back(object.line());
    }
    return json::arrayLines(lines, 1);
}

std::string diffOpsJson(const Snapshot& snapshot)
{
    constexpr StageKind kStages[] = {StageKind::Exported, StageKind::Prepared,
                                     StageKind::Converted};
    std::set<std::string> names;
    std::map<StageKind, OpCounts> counts;
    for (const StageKind stage : kStages) {
        if (const GraphPtr graph = snapshot.graph(stage))
            counts[stage] = countOps(*graph);
    }
    for (const auto& [stage, ops] : counts) {
        for (const auto& [op, count] : ops)
            names.insert(op);
    }
    std::vector<std::string> lines;
    for (const std::string& op : names) {
        Object row;
        row.add("op", json::text(op));
        for (const StageKind stage : kStages) {
            const auto found = counts.find(stage);
            if (found == counts.end()) {
                row.add(stageName(stage), json::kNull);
                continue;
            }
            const auto count = found->second.find(op);
            row.add(stageName(stage),
                    json::integer(count == found->second.end() ? 0 : count->second));
        }
        lines.push_back(row.line());
    }
    return json::arrayLines(lines, 1);
}

std::string quantizerJson(const Recipe& recipe)
{
    const auto& global = recipe.quantizer.global;
    const bool isRecipe = !recipe.rules.empty() || !recipe.edits.empty()
                          || recipe.quantizer.flavor == QuantizerFlavor::None;
    return Object()
        .add("flavor", json::text(isRecipe ? "recipe" : flavorName(recipe.quantizer.flavor)))
        .add("per_channel", json::boolean(global && global->perChannel))
        .add("dynamic", json::boolean(global && global->dynamic))
        .line();
}

Result<std::string> stagesJson(const Snapshot& snapshot, const DumpOptions& options)
{
    json::GraphWriter writer(options.tensorHashes);
    Object stages;
    for (const StageKind stage : {StageKind::Exported, StageKind::Prepared, StageKind::Converted}) {
        const GraphPtr graph = snapshot.graph(stage);
        const StageKind only = options.onlyStage == StageKind::Calibrated
                                   ? StageKind::Prepared
                                   : options.onlyStage.value_or(stage);
        if (!graph || only != stage)
            continue;
        PT2E_ASSIGN(std::string text, writer.graph(*graph, 2));
        stages.add(stageName(stage), std::move(text));
    }
    return stages.lines(1);
}

/// Which step could not be done.
std::string errorJson(const Snapshot& snapshot)
{
    const char* stage = !snapshot.prepared     ? "prepare"
                        : !snapshot.calibrated ? "calibrate"
                                               : "convert";
    return Object()
        .add("stage", json::text(stage))
        .add("message", json::text(snapshot.error->message()))
        .line();
}

} // namespace

Result<std::string> dumpStages(const Snapshot& snapshot, const DumpOptions& options)
{
    if (options.onlyStage == StageKind::Annotated)
        return badInput("stage 'annotated'", "a dump has exported, prepared and converted only");
    Object object;
    object.add("format", json::text("pt2e.stages"));
    object.add("version", json::integer(1));
    object.add("quantizer", quantizerJson(snapshot.recipe));
    PT2E_ASSIGN(std::string stages, stagesJson(snapshot, options));
    object.add("stages", std::move(stages));
    std::string annotations = json::kNull, unannotated = json::kNull, sharing = json::kNull;
    if (snapshot.annotated) {
        const NodeNames names(*snapshot.annotated->folded.graph);
        annotations = annotationsJson(names, snapshot.annotated->annotations);
        unannotated = unannotatedJson(names, snapshot.annotated->annotations);
        if (snapshot.prepared)
            sharing = sharingJson(names, snapshot.prepared->sharing);
    }
    object.add("annotations", std::move(annotations));
    object.add("unannotated", std::move(unannotated));
    object.add("sharing", std::move(sharing));
    object.add("observers", snapshot.prepared
                                ? observersJson(*snapshot.prepared, snapshot.calibrated.get())
                                : json::kNull);
    object.add("diff_ops", diffOpsJson(snapshot));
    if (snapshot.error)
        object.add("error", errorJson(snapshot));
    return object.lines(0) + "\n";
}

} // namespace pt2e

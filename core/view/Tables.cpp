#include "core/view/Tables.h"

#include "core/pipeline/NodeNames.h"
#include "core/pipeline/OpCounts.h"
#include "core/view/TableCells.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace pt2e {

namespace {

std::string joined(const std::vector<std::string>& items)
{
    return fmt::format("{}", fmt::join(items, ", "));
}

/// The op as the tables name it: short, dotted for an attribute.
std::string opText(const Node& node)
{
    return node.is(OpKind::CallFunction) ? std::string(shortOpName(node.target)) : node.target;
}

} // namespace

// ---- op counts

namespace {

struct ShortCount
{
    std::int64_t count[2] = {0, 0};
    std::vector<NodeId> nodes;
};

Table opCountTable(const Graph& before, const Graph& after, StageKind first, StageKind second)
{
    std::map<std::string, ShortCount> counts;
    int side = 0;
    for (const Graph* graph : {&before, &after}) {
        for (const Node& node : *graph) {
            const std::string key = opCountKey(*graph, node);
            if (key.empty())
                continue;
            ShortCount& entry = counts[std::string(shortOpName(key))];
            ++entry.count[side];
            entry.nodes.push_back(node.id);
        }
        ++side;
    }
    Table table;
    table.id = "diff-ops";
    table.stages = {first, second};
    table.title = fmt::format("op counts: {} to {}", stageName(first), stageName(second));
    table.columns = {"op", std::string(stageName(first)), std::string(stageName(second)), "delta"};
    for (const bool changed : {true, false}) {
        for (const auto& [op, entry] : counts) {
            const std::int64_t delta = entry.count[1] - entry.count[0];
            if ((delta != 0) != changed)
                continue;
            table.rows.push_back(
                {{textCell(op), countCell(entry.count[0]), countCell(entry.count[1]),
                  countCell(delta, fmt::format("{:+}", delta))},
                 entry.nodes});
            if (delta == 0)
                table.rows.back().cells.back().text = "0";
        }
    }
    return table;
}

} // namespace

std::vector<Table> opCountTables(const Snapshot& snapshot)
{
    std::vector<Table> tables;
    constexpr StageKind kStages[] = {StageKind::Exported, StageKind::Prepared,
                                     StageKind::Converted};
    for (std::size_t i = 0; i + 1 < std::size(kStages); ++i) {
        const GraphPtr before = snapshot.graph(kStages[i]);
        const GraphPtr after = snapshot.graph(kStages[i + 1]);
        if (before && after)
            tables.push_back(opCountTable(*before, *after, kStages[i], kStages[i + 1]));
    }
    return tables;
}

// ---- observers

std::string qparamsText(const PreparedGraph& prepared, const CalibratedStage* calibrated,
                        ObserverId observer)
{
    if (prepared.instances[observer.value].config.kind == ObserverKind::Placeholder)
        return "dynamic";
    if (!calibrated)
        return "not calibrated";
    if (const auto& error = calibrated->errors[observer.value])
        return "none: " + error->what;
    const QParamsResult& result = calibrated->qparams[observer.value];
    if (!result.hasData || !result.qparams || result.qparams->scale.empty()
        || result.qparams->zeroPoint.empty())
        return "not calibrated";
    const QParams& qparams = *result.qparams;
    std::string text =
        fmt::format("scale={:.4g} zp={}", qparams.scale.front(), qparams.zeroPoint.front());
    if (isPerChannel(prepared.instances[observer.value].config.qscheme))
        text += fmt::format(" (per-channel, n={})", qparams.scale.size());
    return text;
}

Table observerTable(const Snapshot& snapshot)
{
    Table table;
    table.id = "observers";
    table.title = "observers";
    table.stages = {StageKind::Prepared};
    table.columns = {"observer", "type", "from", "to", "qparams"};
    if (!snapshot.prepared)
        return table;
    const NodeNames names(*snapshot.prepared->graph);
    for (const NodeNames::Entry& entry : names.entries()) {
        const Node& node = *entry.node;
        const ModuleRef* module = entry.graph->modules().find(node.target);
        if (!node.is(OpKind::CallModule) || !module || !module->instance)
            continue;
        std::vector<std::string> users;
        for (const NodeId user : node.users)
            users.push_back(names.nameOf(user));
        table.rows.push_back({{textCell(entry.name()), textCell(module->className),
                               textCell(names.nameOf(node.arg(0).node())), textCell(joined(users)),
                               textCell(qparamsText(*snapshot.prepared, snapshot.calibrated.get(),
                                                    module->instance))},
                              {node.id}});
    }
    return table;
}

// ---- annotations

std::string_view specWord(const Spec& spec)
{
    constexpr std::string_view kWords[] = {"NoneType", "Spec", "FixedSpec", "SharedSpec",
                                           "DerivedSpec"};
    return kWords[spec.index()];
}

namespace {

Table annotationTableOf(const Graph& graph, const AnnotationTable& annotations, std::string title)
{
    Table table;
    table.id = "annotations";
    table.title = std::move(title);
    table.columns = {"node", "op", "inputs", "output"};
    const NodeNames names(graph);
    for (const NodeNames::Entry& entry : names.entries()) {
        const Annotation* annotation = annotations.find(entry.node->id);
        if (!annotation)
            continue;
        std::vector<std::string> inputs;
        for (const auto& [input, spec] : annotation->inputs)
            inputs.push_back(fmt::format("{}:{}", names.nameOf(input), specWord(spec)));
        table.rows.push_back({{textCell(entry.name()), textCell(opText(*entry.node)),
                               textCell(inputs.empty() ? "-" : joined(inputs)),
                               textCell(std::string(specWord(annotation->output)))},
                              {entry.node->id}});
    }
    return table;
}

} // namespace

Table annotationTable(const Snapshot& snapshot)
{
    if (!snapshot.annotated) {
        Table table = annotationTableOf(Graph(), {}, "annotations");
        table.stages = {StageKind::Annotated};
        return table;
    }
    Table table = annotationTableOf(*snapshot.annotated->folded.graph,
                                    snapshot.annotated->annotations, "annotations");
    table.stages = {StageKind::Annotated, StageKind::Prepared};
    return table;
}

Result<Table> rawAnnotationTable(const Snapshot& snapshot)
{
    PT2E_ASSIGN(const AnnotationTable raw,
                annotate(*snapshot.model->exported, snapshot.recipe.quantizer));
    Table table = annotationTableOf(*snapshot.model->exported, raw,
                                    "annotations (quantizer.annotate on the exported graph)");
    table.stages = {StageKind::Exported};
    return table;
}

Table unannotatedTable(const Snapshot& snapshot)
{
    Table table;
    table.id = "unannotated";
    table.title = "not quantized";
    table.stages = {StageKind::Annotated, StageKind::Prepared, StageKind::Converted};
    table.columns = {"name", "op", "reason", "root"};
    if (!snapshot.annotated)
        return table;
    const NodeNames names(*snapshot.annotated->folded.graph);
    for (const WhyNot& why : snapshot.annotated->unannotated) {
        const NodeNames::Entry* entry = names.entry(why.node);
        table.rows.push_back(
            {{textCell(names.nameOf(why.node)),
              textCell(entry ? opText(*entry->node) : "?"),
              {why.reason.text(), {}, false, std::make_shared<const Reason>(why.reason)},
              textCell(why.root ? names.nameOf(why.root) : "-")},
             {why.node}});
    }
    return table;
}

// ---- sharing

Table sharingTable(const Snapshot& snapshot)
{
    Table table;
    table.id = "sharing";
    table.title = "observer sharing";
    table.stages = {StageKind::Annotated, StageKind::Prepared};
    table.columns = {"group", "type", "points"};
    if (!snapshot.prepared || !snapshot.annotated)
        return table;
    const NodeNames names(*snapshot.annotated->folded.graph);
    const SharingGroups& sharing = snapshot.prepared->sharing;
    for (const std::vector<Point>& group : sharing.groups()) {
        const Spec* first = group.empty() ? nullptr : sharing.specAt(group.front());
        if (!first || isNone(*first))
            continue;
        TableRow row;
        std::vector<std::string> points;
        for (const Point& point : group) {
            points.push_back(names.pointText(point));
            row.nodes.push_back(point.isEdge() ? point.user : point.node);
        }
        const auto* observed = std::get_if<ObservedSpec>(first);
        row.cells = {countCell(static_cast<std::int64_t>(table.rows.size())),
                     textCell(observed ? std::string(observerClassName(observed->observer.kind))
                                       : std::string(specWord(*first))),
                     textCell(joined(points))};
        table.rows.push_back(std::move(row));
    }
    return table;
}

// ---- coverage, problems

namespace {

/// Nothing of something is said in words, too: no one should overlook it.
std::string shareText(std::int64_t part, std::int64_t all, double share)
{
    if (all == 0)
        return "-";
    return part == 0 ? "0 % (none!)" : fmt::format("{:.0f} %", share);
}

} // namespace

Table coverageTable(const Snapshot& snapshot)
{
    Table table;
    table.id = "coverage";
    table.title = "coverage";
    table.stages = {StageKind::Annotated};
    table.columns = {"what", "quantized", "all", "share"};
    if (!snapshot.annotated)
        return table;
    const Coverage& c = snapshot.annotated->coverage;
    const auto add = [&](const char* what, std::int64_t part, std::int64_t all) {
        const double share =
            all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
        table.rows.push_back({{textCell(what),
                               countCell(part),
                               countCell(all),
                               {shareText(part, all, share), share, true}},
                              {}});
    };
    add("ops", c.opsQuantized, c.ops);
    add("MACs", c.macsQuantized, c.macs);
    add("weight bytes", c.weightBytesQuantized, c.weightBytes);
    return table;
}

Table problemsTable(const Snapshot& snapshot)
{
    Table table;
    table.id = "problems";
    table.title = "problems";
    table.columns = {"severity", "place", "message", "code"};
    table.stages = {StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                    StageKind::Converted};
    std::map<std::string, NodeId> ids;
    for (const StageKind stage : table.stages) {
        if (const GraphPtr graph = snapshot.graph(stage)) {
            const NodeNames names(*graph);
            for (const NodeNames::Entry& entry : names.entries())
                ids.emplace(entry.name(), entry.node->id);
        }
    }
    for (const Diagnostic& problem : snapshot.diagnostics) {
        constexpr const char* kSeverity[] = {"note", "warning", "error"};
        TableRow row;
        row.cells = {wordCell(kSeverity[static_cast<int>(problem.severity)]),
                     textCell(problem.node.empty() ? problem.place : problem.node),
                     textCell(problem.message), textCell(problem.code)};
        if (const auto id = ids.find(problem.node); id != ids.end())
            row.nodes.push_back(id->second);
        table.rows.push_back(std::move(row));
    }
    if (snapshot.error && snapshot.error->code != ErrorCode::Cancelled) {
        table.rows.push_back({{wordCell("error"), textCell(snapshot.error->where),
                               textCell(snapshot.error->what), textCell("stage-failed")},
                              {}});
    }
    return table;
}

} // namespace pt2e

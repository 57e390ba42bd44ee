// Two recipes on one model, side by side.
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/SpecJson.h"
#include "core/view/Tables.h"

#include <algorithm>
#include <unordered_map>

namespace pt2e {

namespace {

/// Nodes of both graphs by id: what one quantizer's transform removes or adds stands in the other graph only.
class BothNames
{
public:
    BothNames(const AnnotatedStage& here, const AnnotatedStage& there)
        : m_here(*here.folded.graph),
          m_there(*there.folded.graph)
    {}
    const NodeNames::Entry* entry(NodeId node) const
    {
        const NodeNames::Entry* found = m_here.entry(node);
        return found ? found : m_there.entry(node);
    }
    std::string pointText(const Point& point) const
    {
        const bool isHere =
            m_here.entry(point.node) && (!point.isEdge() || m_here.entry(point.user));
        return isHere ? m_here.pointText(point) : m_there.pointText(point);
    }
    const NodeNames& here() const { return m_here; }
    const NodeNames& there() const { return m_there; }
    /// Of this graph in its order, then what only the other one has.
    std::vector<NodeId> nodes() const
    {
        std::vector<NodeId> all;
        for (const NodeNames::Entry& entry : m_here.entries())
            all.push_back(entry.node->id);
        for (const NodeNames::Entry& entry : m_there.entries()) {
            if (!m_here.entry(entry.node->id))
                all.push_back(entry.node->id);
        }
        return all;
    }

private:
    NodeNames m_here;
    NodeNames m_there;
};

/// All points of a node that either table says something about: inputs in map order, then the output.
std::vector<Point> annotatedPoints(NodeId node, const AnnotationTable& a, const AnnotationTable& b)
{
    std::vector<Point> points;
    for (const AnnotationTable* table : {&a, &b}) {
        const Annotation* annotation = table->find(node);
        for (std::size_t i = 0; annotation && i < annotation->inputs.size(); ++i) {
            const Point point = Point::edge(annotation->inputs[i].first, node);
            if (std::find(points.begin(), points.end(), point) == points.end())
                points.push_back(point);
        }
    }
    points.push_back(Point::output(node));
    return points;
}

const Spec& specAt(const AnnotationTable& table, const Point& point)
{
    static const Spec kNone;
    const Annotation* annotation = table.find(point.isEdge() ? point.user : point.node);
    if (!annotation)
        return kNone;
    if (!point.isEdge())
        return annotation->output;
    const Spec* spec = annotation->input(point.node);
    return spec ? *spec : kNone;
}

/// One quantizer's half of a row.
class Half
{
public:
    Half(const AnnotatedStage& stage, const NodeNames& names) : m_stage(stage), m_names(names)
    {
        for (const WhyNot& why : stage.unannotated)
            m_reasons.emplace(why.node, &why);
    }
    bool leavesOut(NodeId node) const { return m_reasons.contains(node); }
    void addCells(NodeId node, TableRow& row) const
    {
        const auto found = m_reasons.find(node);
        if (found == m_reasons.end()) {
            row.cells.push_back(takenCell(node));
            row.cells.push_back({"-", {}, false});
            return;
        }
        const WhyNot& why = *found->second;
        row.cells.push_back(
            {why.reason.text(), {}, false, std::make_shared<const Reason>(why.reason)});
        row.cells.push_back({why.root ? m_names.nameOf(why.root) : "-", {}, false});
    }

private:
    Cell takenCell(NodeId node) const
    {
        if (!m_names.entry(node))
            return {"removed as dead code", {}, false, {}, "removed as dead code"};
        const Annotation* annotation = m_stage.annotations.find(node);
        if (!annotation || annotation->rule.empty())
            return {"quantized", {}, false, {}, "quantized"};
        return {"quantized: " + annotation->rule, {}, false, {}, "quantized: %1", annotation->rule};
    }

    const AnnotatedStage& m_stage;
    const NodeNames& m_names;
    std::unordered_map<NodeId, const WhyNot*> m_reasons;
};

} // namespace

Table againstTable(const AnnotatedStage& here, const AnnotatedStage& there,
                   const std::string& thereName)
{
    const BothNames names(here, there);
    Table table;
    table.id = "against";
    table.title = "annotations against " + thereName;
    table.stages = {StageKind::Annotated, StageKind::Prepared};
    table.columns = {"point", "here", thereName};
    const auto pointText = [&](const Point& point) { return names.pointText(point); };
    for (const NodeId node : names.nodes()) {
        for (const Point& point : annotatedPoints(node, here.annotations, there.annotations)) {
            const Spec& ours = specAt(here.annotations, point);
            const Spec& theirs = specAt(there.annotations, point);
            if (ours == theirs)
                continue;
            // The same kind twice says nothing: then the specs are written out.
            const bool sameKind = ours.index() == theirs.index();
            const auto text = [&](const Spec& spec) {
                return sameKind ? json::spec(spec, pointText) : std::string(specWord(spec));
            };
            table.rows.push_back({{{pointText(point), {}, false},
                                   {text(ours), {}, false},
                                   {text(theirs), {}, false}},
                                  {point.isEdge() ? point.user : point.node}});
        }
    }
    return table;
}

Table unannotatedAgainst(const AnnotatedStage& here, const std::string& hereName,
                         const AnnotatedStage& there, const std::string& thereName)
{
    const BothNames names(here, there);
    const Half left(here, names.here());
    const Half right(there, names.there());
    Table table;
    table.id = "unannotated";
    table.title = "not quantized: " + hereName + " and " + thereName;
    table.stages = {StageKind::Annotated, StageKind::Prepared, StageKind::Converted};
    table.columns = {"name", "op", hereName, hereName + " root", thereName, thereName + " root"};
    for (const NodeId node : names.nodes()) {
        if (!left.leavesOut(node) && !right.leavesOut(node))
            continue;
        const NodeNames::Entry* entry = names.entry(node);
        TableRow row;
        row.nodes = {node};
        row.cells = {{entry->name(), {}, false},
                     {std::string(shortOpName(entry->node->target)), {}, false}};
        left.addCells(node, row);
        right.addCells(node, row);
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace pt2e

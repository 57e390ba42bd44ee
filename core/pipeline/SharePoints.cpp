#include "core/pipeline/SharePoints.h"

#include "core/pipeline/Edits.h"

#include <algorithm>

namespace pt2e {

namespace {

bool isObserver(const Node* node) { return node && node->is(OpKind::CallModule); }

std::optional<ObserverId> instanceAt(const PreparedGraph* prepared,
                                     const std::vector<Point>& points)
{
    for (const Point& point : points) {
        if (!prepared)
            break;
        if (const auto it = prepared->instanceOf.find(point); it != prepared->instanceOf.end())
            return it->second;
    }
    return std::nullopt;
}

Edit sharingEdit(const Point& from, const Point& with, const NodeNames& names)
{
    Edit edit;
    edit.at = namedPoint(from, names);
    edit.spec.kind = EditSpec::Kind::Shared;
    edit.spec.sharedWith = namedPoint(with, names);
    return edit;
}

bool isPossible(const std::vector<EditConflict>& conflicts)
{
    return std::none_of(conflicts.begin(), conflicts.end(), [](const EditConflict& conflict) {
        return conflict.severity == Severity::Error;
    });
}

} // namespace

std::vector<Point> pointsOfObserver(const PreparedGraph& prepared, const Graph& graph,
                                    NodeId observer)
{
    const Node* node = graph.find(observer);
    const ModuleRef* module = isObserver(node) ? graph.modules().find(node->target) : nullptr;
    if (!module)
        return {};
    // Behind another observer it stands on an edge: the value comes from further up.
    const Node* source = graph.find(node->arg(0).node());
    while (isObserver(source))
        source = graph.find(source->arg(0).node());
    std::vector<Point> points;
    const auto add = [&](const Point& point) {
        const auto it = prepared.instanceOf.find(point);
        if (it != prepared.instanceOf.end() && it->second == module->instance)
            points.push_back(point);
    };
    if (!source)
        return points;
    add(Point::output(source->id));
    for (const NodeId user : node->users)
        add(Point::edge(source->id, user));
    return points;
}

ShareCheck checkSharing(const AnnotatedStage& stage, const PreparedGraph* prepared,
                        const Recipe& recipe, const std::vector<Point>& from,
                        const std::vector<Point>& with)
{
    ShareCheck check;
    const auto own = instanceAt(prepared, from), other = instanceAt(prepared, with);
    if (own && own == other) {
        check.isShared = true;
        return check;
    }
    const NodeNames names(*stage.folded.graph);
    for (const Point& point : from) {
        for (const Point& target : with) {
            const Edit edit = sharingEdit(point, target, names);
            std::vector<EditConflict> conflicts = conflictsOf(stage, recipe, edit);
            if (isPossible(conflicts)) {
                check.edit = edit;
                check.conflicts = std::move(conflicts);
                return check;
            }
            if (check.conflicts.empty()) // what is asked for first is what one wants to know about
                check.conflicts = std::move(conflicts);
        }
    }
    return check;
}

} // namespace pt2e

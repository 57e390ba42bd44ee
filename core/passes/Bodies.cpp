#include "core/passes/Bodies.h"

#include "core/quant/Bodies.h"

namespace pt2e {

Result<GraphPtr> inBodies(const GraphPtr& graph, const std::string& around, const BodyStep& step)
{
    const std::vector<std::string> names = visitedBodies(*graph);
    if (names.empty())
        return graph;
    GraphEditor editor{Graph(*graph)};
    for (const std::string& name : names) {
        GraphEditor start{Graph(**graph->subgraphs().find(name))};
        start.setNextId(editor.nextId());
        PT2E_ASSIGN(const GraphPtr after, step(std::move(start).publish(), around + name));
        editor.setNextId(GraphEditor{Graph(*after)}.nextId());
        editor.setSubgraph(name, after);
    }
    return std::move(editor).publish();
}

} // namespace pt2e

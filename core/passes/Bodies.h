// Passes on the bodies of loops: the same steps as on the graph around them.
#pragma once

#include "core/passes/PassRun.h"

namespace pt2e {

/// Runs `step` on every body that quantization visits (visitedBodies) and puts what it gives into the graph. `path` is
/// that of the body: `around` is "" or the path of `graph` itself with a slash ("body/"). Ids of new nodes are unique
/// over all graphs. `step` goes into bodies of bodies by itself.
using BodyStep = std::function<Result<GraphPtr>(const GraphPtr& body, const std::string& path)>;
Result<GraphPtr> inBodies(const GraphPtr& graph, const std::string& around, const BodyStep& step);

/// runPasses on a body: its records say where they come from.
template<typename State>
Result<GraphPtr> runPassesOn(const GraphPtr& graph, const std::string& path,
                             std::span<const Pass<State>> passes, State& state,
                             PassRecords& records, const JobContext& context)
{
    const std::size_t before = records.size();
    PT2E_ASSIGN(GraphPtr after, runPasses(graph, passes, state, records, context));
    for (std::size_t i = before; i < records.size(); ++i)
        records[i].body = path;
    return after;
}

} // namespace pt2e

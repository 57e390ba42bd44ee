// Running a list of passes: time, node delta, lint and what was removed, the same for all of them.
#pragma once

#include "core/base/JobContext.h"
#include "core/ir/GraphEditor.h"
#include "core/passes/Pass.h"

#include <functional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace pt2e {

/// Which node took over a removed one; passes fill it in, RemovedNode::into comes from it.
using Successors = std::unordered_map<NodeId, NodeId>;

/// A pass over some state: a free function with a name. The lists stand in Catalogue.cpp.
template<typename State>
struct Pass
{
    std::string_view name;
    Result<void> (*run)(GraphEditor& editor, State& state);
};

/// Runs one pass on a copy of the graph and records it; the error of a pass, or of lint after it, names the pass.
Result<GraphPtr> runPass(const GraphPtr& graph, std::string_view name,
                         const std::function<Result<void>(GraphEditor&)>& pass,
                         const Successors& successors, PassRecords& records);

/// State has a member `Successors successors`.
template<typename State>
Result<GraphPtr> runPasses(GraphPtr graph, std::span<const Pass<State>> passes, State& state,
                           PassRecords& records, const JobContext& context)
{
    for (const Pass<State>& pass : passes) {
        PT2E_TRY(context.checkpoint());
        PT2E_ASSIGN(graph, runPass(
                               graph, pass.name,
                               [&](GraphEditor& editor) { return pass.run(editor, state); },
                               state.successors, records));
    }
    return graph;
}

} // namespace pt2e

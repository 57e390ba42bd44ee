#include "core/passes/Convert.h"

#include "core/passes/Bodies.h"
#include "core/passes/Catalogue.h"

namespace pt2e {

namespace {

/// Origins tell how a node came to be in its stage; what prepare found is the same node here.
GraphPtr withoutOrigins(const GraphPtr& graph)
{
    GraphEditor editor{Graph(*graph)};
    for (NodeId id : editor.graph().order()) {
        if (!(editor.graph().node(id).origin == Origin{}))
            editor.setOrigin(id, {});
    }
    return std::move(editor).publish();
}

/// The bodies that quantization visits, then the graph around them, as in torchao; path is "" or "body".
Result<GraphPtr> convertGraph(const GraphPtr& graph, const std::string& path, ConvertState& state,
                              PassRecords& records, const JobContext& context)
{
    const std::string around = path.empty() ? "" : path + "/";
    PT2E_ASSIGN(const GraphPtr start,
                inBodies(withoutOrigins(graph), around,
                         [&](const GraphPtr& body, const std::string& bodyPath) {
                             return convertGraph(body, bodyPath, state, records, context);
                         }));
    state.around = around;
    return runPassesOn(start, path, kConvertPasses, state, records, context);
}

} // namespace

Result<ConvertedGraph> convert(const PreparedGraph& prepared, const AnnotationTable& annotations,
                               const std::unordered_map<std::string, std::string>& scopeOf,
                               const std::function<Result<QParamsResult>(ObserverId)>& qparamsOf,
                               const ConvertOptions& options, const JobContext& context)
{
    ConvertedGraph converted;
    ConvertState state{prepared, annotations, scopeOf, {}, qparamsOf, options, {}, {}};
    PT2E_ASSIGN(converted.graph,
                convertGraph(prepared.graph, "", state, converted.passes, context));
    converted.diagnostics = std::move(state.diagnostics);
    return converted;
}

} // namespace pt2e

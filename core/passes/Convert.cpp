#include "core/passes/Convert.h"

#include "core/passes/Catalogue.h"

namespace pt2e {

Result<ConvertedGraph> convert(const PreparedGraph& prepared, const AnnotationTable& annotations,
                               const std::unordered_map<std::string, std::string>& scopeOf,
                               const std::function<Result<QParamsResult>(ObserverId)>& qparamsOf,
                               const ConvertOptions& options, const JobContext& context)
{
    // Origins tell how a node came to be in its stage; what prepare found is the same node here.
    GraphEditor editor{Graph(*prepared.graph)};
    for (NodeId id : editor.graph().order())
        editor.setOrigin(id, {});
    const GraphPtr start = std::move(editor).publish();

    ConvertedGraph converted;
    ConvertState state{prepared, annotations, scopeOf, qparamsOf, options, {}, {}};
    PT2E_ASSIGN(converted.graph,
                runPasses(start, kConvertPasses, state, converted.passes, context));
    converted.diagnostics = std::move(state.diagnostics);
    return converted;
}

} // namespace pt2e

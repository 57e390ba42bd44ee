#include "core/passes/Bodies.h"
#include "core/passes/Catalogue.h"

namespace pt2e {

namespace {

/// node_name_to_scope: the last component of the innermost module's path. Taken before folding.
std::string scopeOfNode(const Node& node)
{
    if (!node.fileMeta || node.fileMeta->moduleStack.empty())
        return {};
    const std::string& path = node.fileMeta->moduleStack.back().path;
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? path : path.substr(dot + 1);
}

/// One graph, then the bodies that quantization visits; path is "" or "body".
Result<GraphPtr> foldGraph(const GraphPtr& graph, const std::string& path,
                           const QuantizerSettings& settings, FoldedGraph& folded,
                           const JobContext& context)
{
    const std::string around = path.empty() ? "" : path + "/";
    for (const Node& node : *graph)
        folded.scopeOf.emplace(around + node.name, scopeOfNode(node));
    FoldState state{settings, {}, {}};
    PT2E_ASSIGN(const GraphPtr after,
                runPassesOn(graph, path, kFoldPasses, state, folded.passes, context));
    for (Diagnostic& diagnostic : state.diagnostics) {
        diagnostic.node = diagnostic.node.empty() ? "" : around + diagnostic.node;
        folded.diagnostics.push_back(std::move(diagnostic));
    }
    return inBodies(after, around, [&](const GraphPtr& body, const std::string& bodyPath) {
        if (folded.bodyError)
            return Result<GraphPtr>(body);
        auto inside = foldGraph(body, bodyPath, settings, folded, context);
        if (inside || inside.error().code == ErrorCode::Cancelled)
            return inside;
        folded.bodyError = inside.error();
        folded.bodyError->where = "'" + bodyPath + "': " + folded.bodyError->where;
        return Result<GraphPtr>(body);
    });
}

} // namespace

Result<void> transformPass(GraphEditor& editor, FoldState& state)
{
    return transformForAnnotation(editor, state.settings);
}

Result<FoldedGraph> foldForAnnotation(const GraphPtr& exported, const QuantizerSettings& settings,
                                      const JobContext& context)
{
    FoldedGraph folded;
    PT2E_ASSIGN(folded.graph, foldGraph(exported, "", settings, folded, context));
    return folded;
}

} // namespace pt2e

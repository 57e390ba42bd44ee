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

} // namespace

Result<void> transformPass(GraphEditor& editor, FoldState& state)
{
    return transformForAnnotation(editor, state.settings);
}

Result<FoldedGraph> foldForAnnotation(const GraphPtr& exported, const QuantizerSettings& settings,
                                      const JobContext& context)
{
    FoldedGraph folded;
    for (const Node& node : *exported)
        folded.scopeOf.emplace(node.name, scopeOfNode(node));
    FoldState state{settings, {}, {}};
    PT2E_ASSIGN(folded.graph, runPasses(exported, kFoldPasses, state, folded.passes, context));
    folded.diagnostics = std::move(state.diagnostics);
    return folded;
}

} // namespace pt2e

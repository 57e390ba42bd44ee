#include "core/pipeline/Save.h"

#include "core/ir/GraphEditor.h"
#include "core/pipeline/AnnotationMeta.h"
#include "core/pipeline/NodeNames.h"

#include <unordered_map>

namespace pt2e {

namespace {

Result<void> save(const std::string& path, const Graph& graph, const Model& model,
                  const WriteOptions& options)
{
    return writeProgram(path, graph, model.examples.empty() ? Values() : model.examples.front(),
                        options);
}

/// The annotations of the folded graph, for the calls that the exported one has too.
class Annotating
{
public:
    explicit Annotating(const AnnotatedStage& stage)
        : m_annotations(stage.annotations),
          m_names(*stage.folded.graph)
    {
        for (const NodeNames::Entry& entry : m_names.entries()) {
            const Node& node = *entry.node;
            const Annotation* annotation = m_annotations.find(node.id);
            if (annotation && !node.is(OpKind::CallFunction) && !node.users.empty())
                m_operands[node.users.front()].emplace_back(node.id, annotation);
        }
    }

    GraphPtr run(const Graph& exported) const
    {
        GraphEditor editor{Graph(exported)};
        for (const NodeId id : editor.graph().order()) {
            const Node& node = editor.graph().node(id);
            const Annotation* annotation = m_annotations.find(id);
            const auto operands = m_operands.find(id);
            if (node.is(OpKind::CallFunction) && (annotation || operands != m_operands.end()))
                editor.setFileMeta(id, withAnnotation(node.fileMeta, m_names, annotation,
                                                      operands == m_operands.end()
                                                          ? OperandAnnotations()
                                                          : operands->second));
        }
        for (const auto& [name, body] : exported.subgraphs())
            editor.setSubgraph(name, run(*body));
        return std::move(editor).publish();
    }

private:
    const AnnotationTable& m_annotations;
    NodeNames m_names;
    std::unordered_map<NodeId, OperandAnnotations> m_operands;
};

} // namespace

GraphPtr withAnnotations(const Snapshot& annotatedModel)
{
    return Annotating(*annotatedModel.annotated).run(*annotatedModel.model->exported);
}

Result<void> saveConverted(const std::string& path, const Snapshot& snapshot)
{
    return save(path, *reexported(snapshot), *snapshot.model, snapshot.model->fileOptions);
}

Result<void> saveAnnotated(const std::string& path, const Snapshot& snapshot)
{
    WriteOptions options = snapshot.model->fileOptions;
    options.custom = withQuantizer(options.custom, snapshot.recipe.quantizer);
    return save(path, *withAnnotations(snapshot), *snapshot.model, options);
}

} // namespace pt2e

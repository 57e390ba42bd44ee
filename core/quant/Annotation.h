// Annotations as a side table: editing them never touches the graph.
#pragma once

#include "core/ir/Graph.h"
#include "core/quant/Spec.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pt2e {

/// What Annotation::rule starts with where a rule of the recipe wrote it: "rule 2".
inline constexpr std::string_view kRecipeRule = "rule ";

/// torchao's QuantizationAnnotation of one node.
struct Annotation
{
    std::vector<std::pair<NodeId, Spec>> inputs; ///< input_qspec_map in insertion order
    Spec output; ///< output_qspec
    bool allowImplicitSharing = true;
    bool isAnnotated = false; ///< _annotated
    std::string
        rule; ///< ours: the annotator that wrote it ("conv_relu", "propagate"), "rule 2" of the recipe, or "edit"

    Spec* input(NodeId node);
    const Spec* input(NodeId node) const;
    /// input_qspec_map[node] = spec
    void setInput(NodeId node, Spec spec);
    /// torchao's "valid annotation": some input entry, or an output spec.
    bool isValid() const { return !inputs.empty() || !isNone(output); }
};

class AnnotationTable
{
public:
    const Annotation* find(NodeId node) const;
    Annotation* find(NodeId node);
    /// The node's annotation, created empty if there is none.
    Annotation& at(NodeId node) { return m_annotations[node]; }
    void erase(NodeId node) { m_annotations.erase(node); }
    bool isAnnotated(NodeId node) const
    {
        const Annotation* a = find(node);
        return a && a->isAnnotated;
    }
    bool hasValid(NodeId node) const
    {
        const Annotation* a = find(node);
        return a && a->isValid();
    }
    std::size_t size() const { return m_annotations.size(); }

private:
    std::unordered_map<NodeId, Annotation> m_annotations;
};

} // namespace pt2e

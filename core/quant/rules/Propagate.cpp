#include "core/quant/rules/Rules.h"

namespace pt2e::rules {

void propagate(const Graph& graph, AnnotationTable& annotations,
               std::span<const std::string_view> shareList)
{
    for (const Node& node : graph) {
        if (!isOneOf(node, shareList) || annotations.isAnnotated(node.id))
            continue;
        const NodeId input = node.arg(0).node();
        const Annotation* producer = input ? annotations.find(input) : nullptr;
        if (!producer || isNone(producer->output))
            continue;
        const SharedSpec shared{Point::output(input)};
        annotations.at(node.id) = Annotation{{{input, shared}}, shared, true, true, "propagate"};
    }
}

} // namespace pt2e::rules

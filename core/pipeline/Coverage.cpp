#include "core/pipeline/Coverage.h"

#include <algorithm>
#include <set>

namespace pt2e {

namespace {

const TensorMeta* metaOf(const Graph& graph, const Argument& argument)
{
    const Node* node = argument.node() ? graph.find(argument.node()) : nullptr;
    return node ? node->val.tensor() : nullptr;
}

std::int64_t sizeOf(const SymInt& size) { return size.isSymbolic() ? 1 : size.value(); }

std::int64_t product(const std::vector<SymInt>& shape, std::size_t first = 0)
{
    std::int64_t elements = 1;
    for (std::size_t i = first; i < shape.size(); ++i)
        elements *= sizeOf(shape[i]);
    return elements;
}

} // namespace

std::int64_t macsOf(const Graph& graph, const Node& node)
{
    if (!node.is(OpKind::CallFunction))
        return 0;
    const std::string_view op = shortOpName(node.target);
    const TensorMeta* out = node.val.tensor();
    const TensorMeta* first = metaOf(graph, node.arg(0));
    const TensorMeta* second = metaOf(graph, node.arg(1));
    if (!out || !first)
        return 0;
    if (op.starts_with("conv_transpose"))
        return second ? product(first->shape) * product(second->shape, 1) : 0;
    if (op == "conv1d" || op == "conv2d" || op == "conv3d" || op == "convolution")
        return second ? product(out->shape) * product(second->shape, 1) : 0;
    const bool isAddmm = op == "addmm" || op == "baddbmm"; // the matrix is argument 1
    const TensorMeta* left = isAddmm ? second : first;
    if (isAddmm || op == "linear" || op == "matmul" || op == "mm" || op == "bmm" || op == "mv"
        || op == "dot") {
        return left && !left->shape.empty() ? product(out->shape) * sizeOf(left->shape.back()) : 0;
    }
    return 0;
}

namespace {

class WeightWalk
{
public:
    WeightWalk(const Graph& graph, const AnnotationTable& annotations)
        : m_graph(graph),
          m_annotations(annotations)
    {}

    /// True if everything that reads the value reads it through a static observer, or computes another
    /// constant of which that is true: convert then folds it to int8 and drops the float bytes.
    bool isStoredAsInt8(const Node& node) const
    {
        if (node.users.empty())
            return false;
        return std::all_of(node.users.begin(), node.users.end(), [&](NodeId user) {
            const Node& reader = m_graph.node(user);
            return isQuantized(node.id, user)
                   || (isConstant(reader) && !m_annotations.hasValid(user)
                       && isStoredAsInt8(reader));
        });
    }

private:
    bool isQuantized(NodeId node, NodeId user) const
    {
        const Annotation* annotation = m_annotations.find(user);
        const Spec* spec = annotation ? annotation->input(node) : nullptr;
        if (!spec || isNone(*spec))
            return false;
        const auto* observed = std::get_if<ObservedSpec>(spec);
        return !observed || !observed->isDynamic;
    }
    /// A call all of whose tensor inputs are constants.
    bool isConstant(const Node& node) const
    {
        if (!node.is(OpKind::CallFunction))
            return node.is(OpKind::GetAttr);
        const std::vector<NodeId> inputs = node.inputs();
        return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) {
            return isConstant(m_graph.node(input));
        });
    }

    const Graph& m_graph;
    const AnnotationTable& m_annotations;
};

void addWeights(Coverage& coverage, const Graph& graph, const AnnotationTable& annotations)
{
    const WeightWalk walk(graph, annotations);
    std::set<std::string> floats;
    std::set<std::string> stored;
    for (const Node& node : graph) {
        if (!node.is(OpKind::GetAttr))
            continue;
        const Attribute* attribute = graph.attributes().find(node.target);
        if (!attribute || attribute->kind != AttributeKind::Parameter || !attribute->value.isValid()
            || !isFloatingPoint(attribute->value.dtype()))
            continue;
        // One parameter may be read by several get_attr nodes: it is int8 only if it is so in all.
        if (!walk.isStoredAsInt8(node))
            floats.insert(node.target);
        stored.insert(node.target);
    }
    for (const std::string& name : stored) {
        const auto bytes =
            static_cast<std::int64_t>(graph.attributes().find(name)->value.byteCount());
        coverage.weightBytes += bytes;
        coverage.weightBytesQuantized += floats.contains(name) ? 0 : bytes;
    }
}

void add(Coverage& coverage, const Graph& graph, const AnnotationTable& annotations)
{
    for (const Node& node : graph) {
        if (!node.is(OpKind::CallFunction) || node.target == "getitem")
            continue;
        const bool isQuantized = annotations.hasValid(node.id);
        const std::int64_t macs = macsOf(graph, node);
        ++coverage.ops;
        coverage.opsQuantized += isQuantized ? 1 : 0;
        coverage.macs += macs;
        coverage.macsQuantized += isQuantized ? macs : 0;
    }
    addWeights(coverage, graph, annotations);
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            add(coverage, *body, annotations);
    }
}

} // namespace

Coverage coverageOf(const Graph& graph, const AnnotationTable& annotations)
{
    Coverage coverage;
    add(coverage, graph, annotations);
    return coverage;
}

} // namespace pt2e

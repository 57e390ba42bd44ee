#include "core/analysis/GraphVariants.h"

#include "core/ir/GraphEditor.h"
#include "core/passes/Qdq.h"
#include "core/pipeline/Pipeline.h"

#include <algorithm>
#include <unordered_set>

namespace pt2e {

bool isConstant(const Graph& graph, NodeId id, std::unordered_map<NodeId, bool>& known)
{
    if (const auto found = known.find(id); found != known.end())
        return found->second;
    const Node& node = graph.node(id);
    const std::vector<NodeId> inputs = node.inputs();
    const bool result = node.is(OpKind::GetAttr)
                        || (node.is(OpKind::CallFunction) && !inputs.empty()
                            && std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) {
                                   return isConstant(graph, input, known);
                               }));
    known.emplace(id, result);
    return result;
}

namespace {

const Tensor* attributeOf(const Graph& graph, const Argument& argument)
{
    const Node* node = argument.node() ? graph.find(argument.node()) : nullptr;
    const Attribute* attribute =
        node && node->is(OpKind::GetAttr) ? graph.attributes().find(node->target) : nullptr;
    return attribute ? &attribute->value : nullptr;
}

std::optional<std::vector<double>> numbersOf(const Graph& graph, const Argument& argument)
{
    if (const double* real = argument.get<double>())
        return std::vector{*real};
    if (const std::int64_t* whole = argument.get<std::int64_t>())
        return std::vector{static_cast<double>(*whole)};
    const Tensor* tensor = attributeOf(graph, argument);
    const auto values = tensor ? tensor->toDoubles() : badInput("", "no constant");
    return values ? std::optional(*values) : std::nullopt;
}

} // namespace

Result<GraphPtr> unfoldedGraph(const Snapshot& snapshot, const JobContext& context)
{
    Recipe recipe = snapshot.recipe;
    recipe.convert.foldQuantize = false;
    PT2E_ASSIGN(const auto converted, convertStage(*snapshot.annotated, *snapshot.prepared,
                                                   *snapshot.calibrated, recipe, context));
    return converted->graph;
}

std::vector<QuantizePair> quantizePairs(const Graph& graph)
{
    std::vector<QuantizePair> pairs;
    std::unordered_map<NodeId, bool> known;
    for (const Node& node : graph) {
        if (!isQuantize(node) || !node.arg(0).node())
            continue;
        QuantizePair pair;
        pair.quantize = node.id;
        pair.value = node.arg(0).node();
        for (const NodeId user : node.users) {
            if (isDequantize(graph.node(user)))
                pair.dequantizes.push_back(user);
        }
        pair.isConstant = isConstant(graph, pair.value, known);
        if (!pair.dequantizes.empty())
            pairs.push_back(std::move(pair));
    }
    return pairs;
}

std::optional<QuantizationGrid> gridOf(const Graph& graph, const QuantizePair& pair)
{
    const Node& node = graph.node(pair.quantize);
    const bool isPerChannel = node.target.starts_with("quantized_decomposed.quantize_per_channel");
    const auto scales = numbersOf(graph, node.arg(1));
    const auto zeroPoints = numbersOf(graph, node.arg(2));
    const std::size_t range = isPerChannel ? 4 : 3;
    const std::int64_t* low = node.arg(range).get<std::int64_t>();
    const std::int64_t* high = node.arg(range + 1).get<std::int64_t>();
    const std::int64_t* axis = isPerChannel ? node.arg(3).get<std::int64_t>() : nullptr;
    if (!scales || !zeroPoints || scales->empty() || scales->size() != zeroPoints->size() || !low
        || !high || (isPerChannel && !axis))
        return std::nullopt;
    QuantizationGrid grid;
    grid.scales = *scales;
    for (const double zeroPoint : *zeroPoints)
        grid.zeroPoints.push_back(static_cast<std::int64_t>(zeroPoint));
    grid.quantMin = *low;
    grid.quantMax = *high;
    grid.axis = axis ? *axis : 0;
    return grid;
}

GraphPtr onlyQuantized(const Graph& unfolded, Quantized part)
{
    GraphEditor editor{Graph(unfolded)};
    for (const QuantizePair& pair : quantizePairs(unfolded)) {
        if (pair.isConstant == (part == Quantized::Weights))
            continue;
        for (const NodeId dequantize : pair.dequantizes)
            editor.replaceAllUses(dequantize, pair.value);
    }
    editor.eliminateDeadCode();
    return std::move(editor).publish();
}

bool isOperator(const Node& node)
{
    return node.is(OpKind::CallFunction) && !node.target.starts_with("quantized_decomposed.")
           && node.target != "getitem" && node.val.tensor();
}

NodeId valueNodeOf(const Graph& graph, NodeId operation)
{
    for (const NodeId user : graph.node(operation).users) {
        const Node& quantize = graph.node(user);
        if (!isQuantize(quantize) || quantize.arg(0).node() != operation)
            continue;
        for (const NodeId behind : quantize.users) {
            if (isDequantize(graph.node(behind)))
                return behind;
        }
    }
    return operation;
}

namespace {

class AloneMaker
{
public:
    explicit AloneMaker(const Graph& unfolded) : m_graph(unfolded), m_editor{Graph(unfolded)} {}

    EachAlone make()
    {
        for (const Node& node : m_graph) {
            if (isOperator(node) && !hasBody(node))
                addClone(node);
        }
        // Only now: the clones were to read what is dequantized.
        for (const QuantizePair& pair : quantizePairs(m_graph)) {
            for (const NodeId dequantize : pair.dequantizes)
                m_editor.replaceAllUses(dequantize, pair.value,
                                        [this](NodeId user) { return m_isClone.contains(user); });
        }
        return {std::move(m_editor).publish(), std::move(m_resultOf)};
    }

private:
    bool hasBody(const Node& node) const
    {
        const std::vector<NodeId> inputs = node.inputs();
        return std::any_of(inputs.begin(), inputs.end(), [&](NodeId id) {
            const Node& input = m_graph.node(id);
            return input.is(OpKind::GetAttr) && m_graph.subgraphs().find(input.target);
        });
    }

    /// The clone of an input that only this operator reads, with nothing quantized between.
    NodeId fusedInput(const Node& node, NodeId input) const
    {
        const auto clone = m_cloneOf.find(input);
        const Node& producer = m_graph.node(input);
        const bool isOnlyUser = producer.users.size() == 1 && producer.users.front() == node.id;
        return clone != m_cloneOf.end() && isOnlyUser ? clone->second : NodeId{};
    }

    void addClone(const Node& node)
    {
        const std::vector<NodeId> inputs = node.inputs();
        const NodeId value = valueNodeOf(m_graph, node.id);
        const bool isQuantized =
            value != node.id || std::any_of(inputs.begin(), inputs.end(), [&](NodeId input) {
                return isDequantize(m_graph.node(input)) || fusedInput(node, input).isValid();
            });
        if (!isQuantized)
            return;
        InsertPoint at = InsertPoint::before(node.id);
        const NodeId clone = m_editor.copy(at, node.id);
        m_isClone.insert(clone);
        m_cloneOf.emplace(node.id, clone);
        for (const NodeId input : inputs) {
            if (const NodeId fused = fusedInput(node, input); fused)
                m_editor.replaceInput(clone, input, fused);
        }
        NodeId result = clone;
        if (value != node.id && isCopyable(value, node.id)) {
            const NodeId quantize = m_graph.node(value).arg(0).node();
            result = copyBehind(at, quantize, node.id, clone);
            result = copyBehind(at, value, quantize, result);
        }
        m_resultOf.emplace(node.id, result);
    }

    /// Whether the pair has parameters of its own; dynamic ones are computed from the operator's value, later.
    bool isCopyable(NodeId dequantize, NodeId operation) const
    {
        const NodeId quantize = m_graph.node(dequantize).arg(0).node();
        const auto hasConstants = [&](NodeId id, NodeId value) {
            const std::vector<NodeId> inputs = m_graph.node(id).inputs();
            return std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) {
                return input == value || m_graph.node(input).is(OpKind::GetAttr);
            });
        };
        return hasConstants(quantize, operation) && hasConstants(dequantize, quantize);
    }

    NodeId copyBehind(InsertPoint& at, NodeId source, NodeId oldInput, NodeId newInput)
    {
        std::vector<std::pair<NodeId, NodeId>> replaced{{oldInput, newInput}};
        for (const NodeId input : m_graph.node(source).inputs()) {
            // It may stand behind the operator.
            if (input != oldInput)
                replaced.emplace_back(input, m_editor.copy(at, input));
        }
        const NodeId copy = m_editor.copy(at, source);
        for (const auto& [from, to] : replaced)
            m_editor.replaceInput(copy, from, to);
        m_isClone.insert(copy);
        return copy;
    }

    const Graph& m_graph;
    GraphEditor m_editor;
    std::unordered_set<NodeId> m_isClone;
    std::unordered_map<NodeId, NodeId> m_cloneOf;
    std::unordered_map<NodeId, NodeId> m_resultOf;
};

} // namespace

EachAlone eachAlone(const Graph& unfolded) { return AloneMaker(unfolded).make(); }

} // namespace pt2e

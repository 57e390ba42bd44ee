#include "core/engine/xnnpack/Spread.h"

#include "core/engine/xnnpack/Aliasing.h"
#include "core/engine/xnnpack/Ops.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

constexpr const char* kQuantize = "quantized_decomposed.quantize_per_tensor.default";
constexpr const char* kDequantize = "quantized_decomposed.dequantize_per_tensor.default";

constexpr std::string_view kMoves[] = {
    "aten.view.default",       "aten.reshape.default",        "aten.flatten.using_ints",
    "aten.squeeze.dim",        "aten.squeeze.dims",           "aten.unsqueeze.default",
    "aten.permute.default",    "aten.transpose.int",          "aten.t.default",
    "aten.contiguous.default", "aten.clone.default",          "aten.slice.Tensor",
    "aten.max_pool2d.default", "aten.max_pool1d.default",     "aten.dropout.default",
    "aten.relu.default",       "aten.relu_.default",          "aten.cat.default",
    "aten.pad.default",        "aten.constant_pad_nd.default"};

/// Whether the value of a padding is 0, which every quantization has.
bool padsWithZero(const Node& node)
{
    const bool isPad = node.target == "aten.pad.default";
    const std::string* mode = isPad ? node.arg(2).get<std::string>() : nullptr;
    if (isPad && !node.arg(2).isNone() && (!mode || *mode != "constant"))
        return false;
    const Argument& value = node.arg(isPad ? 3 : 2);
    return value.isNone() || numberOf(value) == 0.0;
}

class Spreader
{
public:
    explicit Spreader(const Graph& graph) : m_editor(graph) {}

    GraphPtr run() &&
    {
        for (const NodeId id : graph().order())
            respell(id);
        std::vector<NodeId> order = graph().order();
        for (auto id = order.rbegin(); id != order.rend(); ++id)
            quantizeBeforePad(*id);
        for (const NodeId id : graph().order())
            spreadDown(id);
        order = graph().order();
        for (auto id = order.rbegin(); id != order.rend(); ++id)
            spreadUp(*id);
        return std::move(m_editor).publish();
    }

private:
    const Graph& graph() const { return m_editor.graph(); }

    void respell(NodeId id)
    {
        const Node& node = graph().node(id);
        if (node.calls("getitem")) {
            sliceOfSplit(node);
        } else if (node.calls("aten.concat.default") || node.calls("aten.concatenate.default")) {
            m_editor.setTarget(id, "aten.cat.default");
        } else if (node.calls("aten.hstack.default")) {
            const TensorMeta* meta = node.val.tensor();
            if (!meta || meta->shape.empty())
                return;
            const std::int64_t axis = meta->shape.size() > 1 ? 1 : 0;
            m_editor.setArgs(id, {node.arg(0), axis});
            m_editor.setTarget(id, "aten.cat.default");
        }
    }

    /// getitem(chunk or split (x, …), i) → the slice of x.
    void sliceOfSplit(const Node& node)
    {
        const Node* split = graph().find(node.arg(0).node());
        const std::int64_t* index = node.arg(1).get<std::int64_t>();
        const std::string_view name = split ? shortOpName(split->target) : std::string_view();
        if (!index || *index < 0
            || (name != "chunk" && name != "split" && name != "split_with_sizes"))
            return;
        const auto* parts = std::get_if<std::vector<ValueMeta>>(&split->val.value);
        const auto dim = intOf(*split, 2, 0);
        if (!parts || !dim || static_cast<std::size_t>(*index) >= parts->size())
            return;
        std::int64_t start = 0;
        std::int64_t size = 0;
        for (std::int64_t i = 0; i <= *index; ++i) {
            const TensorMeta* part = (*parts)[static_cast<std::size_t>(i)].tensor();
            const auto axis = part ? axisOf(*dim, part->shape.size()) : std::nullopt;
            if (!axis || part->shape[*axis].isSymbolic())
                return;
            start += size;
            size = part->shape[*axis].value();
        }
        const NodeId id = node.id;
        m_editor.setArgs(id, {split->arg(0), *dim, start, start + size});
        m_editor.setTarget(id, "aten.slice.Tensor");
    }

    bool isMove(const Node& node) const
    {
        if (!node.is(OpKind::CallFunction)
            || std::find(std::begin(kMoves), std::end(kMoves), node.target) == std::end(kMoves))
            return false;
        const std::string_view name = shortOpName(node.target);
        if (name == "dropout")
            return boolOf(node, 2, true) == false;
        if (name == "pad" || name == "constant_pad_nd")
            return padsWithZero(node);
        if (mutatesArgument(node.target))
            return graph().node(node.arg(0).node()).users.size() == 1;
        return true;
    }

    /// A dequantize of something that is computed.
    bool isActivation(const Node& node) const
    {
        const Node* source =
            isPerTensorDequantize(node) ? graph().find(node.arg(0).node()) : nullptr;
        return source && isPerTensorQuantize(*source)
               && !graph().node(source->arg(0).node()).is(OpKind::GetAttr)
               && parsePerTensor(node).type.has_value();
    }

    /// Scale, zero point, range and type: what must be equal for two conversions to be the same.
    static Arguments parametersOf(const Node& conversion)
    {
        return {conversion.args.begin() + 1, conversion.args.end()};
    }

    /// A padding by zero whose readers all quantize it: quantized before it, it is part of the
    /// convolution that reads it (Pads.h), and no float value is copied.
    void quantizeBeforePad(NodeId id)
    {
        const Node& node = graph().node(id);
        const std::string_view name = shortOpName(node.target);
        if ((name != "pad" && name != "constant_pad_nd") || !isMove(node) || !node.val.tensor())
            return;
        const Arguments parameters = wantedParameters(node);
        const Node* input = graph().find(node.arg(0).node());
        if (parameters.empty() || !input || activationOf(graph().node(node.users.front()))
            || (isActivation(*input) && parametersOf(*input) == parameters))
            return;
        const NodeId value = input->id;
        InsertPoint at = InsertPoint::before(id);
        const NodeId quantize = insertPair(at, value, parameters);
        m_editor.replaceInput(id, value, graph().node(quantize).users.front());
    }

    void spreadDown(NodeId id)
    {
        const Node& node = graph().node(id);
        const std::vector<NodeId> inputs = node.inputs();
        if (!isMove(node) || inputs.empty() || !node.val.tensor())
            return;
        for (const NodeId input : inputs) {
            if (!isActivation(graph().node(input)))
                return;
        }
        const Arguments parameters = parametersOf(graph().node(inputs.front()));
        for (const NodeId input : inputs) {
            if (!(parametersOf(graph().node(input)) == parameters))
                return;
        }
        if (std::all_of(node.users.begin(), node.users.end(), [&](NodeId user) {
                const Node& reader = graph().node(user);
                return isPerTensorQuantize(reader) && parametersOf(reader) == parameters;
            }))
            return;
        InsertPoint at = InsertPoint::after(id);
        const NodeId quantize = insertPair(at, id, parameters);
        const NodeId dequantize = graph().node(quantize).users.front();
        m_editor.replaceAllUses(id, dequantize, [&](NodeId user) { return user == quantize; });
    }

    /// quantize and dequantize of a value; gives the quantize.
    NodeId insertPair(InsertPoint& at, NodeId value, const Arguments& parameters)
    {
        NewNode quantize;
        quantize.target = kQuantize;
        quantize.args = {value};
        quantize.args.insert(quantize.args.end(), parameters.begin(), parameters.end());
        const NodeId first = m_editor.insert(at, std::move(quantize));
        NewNode dequantize;
        dequantize.target = kDequantize;
        dequantize.args = {first};
        dequantize.args.insert(dequantize.args.end(), parameters.begin(), parameters.end());
        m_editor.insert(at, std::move(dequantize));
        return first;
    }

    /// An op that could run in int8 if its output were quantized.
    bool couldBeInt8(const Node& node) const
    {
        if (!node.is(OpKind::CallFunction))
            return false;
        if ((isMove(node) || activationOf(node)) && node.arg(0).node()) {
            const Node& input = graph().node(node.arg(0).node());
            if (!isActivation(input))
                return input.users.size() == 1 && couldBeInt8(input);
        }
        const OpRule* rule = findRule(opTable(), node.target);
        if (!rule || rule->forms == Forms::Float)
            return false;
        bool hasActivation = false;
        for (const NodeId id : node.inputs()) {
            const Node& input = graph().node(id);
            const bool isConstant = input.is(OpKind::GetAttr)
                                    || (isQuantizeOrDequantize(input) && !isActivation(input));
            if (!isConstant && !isActivation(input))
                return false;
            hasActivation = hasActivation || !isConstant;
        }
        return hasActivation;
    }

    /// The parameters that all readers quantize with, perhaps behind one activation; empty if they do
    /// not. Clipping commutes with quantizing as well.
    Arguments wantedParameters(const Node& node) const
    {
        const Node* last = &node;
        if (node.users.size() == 1 && activationOf(graph().node(node.users.front()))
            && !mutatesArgument(graph().node(node.users.front()).target))
            last = &graph().node(node.users.front());
        Arguments parameters;
        for (const NodeId user : last->users) {
            const Node& reader = graph().node(user);
            if (!isPerTensorQuantize(reader))
                return {};
            if (!parameters.empty() && !(parametersOf(reader) == parameters))
                return {};
            parameters = parametersOf(reader);
        }
        return parameters;
    }

    void spreadUp(NodeId id)
    {
        const Node& node = graph().node(id);
        // An activation is taken into the op before it.
        if (!isMove(node) || activationOf(node))
            return;
        const Arguments parameters = wantedParameters(node);
        if (parameters.empty())
            return;
        for (const NodeId input : node.inputs()) {
            const Node& value = graph().node(input);
            if (isActivation(value))
                continue;
            if (!value.val.tensor() || value.users.size() != 1 || !couldBeInt8(value))
                return;
        }
        for (const NodeId input : graph().node(id).inputs()) {
            if (isActivation(graph().node(input)))
                continue;
            InsertPoint at = InsertPoint::before(id);
            const NodeId quantize = insertPair(at, input, parameters);
            m_editor.replaceInput(id, input, graph().node(quantize).users.front());
        }
    }

    GraphEditor m_editor;
};

} // namespace

GraphPtr spreadQuantization(const GraphPtr& graph)
{
    // A write through a view must stay one.
    return hasOnlyPrivateWrites(*graph) ? Spreader(*graph).run() : graph;
}

} // namespace pt2e::xnn

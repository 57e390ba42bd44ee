// Batch norms folded into the convolution or linear before them: torchao's _fuse_conv_bn_ and _fuse_linear_bn_.
#include "core/kernels/Kernels.h"
#include "core/passes/Catalogue.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace pt2e {

namespace {

constexpr std::string_view kBatchNorm = "aten.batch_norm.default";
constexpr std::string_view kNoTraining = "aten._native_batch_norm_legit_no_training.default";
constexpr std::string_view kConvs[] = {
    "aten.conv1d.default", "aten.conv1d.padding", "aten.conv2d.default",
    "aten.conv2d.padding", "aten.conv3d.default", "aten.conv3d.padding",
};
constexpr std::string_view kTransposed[] = {
    "aten.conv_transpose1d.default", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input"};

enum class Producer { None, Conv, ConvTranspose, Linear };

bool isBatchNorm(const Node& node) { return node.calls(kBatchNorm) || node.calls(kNoTraining); }

Producer producerKind(const Node& node)
{
    if (!node.is(OpKind::CallFunction))
        return Producer::None;
    const auto contains = [&](std::span<const std::string_view> targets) {
        return std::find(targets.begin(), targets.end(), node.target) != targets.end();
    };
    if (contains(kConvs))
        return Producer::Conv;
    if (contains(kTransposed))
        return Producer::ConvTranspose;
    return node.target == "aten.linear.default" ? Producer::Linear : Producer::None;
}

/// ATen's tensor arithmetic with the first error kept: a chain of calls needs one check at its end.
class Arithmetic
{
public:
    explicit Arithmetic(const Kernels& all) : m_kernels(all) {}

    Tensor call(const std::string& target, Values args, NamedValues kwargs = {})
    {
        if (m_error)
            return {};
        auto result = m_kernels.callTensor(target, args, kwargs);
        if (result)
            return *result;
        m_error = result.error();
        return {};
    }
    Tensor add(const Tensor& a, const Tensor& b)
    {
        return call("aten.add.Tensor", {Value{a}, Value{b}});
    }
    Tensor subtract(const Tensor& a, const Tensor& b)
    {
        return call("aten.sub.Tensor", {Value{a}, Value{b}});
    }
    Tensor multiply(const Tensor& a, const Tensor& b)
    {
        return call("aten.mul.Tensor", {Value{a}, Value{b}});
    }
    Tensor inverseRoot(const Tensor& a, double eps)
    {
        return call("aten.rsqrt.default", {Value{call("aten.add.Scalar", {Value{a}, Value{eps}})}});
    }
    Tensor zerosLike(const Tensor& a) { return call("aten.zeros_like.default", {Value{a}}); }
    Tensor onesLike(const Tensor& a) { return call("aten.ones_like.default", {Value{a}}); }
    Tensor cast(const Tensor& a, DType dtype)
    {
        return a.isValid() && a.dtype() == dtype ? a
                                                 : call("aten.to.dtype", {Value{a}, Value{dtype}});
    }
    Tensor reshape(const Tensor& a, const std::vector<std::int64_t>& shape)
    {
        Value::List sizes;
        for (std::int64_t size : shape)
            sizes.push_back(Value{size});
        return call("aten.reshape.default", {Value{a}, Value{sizes}});
    }
    const std::optional<Error>& error() const { return m_error; }

private:
    const Kernels& m_kernels;
    std::optional<Error> m_error;
};

struct BatchNormTensors
{
    Tensor weight, bias, mean, variance; ///< weight and bias may be missing
    double eps = 0;
};

struct FusedTensors
{
    Tensor weight, bias;
};

/// fuse_conv_bn_weights and fuse_linear_bn_weights; they multiply the bias in a different order.
Result<FusedTensors> fuse(Producer kind, const Tensor& weight, const Tensor& bias,
                          BatchNormTensors bn)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    Arithmetic at(*all);
    const DType biasType = bias.isValid() ? bias.dtype() : weight.dtype();
    const Tensor oldBias = bias.isValid() ? bias : at.zerosLike(bn.mean);
    const Tensor gain = bn.weight.isValid() ? bn.weight : at.onesLike(bn.mean);
    const Tensor shift = bn.bias.isValid() ? bn.bias : at.zerosLike(bn.mean);
    const Tensor root = at.inverseRoot(bn.variance, bn.eps);
    const Tensor scale = at.multiply(gain, root);
    std::vector<std::int64_t> shape(weight.shape().size(), 1);
    if (!shape.empty())
        shape[kind == Producer::ConvTranspose && shape.size() > 1 ? 1 : 0] = -1;
    FusedTensors fused;
    fused.weight = at.cast(at.multiply(weight, at.reshape(scale, shape)), weight.dtype());
    const Tensor centred = at.subtract(oldBias, bn.mean);
    const Tensor scaled = kind == Producer::Linear ? at.multiply(centred, scale)
                                                   : at.multiply(at.multiply(centred, root), gain);
    fused.bias = at.cast(at.add(scaled, shift), biasType);
    if (at.error())
        return tl::unexpected<Error>(*at.error());
    return fused;
}

/// One run over a graph: for convolutions or for linears.
class Folding
{
public:
    Folding(GraphEditor& editor, FoldState& state, bool isLinear)
        : m_editor(editor),
          m_state(state),
          m_isLinear(isLinear),
          m_pass(isLinear ? "linear_bn_fold" : "conv_bn_fold")
    {}
    Result<void> run();

private:
    const Graph& graph() const { return m_editor.graph(); }
    bool isWanted(const Node& batchNorm) const;
    Result<Tensor> constant(const Node& user, const Argument& argument) const;
    Result<BatchNormTensors> tensorsOf(const Node& batchNorm) const;
    Result<void> fold(const Node& batchNorm, const Node& producer);
    Result<void> writeBias(NodeId producer, const std::string& weightName, const Tensor& bias,
                           Arguments& args);
    void replaceUses(const Node& batchNorm, NodeId producer);
    void note(const Node& batchNorm, const Node& producer, bool isSecondFold);
    std::string place(const Node& node) const { return m_pass + ": node '" + node.name + "'"; }

    GraphEditor& m_editor;
    FoldState& m_state;
    bool m_isLinear;
    std::string m_pass;
    std::unordered_set<NodeId> m_foldedWeights;
};

Result<void> Folding::run()
{
    const std::vector<NodeId> order = graph().order();
    if (std::none_of(order.begin(), order.end(),
                     [&](NodeId id) { return isBatchNorm(graph().node(id)); }))
        return {}; // without dead-code elimination, as in the original
    for (NodeId id : order) {
        const Node* node = graph().find(id);
        if (!node || !isBatchNorm(*node) || !isWanted(*node))
            continue;
        const Node batchNorm = *node;
        const Node producer = graph().node(batchNorm.arg(0).node());
        PT2E_TRY(fold(batchNorm, producer));
        m_editor.eliminateDeadCode();
        if (graph().contains(id) && graph().node(id).users.empty())
            m_editor.erase(id);
    }
    m_editor.eliminateDeadCode();
    return {};
}

bool Folding::isWanted(const Node& batchNorm) const
{
    const NodeId input = batchNorm.arg(0).node();
    const Node* producer = input ? graph().find(input) : nullptr;
    if (!producer)
        return false;
    const Producer kind = producerKind(*producer);
    if (!m_isLinear)
        return kind == Producer::Conv || kind == Producer::ConvTranspose;
    if (kind != Producer::Linear)
        return false;
    const Node* x = graph().find(producer->arg(0).node());
    const TensorMeta* meta = x ? x->val.tensor() : nullptr;
    if (meta && meta->shape.size() > 2) {
        m_state.diagnostics.push_back(
            {Severity::Warning, "linear-bn-not-folded", batchNorm.name, "",
             "not folded into " + producer->name + ": its input is "
                 + std::to_string(meta->shape.size())
                 + "-dimensional, so linear and batch norm work on different dimensions"});
        return false;
    }
    return true;
}

/// The tensor behind a get_attr argument; an invalid tensor for None.
Result<Tensor> Folding::constant(const Node& user, const Argument& argument) const
{
    if (argument.isNone())
        return Tensor();
    const Node* node = argument.node() ? graph().find(argument.node()) : nullptr;
    if (!node || !node->is(OpKind::GetAttr))
        return fail(ErrorCode::Unsupported, place(user),
                    "cannot fold the batch norm: "
                        + (!node ? "an argument is no node"
                           : node->is(OpKind::Placeholder)
                               ? node->name + " is an input of this graph, not a parameter"
                               : node->name + " is computed, not a parameter")
                        + " (torchao raises ValueError here: Expected get_attr node"
                        + (node ? ", got " + std::string(opKindName(node->kind)) : "") + ")");
    const Attribute* attribute = graph().attributes().find(node->target);
    if (!attribute || !attribute->value.isValid())
        return badInput(place(user), "attribute '" + node->target + "' has no value");
    return attribute->value;
}

Result<BatchNormTensors> Folding::tensorsOf(const Node& batchNorm) const
{
    BatchNormTensors bn;
    PT2E_ASSIGN(bn.weight, constant(batchNorm, batchNorm.arg(1)));
    PT2E_ASSIGN(bn.bias, constant(batchNorm, batchNorm.arg(2)));
    PT2E_ASSIGN(bn.mean, constant(batchNorm, batchNorm.arg(3)));
    PT2E_ASSIGN(bn.variance, constant(batchNorm, batchNorm.arg(4)));
    if (!bn.mean.isValid() || !bn.variance.isValid())
        return fail(ErrorCode::Unsupported, place(batchNorm),
                    "cannot fold a batch norm without running statistics");
    const Argument& eps = batchNorm.arg(batchNorm.calls(kBatchNorm) ? 7 : 6);
    if (const double* number = eps.get<double>())
        bn.eps = *number;
    else if (const std::int64_t* integer = eps.get<std::int64_t>())
        bn.eps = static_cast<double>(*integer);
    else
        return badInput(place(batchNorm), "its eps is no number");
    return bn;
}

Result<void> Folding::writeBias(NodeId producer, const std::string& weightName, const Tensor& bias,
                                Arguments& args)
{
    if (args.size() > 2 && args[2].node()) {
        const std::string target = graph().node(args[2].node()).target;
        m_editor.setAttribute(target, {bias, AttributeKind::Parameter});
        return {};
    }
    NewNode node;
    node.kind = OpKind::GetAttr;
    node.target = weightName + "_bias";
    if (!m_isLinear) // torchao gives a linear's new bias no val
        node.val.value = bias.meta();
    node.origin = {OriginKind::Inserted, producer, m_pass};
    m_editor.setAttribute(node.target, {bias, AttributeKind::Parameter});
    InsertPoint at = InsertPoint::before(producer);
    const NodeId biasNode = m_editor.insert(at, std::move(node));
    args.resize(std::max<std::size_t>(args.size(), 3));
    args[2] = biasNode;
    return {};
}

void Folding::replaceUses(const Node& batchNorm, NodeId producer)
{
    if (batchNorm.calls(kBatchNorm)) {
        m_editor.replaceAllUses(batchNorm.id, producer);
        return;
    }
    // Result 0 of the three; copied, because the users change under way.
    const std::vector<NodeId> users = graph().node(batchNorm.id).users;
    for (NodeId user : users) {
        const Node& item = graph().node(user);
        const auto* index = item.arg(1).get<std::int64_t>();
        if (item.calls("getitem") && index && *index == 0) {
            m_state.successors[user] = producer;
            m_editor.replaceAllUses(user, producer);
        }
    }
}

void Folding::note(const Node& batchNorm, const Node& producer, bool isSecondFold)
{
    if (isSecondFold)
        m_state.diagnostics.push_back(
            {Severity::Warning, "batch-norm-lost", batchNorm.name, "",
             "lost, not folded: the weight of " + producer.name
                 + " already took over another batch norm, so results change"});
    for (NodeId user : producer.users) {
        if (user != batchNorm.id)
            m_state.diagnostics.push_back({Severity::Warning, "batch-norm-reaches-others",
                                           graph().node(user).name, "",
                                           "reads " + producer.name + ", which now contains "
                                               + batchNorm.name + ": its input changes"});
    }
}

Result<void> Folding::fold(const Node& batchNorm, const Node& producer)
{
    note(batchNorm, producer, m_foldedWeights.contains(producer.arg(1).node()));
    PT2E_ASSIGN(const Tensor weight, constant(producer, producer.arg(1)));
    PT2E_ASSIGN(const Tensor bias, constant(producer, producer.arg(2)));
    PT2E_ASSIGN(const BatchNormTensors bn, tensorsOf(batchNorm));
    if (!weight.isValid())
        return badInput(place(producer), "has no weight");
    const std::string weightName = graph().node(producer.arg(1).node()).target;
    Arguments args = producer.args;
    if (m_foldedWeights.insert(producer.arg(1).node()).second) {
        // fuse_conv_bn_weights puts ones and zeros for what is missing, fuse_linear_bn_weights does not.
        if (m_isLinear && (!bn.weight.isValid() || !bn.bias.isValid()))
            return fail(ErrorCode::Unsupported, place(batchNorm),
                        "cannot fold a batch norm without weight and bias into a linear "
                        "(torchao raises TypeError here)");
        PT2E_ASSIGN(const FusedTensors fused, fuse(producerKind(producer), weight, bias, bn));
        m_editor.setAttribute(weightName, {fused.weight, AttributeKind::Parameter});
        PT2E_TRY(writeBias(producer.id, weightName, fused.bias, args));
    } else {
        // The weight stays; a bias that is there keeps its value, a missing one becomes zero under the name that
        // the first fold used, which loses that one's bias: torchao's behaviour.
        PT2E_ASSIGN(const Kernels* all, kernels());
        Arithmetic at(*all);
        const Tensor current = bias.isValid() ? bias : at.zerosLike(bn.mean);
        if (at.error())
            return tl::unexpected<Error>(*at.error());
        PT2E_TRY(writeBias(producer.id, weightName, current, args));
    }
    m_editor.setArgs(producer.id, std::move(args));
    m_editor.setOrigin(producer.id, {OriginKind::Fused, batchNorm.id, m_pass});
    m_state.successors[batchNorm.id] = producer.id;
    for (std::size_t i = 1; i <= 4; ++i) {
        if (const NodeId parameter = batchNorm.arg(i).node())
            m_state.successors[parameter] = producer.id;
    }
    replaceUses(batchNorm, producer.id);
    return {};
}

} // namespace

Result<void> foldConvBatchNorm(GraphEditor& editor, FoldState& state)
{
    return Folding(editor, state, false).run();
}

Result<void> foldLinearBatchNorm(GraphEditor& editor, FoldState& state)
{
    return Folding(editor, state, true).run();
}

} // namespace pt2e

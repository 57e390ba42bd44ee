#include "tests/support/SampleStages.h"

namespace pt2e::testing {

namespace {

ValueMeta floats(const std::vector<std::int64_t>& shape)
{
    TensorMeta meta;
    for (const auto size : shape)
        meta.shape.emplace_back(size);
    return {meta};
}

Attribute zeros(DType dtype, const std::vector<std::int64_t>& shape)
{
    std::size_t count = 1;
    for (const auto size : shape)
        count *= static_cast<std::size_t>(size);
    const std::vector<std::byte> bytes(count * elementSize(dtype));
    return {Tensor::fromBytes(dtype, shape, bytes), AttributeKind::Parameter};
}

} // namespace

StageSketch::StageSketch() = default;

NodeId StageSketch::input(const std::string& name, std::vector<std::int64_t> shape)
{
    NewNode node;
    node.kind = OpKind::Placeholder;
    node.target = node.nameCandidate = name;
    node.val = floats(shape);
    return m_sketch.append(std::move(node));
}

NodeId StageSketch::weight(const std::string& target, std::vector<std::int64_t> shape)
{
    m_sketch.setAttribute(target, zeros(DType::Float32, shape));
    NewNode node;
    node.kind = OpKind::GetAttr;
    node.target = target;
    node.val = floats(shape);
    return m_sketch.append(std::move(node));
}

NodeId StageSketch::call(const std::string& op, Arguments args, std::vector<std::int64_t> shape)
{
    NewNode node;
    node.target = op;
    node.args = std::move(args);
    node.nameCandidate = std::string(shortOpName(op));
    node.val = floats(shape);
    return m_sketch.append(std::move(node));
}

void StageSketch::output(std::vector<NodeId> values)
{
    NewNode node;
    node.kind = OpKind::Output;
    node.target = "output";
    node.args = {Argument::tuple({values.begin(), values.end()})};
    m_sketch.append(std::move(node));
}

void StageSketch::finishExported()
{
    m_exported = std::make_shared<const Graph>(m_sketch.graph());
    m_folded = m_exported;
}

void StageSketch::foldBatchNorm(NodeId convolution, NodeId batchNorm)
{
    const Node bn = m_sketch.graph().node(batchNorm);
    m_sketch.replaceAllUses(batchNorm, convolution);
    m_sketch.erase(batchNorm);
    PassRecord record;
    record.name = "conv_bn_fold";
    record.changed = true;
    record.removed.push_back({batchNorm, bn.name, bn.kind, bn.target, convolution});
    for (const NodeId input : bn.inputs())
        if (m_sketch.graph().node(input).users.empty())
            m_sketch.erase(input);
    m_sketch.setOrigin(convolution, {OriginKind::Fused, batchNorm, "conv_bn_fold"});
    m_folded = std::make_shared<const Graph>(m_sketch.graph());
    record.after = m_folded;
    m_foldPasses.push_back(std::move(record));
}

NodeId StageSketch::observe(NodeId node, float scale, std::int64_t zeroPoint,
                            std::vector<NodeId> users, const std::string& className)
{
    const auto number = static_cast<std::uint32_t>(m_observers.size());
    const std::string name = "activation_post_process_" + std::to_string(number);
    if (users.empty())
        users = m_sketch.graph().node(node).users;
    auto at = InsertPoint::after(node);
    const auto observer = addAfter(at, OpKind::CallModule, name, {node}, name, node);
    m_sketch.setModule(name, {className, ObserverId{number}});
    for (const NodeId user : users)
        m_sketch.replaceInput(user, node, observer);
    m_observers.push_back(observer);
    m_qparams.push_back({{scale}, {zeroPoint}, DType::Int64});
    return observer;
}

void StageSketch::unquantized(NodeId node, Reason reason, NodeId root)
{
    m_unannotated.push_back({node, "", std::move(reason), {}, root});
}

void StageSketch::finishPrepared() { m_prepared = std::make_shared<const Graph>(m_sketch.graph()); }

NodeId StageSketch::addAfter(InsertPoint& at, OpKind kind, const std::string& target,
                             Arguments args, const std::string& name, NodeId origin)
{
    NewNode node;
    node.kind = kind;
    node.target = target;
    node.args = std::move(args);
    node.nameCandidate = name;
    node.origin = {OriginKind::Inserted, origin,
                   kind == OpKind::CallModule ? "prepare" : "convert"};
    return m_sketch.insert(at, std::move(node));
}

void StageSketch::convert()
{
    for (const NodeId observer : m_observers)
        convertObserver(observer);
    m_converted = std::make_shared<const Graph>(m_sketch.graph());
}

void StageSketch::convertObserver(NodeId observer)
{
    const Node node = m_sketch.graph().node(observer);
    const NodeId source = node.args.front().node();
    const auto& qparams = m_qparams[m_sketch.graph().modules().find(node.target)->instance.value];
    const double scale = qparams.scale.front();
    const std::int64_t zeroPoint = qparams.zeroPoint.front();
    auto at = InsertPoint::after(observer);
    if (m_sketch.graph().node(source).is(OpKind::GetAttr)) {
        const std::string number = std::to_string(m_quantizedWeights++);
        const auto shape =
            m_sketch.graph().attributes().find(m_sketch.graph().node(source).target)->value.shape();
        m_sketch.setAttribute("_frozen_param" + number, zeros(DType::Int8, shape));
        m_sketch.setAttribute("_scale_" + number, zeros(DType::Float32, {shape.front()}));
        m_sketch.setAttribute("_zero_point_" + number, zeros(DType::Int64, {shape.front()}));
        const auto s = addAfter(at, OpKind::GetAttr, "_scale_" + number, {}, "", observer);
        const auto z = addAfter(at, OpKind::GetAttr, "_zero_point_" + number, {}, "", observer);
        const auto q = addAfter(at, OpKind::GetAttr, "_frozen_param" + number, {},
                                "quantize_per_channel_default", source);
        const auto dq = addAfter(
            at, OpKind::CallFunction, "quantized_decomposed.dequantize_per_channel.default",
            {q, s, z, 0, -127, 127, DType::Int8}, "dequantize_per_channel_default", observer);
        m_sketch.replaceAllUses(observer, dq);
        m_sketch.erase(observer);
        m_sketch.erase(source);
        return;
    }
    const auto q =
        addAfter(at, OpKind::CallFunction, "quantized_decomposed.quantize_per_tensor.default",
                 {source, scale, zeroPoint, -128, 127, DType::Int8}, "quantize_per_tensor_default",
                 observer);
    for (const NodeId user : node.users) {
        const auto dq =
            addAfter(at, OpKind::CallFunction, "quantized_decomposed.dequantize_per_tensor.default",
                     {q, scale, zeroPoint, -128, 127, DType::Int8}, "dequantize_per_tensor_default",
                     observer);
        m_sketch.replaceInput(user, observer, dq);
    }
    m_sketch.erase(observer);
}

SnapshotPtr StageSketch::snapshot() const
{
    auto model = std::make_shared<Model>();
    model->name = "sketch";
    model->exported = m_exported;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = model;
    if (!m_prepared)
        return snapshot;
    auto annotated = std::make_shared<AnnotatedStage>();
    annotated->folded.graph = m_folded;
    annotated->folded.passes = m_foldPasses;
    annotated->unannotated = m_unannotated;
    snapshot->annotated = annotated;
    auto prepared = std::make_shared<PreparedGraph>();
    prepared->graph = m_prepared;
    snapshot->prepared = prepared;
    auto calibrated = std::make_shared<CalibratedStage>();
    for (const auto& qparams : m_qparams)
        calibrated->qparams.push_back({qparams, true});
    calibrated->batches = calibrated->total = 8;
    snapshot->calibrated = calibrated;
    if (!m_converted)
        return snapshot;
    auto converted = std::make_shared<ConvertedGraph>();
    converted->graph = m_converted;
    snapshot->converted = converted;
    return snapshot;
}

namespace {

struct ConvBn
{
    NodeId weight;
    NodeId conv;
    NodeId bn;
};

ConvBn convBn(StageSketch& s, NodeId x, const std::string& number)
{
    const std::vector<std::int64_t> shape{4, 8, 16, 16};
    ConvBn r;
    r.weight = s.weight("conv" + number + ".weight", {8, 8, 3, 3});
    const std::string bn = "bn" + number + ".";
    const auto scale = s.weight(bn + "weight", {8});
    const auto shift = s.weight(bn + "bias", {8});
    const auto mean = s.weight(bn + "running_mean", {8});
    const auto var = s.weight(bn + "running_var", {8});
    r.conv = s.call("aten.conv2d.default", {x, r.weight}, shape);
    r.bn = s.call("aten.batch_norm.default", {r.conv, scale, shift, mean, var}, shape);
    return r;
}

} // namespace

SnapshotPtr residualStages()
{
    const std::vector<std::int64_t> shape{4, 8, 16, 16};
    StageSketch s;
    const auto x = s.input("x", shape);
    const auto a = convBn(s, x, "1");
    const auto relu = s.call("aten.relu.default", {a.bn}, shape);
    const auto b = convBn(s, relu, "2");
    const auto add = s.call("aten.add.Tensor", {b.bn, x}, shape);
    const auto last = s.call("aten.relu.default", {add}, shape);
    s.output({last});
    s.finishExported();
    s.foldBatchNorm(a.conv, a.bn);
    s.foldBatchNorm(b.conv, b.bn);
    s.observe(x, 0.03299473F, -5);
    s.observe(a.weight, 0.0009225F, 0, {}, "PerChannelMinMaxObserver");
    s.observe(relu, 0.00880216F, -128);
    s.observe(b.weight, 0.0009054F, 0, {}, "PerChannelMinMaxObserver");
    s.observe(b.conv, 0.00823949F, 18);
    s.observe(last, 0.0174523F, -128);
    s.finishPrepared();
    s.convert();
    return s.snapshot();
}

SnapshotPtr catPoolStages()
{
    const std::vector<std::int64_t> shape{4, 8, 16, 16};
    StageSketch s;
    const auto x = s.input("x", {4, 3, 16, 16});
    const auto wa = s.weight("a.weight", {8, 3, 3, 3});
    const auto ba = s.weight("a.bias", {8});
    const auto a = s.call("aten.conv2d.default", {x, wa, ba}, shape);
    const auto ra = s.call("aten.relu.default", {a}, shape);
    const auto wb = s.weight("b.weight", {8, 3, 3, 3});
    const auto bb = s.weight("b.bias", {8});
    const auto b = s.call("aten.conv2d.default", {x, wb, bb}, shape);
    const auto rb = s.call("aten.relu.default", {b}, shape);
    const auto cat = s.call("aten.cat.default", {Argument::list({ra, rb}), 1}, {4, 16, 16, 16});
    const auto pool = s.call("aten.max_pool2d.default", {cat}, {4, 16, 8, 8});
    const auto wo = s.weight("out.weight", {16, 16, 3, 3});
    const auto bo = s.weight("out.bias", {16});
    const auto out = s.call("aten.conv2d.default", {pool, wo, bo}, {4, 16, 8, 8});
    const auto mean = s.call("aten.mean.dim", {out}, {4, 16, 1, 1});
    const auto add = s.call("aten.add.Tensor", {out, mean}, {4, 16, 8, 8});
    s.output({add});
    s.finishExported();
    s.observe(x, 0.0313713F, 10);
    s.observe(wa, 0.0014F, 0, {}, "PerChannelMinMaxObserver");
    s.observe(ra, 0.00917978F, -128);
    s.observe(wb, 0.0014F, 0, {}, "PerChannelMinMaxObserver");
    s.observe(rb, 0.0112626F, -128);
    s.observe(pool, 0.0137557F, -128);
    s.observe(wo, 0.0007F, 0, {}, "PerChannelMinMaxObserver");
    s.observe(out, 0.00980167F, 22);
    s.observe(mean, 0.00980167F, 22);
    s.observe(add, 0.0127719F, 32);
    const Reason noSource{ReasonKey::CatWithoutSource, {}, {}};
    s.unquantized(cat, noSource, cat);
    s.unquantized(pool, {ReasonKey::FollowsUnannotated, {"cat"}, {noSource}}, cat);
    s.finishPrepared();
    s.convert();
    return s.snapshot();
}

SnapshotPtr decoderExported(int layers)
{
    const std::vector<std::int64_t> wide{1, 64, 256};
    StageSketch s;
    auto x = s.input("x", wide);
    const auto mask = s.input("mask", {1, 1, 64, 64});
    const auto causal = s.call("aten.neg.default", {mask}, {1, 1, 64, 64});
    for (int i = 0; i < layers; ++i) {
        const std::string layer = "layers." + std::to_string(i) + ".";
        const auto linear = [&](NodeId in, const std::string& name) {
            const auto w = s.weight(layer + name + ".weight", {256, 256});
            const auto b = s.weight(layer + name + ".bias", {256});
            return s.call("aten.linear.default", {in, w, b}, wide);
        };
        const auto norm =
            s.call("aten.rms_norm.default", {x, s.weight(layer + "norm.weight", {256})}, wide);
        const auto q = linear(norm, "q");
        const auto k = linear(norm, "k");
        const auto v = linear(norm, "v");
        const auto scores = s.call("aten.matmul.default", {q, k}, {1, 1, 64, 64});
        const auto masked = s.call("aten.add.Tensor", {scores, causal}, {1, 1, 64, 64});
        const auto soft = s.call("aten.softmax.int", {masked, -1}, {1, 1, 64, 64});
        const auto mixed = s.call("aten.matmul.default", {soft, v}, wide);
        const auto out = linear(mixed, "o");
        const auto sum = s.call("aten.add.Tensor", {x, out}, wide);
        const auto up = linear(sum, "up");
        const auto gate = s.call("aten.silu.default", {linear(sum, "gate")}, wide);
        const auto product = s.call("aten.mul.Tensor", {up, gate}, wide);
        x = s.call("aten.add.Tensor", {sum, linear(product, "down")}, wide);
    }
    s.output({x});
    s.finishExported();
    return s.snapshot();
}

} // namespace pt2e::testing

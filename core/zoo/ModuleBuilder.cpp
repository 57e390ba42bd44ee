#include "core/zoo/ModuleBuilder.h"

#include <algorithm>
#include <cmath>

namespace pt2e::zoo {

namespace {

ValueMeta metaFor(const Tensor& tensor, bool requiresGrad)
{
    TensorMeta meta = tensor.meta();
    meta.requiresGrad = requiresGrad;
    return {meta};
}

/// torch.nn.init.kaiming_uniform_(a=√5), in Python's own order of operations.
double kaimingBound(std::int64_t fanIn)
{
    const double a = std::sqrt(5.0);
    const double gain = std::sqrt(2.0 / (1 + a * a));
    const double deviation = gain / std::sqrt(static_cast<double>(fanIn));
    return std::sqrt(3.0) * deviation;
}

std::string withUnderscores(std::string path)
{
    std::replace(path.begin(), path.end(), '.', '_');
    return path;
}

} // namespace

ModuleBuilder::ModuleBuilder(const Kernels& torch, std::uint64_t seed, std::string rootClass)
    : m_torch(torch),
      m_stream(torch.randomStream(seed))
{
    m_classes.set("", std::move(rootClass));
}

// ---- __init__

void ModuleBuilder::declare(const std::string& path, AttributeKind kind, Result<Tensor> value)
{
    if (m_error)
        return;
    if (!value) {
        m_error = value.error();
        return;
    }
    m_attributes.set(path, {std::move(*value), kind});
}

Result<Tensor> ModuleBuilder::filled(std::vector<std::int64_t> shape, float value) const
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    const std::vector<float> values(static_cast<std::size_t>(count), value);
    return Tensor::fromValues<float>(DType::Float32, std::move(shape), values);
}

/// _ConvNd.reset_parameters and Linear.reset_parameters.
void ModuleBuilder::drawLinear(const std::string& path, std::vector<std::int64_t> weightShape,
                               std::int64_t outputs, std::int64_t fanIn, bool hasBias)
{
    const double bound = kaimingBound(fanIn);
    declare(path + ".weight", AttributeKind::Parameter,
            m_stream->uniform(weightShape, -bound, bound));
    if (!hasBias)
        return;
    const double biasBound = 1 / std::sqrt(static_cast<double>(fanIn));
    declare(path + ".bias", AttributeKind::Parameter,
            m_stream->uniform(std::vector<std::int64_t>{outputs}, -biasBound, biasBound));
}

void ModuleBuilder::conv2d(const std::string& path, std::int64_t in, std::int64_t out,
                           std::int64_t kernel, bool hasBias)
{
    m_classes.set(path, "torch.nn.modules.conv.Conv2d");
    drawLinear(path, {out, in, kernel, kernel}, out, in * kernel * kernel, hasBias);
}

void ModuleBuilder::batchNorm2d(const std::string& path, std::int64_t channels)
{
    m_classes.set(path, "torch.nn.modules.batchnorm.BatchNorm2d");
    declare(path + ".weight", AttributeKind::Parameter, filled({channels}, 1));
    declare(path + ".bias", AttributeKind::Parameter, filled({channels}, 0));
    declare(path + ".running_mean", AttributeKind::Buffer, filled({channels}, 0));
    declare(path + ".running_var", AttributeKind::Buffer, filled({channels}, 1));
    const std::int64_t none = 0;
    declare(path + ".num_batches_tracked", AttributeKind::Buffer,
            Tensor::fromValues<std::int64_t>(DType::Int64, {}, std::span(&none, 1)));
}

void ModuleBuilder::linear(const std::string& path, std::int64_t in, std::int64_t out)
{
    m_classes.set(path, "torch.nn.modules.linear.Linear");
    drawLinear(path, {out, in}, out, in, true);
}

void ModuleBuilder::layerNorm(const std::string& path, std::int64_t width)
{
    m_classes.set(path, "torch.nn.modules.normalization.LayerNorm");
    declare(path + ".weight", AttributeKind::Parameter, filled({width}, 1));
    declare(path + ".bias", AttributeKind::Parameter, filled({width}, 0));
}

void ModuleBuilder::embedding(const std::string& path, std::int64_t count, std::int64_t width)
{
    m_classes.set(path, "torch.nn.modules.sparse.Embedding");
    declare(path + ".weight", AttributeKind::Parameter,
            m_stream->normal(std::vector<std::int64_t>{count, width}, 0, 1));
}

void ModuleBuilder::buffer(const std::string& path, Result<Tensor> value)
{
    declare(path, AttributeKind::Buffer, std::move(value));
}

void ModuleBuilder::container(const std::string& path, std::string className)
{
    m_classes.set(path, std::move(className));
}

// ---- forward

/// Placeholders as in an exported program: all parameters, then all buffers; module() turns them into get_attr.
void ModuleBuilder::lift(AttributeKind kind)
{
    for (const auto& [path, attribute] : m_attributes) {
        if (attribute.kind != kind)
            continue;
        NewNode node;
        node.kind = OpKind::Placeholder;
        node.target = (kind == AttributeKind::Parameter ? "p_" : "b_") + withUnderscores(path);
        node.val = metaFor(attribute.value, kind == AttributeKind::Parameter);
        const NodeId id = m_editor.append(std::move(node));
        m_lifted.push_back({path, kind, id});
        m_nodeOf[path] = id;
        m_values[id] = attribute.value;
    }
}

Traced ModuleBuilder::input(const std::string& name, const std::vector<std::int64_t>& shape)
{
    auto drawn = m_stream->randn(shape);
    if (!drawn && !m_error)
        m_error = drawn.error();
    if (m_error)
        return {};
    lift(AttributeKind::Parameter);
    lift(AttributeKind::Buffer);
    NewNode node;
    node.kind = OpKind::Placeholder;
    node.target = name;
    node.val = metaFor(*drawn, false);
    const NodeId id = m_editor.append(std::move(node));
    m_values[id] = *drawn;
    m_example = std::move(*drawn);
    return {id};
}

Argument ModuleBuilder::parameter(const std::string& path)
{
    const auto found = m_nodeOf.find(path);
    return found == m_nodeOf.end() ? Argument() : Argument(found->second);
}

Traced ModuleBuilder::attribute(const std::string& path) { return {parameter(path).node()}; }

Traced ModuleBuilder::callConv2d(const std::string& path, Traced x, std::int64_t padding)
{
    return call(path, "aten.conv2d.default",
                {x.node, parameter(path + ".weight"), parameter(path + ".bias"),
                 Argument::ints({1, 1}), Argument::ints({padding, padding})},
                "builtin_function_or_method");
}

Traced ModuleBuilder::callBatchNorm(const std::string& path, Traced x)
{
    // torch.export on a machine without CUDA writes cudnn_enabled = False.
    return call(path, "aten.batch_norm.default",
                {x.node, parameter(path + ".weight"), parameter(path + ".bias"),
                 parameter(path + ".running_mean"), parameter(path + ".running_var"), false, 0.1,
                 1e-05, false},
                "function");
}

Traced ModuleBuilder::callLinear(const std::string& path, Traced x)
{
    return call(path, "aten.linear.default",
                {x.node, parameter(path + ".weight"), parameter(path + ".bias")},
                "builtin_function_or_method");
}

Traced ModuleBuilder::callLayerNorm(const std::string& path, Traced x)
{
    const Attribute* weight = m_attributes.find(path + ".weight");
    const std::int64_t width = weight ? weight->value.elementCount() : 0;
    return call(path, "aten.layer_norm.default",
                {x.node, Argument::ints({width}), parameter(path + ".weight"),
                 parameter(path + ".bias"), 1e-05, false},
                "function");
}

Traced ModuleBuilder::callEmbedding(const std::string& path, Traced indices)
{
    return call(path, "aten.embedding.default", {parameter(path + ".weight"), indices.node},
                "function");
}

Result<Value> ModuleBuilder::evaluate(const Arguments& args, const std::string& target) const
{
    const auto valueOf = [this](const Argument& argument) -> Value {
        if (argument.node())
            return {m_values.at(argument.node())};
        if (const auto* flag = argument.get<bool>())
            return {*flag};
        if (const auto* whole = argument.get<std::int64_t>())
            return {*whole};
        if (const auto* real = argument.get<double>())
            return {*real};
        return {};
    };
    Values values;
    for (const Argument& argument : args) {
        if (const auto* list = argument.get<ArgumentList>()) {
            Value::List items;
            for (const Argument& item : list->items)
                items.push_back(valueOf(item));
            values.push_back({std::move(items)});
        } else {
            values.push_back(valueOf(argument));
        }
    }
    PT2E_ASSIGN(Tensor result, m_torch.callTensor(target, values));
    return Value{std::move(result)};
}

std::shared_ptr<const FileMeta> ModuleBuilder::metaOf(const std::string& path,
                                                      const std::string& function,
                                                      const std::string& source) const
{
    auto meta = std::make_shared<FileMeta>();
    meta->moduleStack.push_back({"L__self__", "", *m_classes.find("")});
    for (std::size_t dot = 0; !path.empty() && dot != std::string::npos;) {
        dot = path.find('.', dot + 1);
        const std::string prefix = path.substr(0, dot);
        // A ModuleList is never called, so it is in no stack.
        if (const std::string* name = m_classes.find(prefix))
            meta->moduleStack.push_back({"L__self__" + prefix, prefix, *name});
    }
    meta->torchFn = {function + "_" + std::to_string(m_calls.at(function)),
                     source + "." + function};
    return meta;
}

Traced ModuleBuilder::call(const std::string& path, const std::string& target, Arguments args,
                           const std::string& source)
{
    if (m_error)
        return {};
    auto value = evaluate(args, target);
    if (!value) {
        m_error = value.error();
        return {};
    }
    const std::string function(shortOpName(target));
    ++m_calls[function];
    NewNode node;
    node.target = target;
    node.nameCandidate = function;
    node.args = std::move(args);
    node.val = metaFor(*value->tensor(), false);
    node.fileMeta = metaOf(path, function, source);
    const NodeId id = m_editor.append(std::move(node));
    m_values[id] = *value->tensor();
    return {id};
}

/// torch.export's module(): a get_attr behind each lifted placeholder takes over its users.
void ModuleBuilder::unlift()
{
    for (const Lifted& lifted : m_lifted) {
        NewNode node;
        node.kind = OpKind::GetAttr;
        node.target = lifted.path;
        node.val = m_editor.graph().node(lifted.placeholder).val;
        InsertPoint at = InsertPoint::after(lifted.placeholder);
        const NodeId id = m_editor.insert(at, std::move(node));
        m_editor.replaceAllUses(lifted.placeholder, id);
        m_editor.erase(lifted.placeholder);
        m_editor.setAttribute(lifted.path, *m_attributes.find(lifted.path));
    }
}

Result<ZooModel> ModuleBuilder::finish(Traced result)
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    NewNode output;
    output.kind = OpKind::Output;
    output.target = "output";
    output.args = {Argument::tuple({result.node})};
    m_editor.append(std::move(output));
    unlift();
    m_values.clear();
    ZooModel model;
    model.graph = std::move(m_editor).publish();
    model.example = {Value{*m_example}};
    model.stream = m_stream;
    return model;
}

} // namespace pt2e::zoo

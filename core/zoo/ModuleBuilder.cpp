#include "core/zoo/ModuleBuilder.h"

#include <algorithm>

namespace pt2e::zoo {

namespace {

Argument sizes(Size2d size) { return Argument::ints({size.height, size.width}); }

constexpr const char* kBuiltin = "builtin_function_or_method";
constexpr const char* kPython = "function";

ValueMeta metaFor(const Tensor& tensor, bool requiresGrad)
{
    TensorMeta meta = tensor.meta();
    meta.requiresGrad = requiresGrad;
    return {meta};
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

Traced ModuleBuilder::callConv2d(const std::string& path, Traced x)
{
    const Conv2d& c = m_convolutions[path];
    Arguments args = {x.node, parameter(path + ".weight"), parameter(path + ".bias")};
    // An exported call ends with the last argument that is not the schema's default.
    if (c.stride != 1 || c.padding != 0 || c.groups != 1)
        args.push_back(sizes(c.stride));
    if (c.padding != 0 || c.groups != 1)
        args.push_back(sizes(c.padding));
    if (c.groups != 1) {
        args.push_back(sizes(1));
        args.push_back(c.groups);
    }
    if (args.size() == 3 && !c.hasBias)
        args.pop_back();
    return callModule(path, "aten.conv2d.default", std::move(args), kBuiltin);
}

Traced ModuleBuilder::callMaxPool2d(const std::string& path, Traced x, const MaxPool2d& options)
{
    Arguments args = {x.node, sizes(options.kernel), sizes(options.stride)};
    if (options.padding != 0 || options.ceilMode)
        args.push_back(sizes(options.padding));
    if (options.ceilMode) {
        args.push_back(sizes(1));
        args.push_back(true);
    }
    return callModule(path, "aten.max_pool2d.default", std::move(args), kPython);
}

Traced ModuleBuilder::callDropout(const std::string& path, Traced x, double p)
{
    return callModule(path, "aten.dropout.default", {x.node, p, false}, kPython);
}

Traced ModuleBuilder::callRelu(const std::string& path, Traced x)
{
    return callModule(path, "aten.relu_.default", {x.node}, kPython, "relu");
}

Traced ModuleBuilder::callRelu6(const std::string& path, Traced x)
{
    return callModule(path, "aten.hardtanh_.default", {x.node, 0.0, 6.0}, kPython, "hardtanh");
}

Traced ModuleBuilder::callAdaptiveAvgPool2d(const std::string& path, Traced x)
{
    return callModule(path, "aten.adaptive_avg_pool2d.default", {x.node, Argument::ints({1, 1})},
                      kPython);
}

Traced ModuleBuilder::callAvgPool2d(const std::string& path, Traced x, Size2d kernel)
{
    return callModule(path, "aten.avg_pool2d.default", {x.node, sizes(kernel), sizes(kernel)},
                      kBuiltin);
}

Traced ModuleBuilder::callBatchNorm(const std::string& path, Traced x)
{
    // torch.export on a machine without CUDA writes cudnn_enabled = False.
    return callModule(path, "aten.batch_norm.default",
                      {x.node, parameter(path + ".weight"), parameter(path + ".bias"),
                       parameter(path + ".running_mean"), parameter(path + ".running_var"), false,
                       0.1, 1e-05, false},
                      kPython);
}

Traced ModuleBuilder::callLinear(const std::string& path, Traced x)
{
    return callModule(path, "aten.linear.default",
                      {x.node, parameter(path + ".weight"), parameter(path + ".bias")}, kBuiltin);
}

Traced ModuleBuilder::callLayerNorm(const std::string& path, Traced x)
{
    const Attribute* weight = m_attributes.find(path + ".weight");
    const std::int64_t width = weight ? weight->value.elementCount() : 0;
    return callModule(path, "aten.layer_norm.default",
                      {x.node, Argument::ints({width}), parameter(path + ".weight"),
                       parameter(path + ".bias"), 1e-05, false},
                      kPython);
}

Traced ModuleBuilder::callEmbedding(const std::string& path, Traced indices)
{
    return callModule(path, "aten.embedding.default", {parameter(path + ".weight"), indices.node},
                      kPython);
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
        const std::string* name = m_classes.find(prefix);
        if (!name)
            continue;
        std::string key = "L__self__" + prefix;
        if (const auto calls = m_moduleCalls.find(prefix);
            calls != m_moduleCalls.end() && calls->second > 1)
            key += "@" + std::to_string(calls->second - 1);
        meta->moduleStack.push_back({std::move(key), prefix, *name});
    }
    meta->torchFn = {function + "_" + std::to_string(m_calls.at(function)),
                     source + "." + function};
    return meta;
}

Traced ModuleBuilder::callModule(const std::string& path, const std::string& target, Arguments args,
                                 const std::string& source, std::string function)
{
    ++m_moduleCalls[path];
    return call(path, target, std::move(args), source, std::move(function));
}

Traced ModuleBuilder::call(const std::string& path, const std::string& target, Arguments args,
                           const std::string& source, std::string function)
{
    if (m_error)
        return {};
    auto value = evaluate(args, target);
    if (!value) {
        m_error = value.error();
        return {};
    }
    const std::string name(shortOpName(target));
    if (function.empty())
        function = name;
    ++m_calls[function];
    // An operator in place: who reads the argument later sees what was written.
    if (name.back() == '_')
        m_values[args.front().node()] = *value->tensor();
    NewNode node;
    node.target = target;
    node.nameCandidate = name;
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

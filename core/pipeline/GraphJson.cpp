#include "core/pipeline/GraphJson.h"

#include "core/ir/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e::json {

namespace {

std::string tagged(const char* key, std::string_view value)
{
    return Object().add(key, text(value)).line();
}

class ArgumentWriter
{
public:
    explicit ArgumentWriter(const Graph& graph) : m_graph(graph) {}
    std::string write(const Argument& argument) const
    {
        return std::visit([&](const auto& value) { return write(value); }, argument.value());
    }

private:
    std::string write(std::monostate) const { return kNull; }
    std::string write(bool value) const { return boolean(value); }
    std::string write(std::int64_t value) const { return integer(value); }
    std::string write(double value) const { return real(value); }
    std::string write(const std::string& value) const { return text(value); }
    std::string write(NodeId value) const { return tagged("%", m_graph.node(value).name); }
    std::string write(DType value) const { return tagged("dtype", dtypeName(value)); }
    std::string write(const Device& value) const
    {
        return tagged("device",
                      value.index < 0 ? value.type : fmt::format("{}:{}", value.type, value.index));
    }
    std::string write(Layout value) const { return tagged("layout", layoutName(value)); }
    std::string write(MemoryFormat value) const
    {
        return tagged("memory_format", memoryFormatName(value));
    }
    std::string write(const ArgumentList& value) const
    {
        return arrayOf(value.items, [&](const Argument& item) { return write(item); });
    }
    std::string write(const SymbolArgument& value) const { return tagged("sym", value.expression); }
    std::string write(const OpaqueArgument& value) const { return tagged("repr", value.repr); }
    std::string write(const ComplexArgument& value) const
    {
        return tagged("repr", printArgument(m_graph, Argument(value)));
    }

    const Graph& m_graph;
};

std::string nodeLine(const Graph& graph, const Node& node)
{
    Object kwargs;
    for (const auto& [key, value] : node.kwargs)
        kwargs.add(key, argument(graph, value));
    const TensorMeta* meta = node.val.tensor();
    const auto size = [](const SymInt& s) {
        return s.isSymbolic() ? text(s.expression()) : integer(s.value());
    };
    return Object()
        .add("name", text(node.name))
        .add("op", text(opKindName(node.kind)))
        .add("target", text(node.target))
        .add("args", arrayOf(node.args, [&](const Argument& a) { return argument(graph, a); }))
        .add("kwargs", kwargs.line())
        .add("users", arrayOf(node.users, [&](NodeId user) { return text(graph.node(user).name); }))
        .add("shape", meta ? arrayOf(meta->shape, size) : kNull)
        .add("dtype", meta ? text(dtypeName(meta->dtype)) : kNull)
        .line();
}

} // namespace

std::string argument(const Graph& graph, const Argument& argument)
{
    return ArgumentWriter(graph).write(argument);
}

Result<std::string> GraphWriter::tensor(const Tensor& tensor)
{
    Object object;
    object.add("shape", arrayOf(tensor.shape(), integer));
    object.add("dtype", text(dtypeName(tensor.dtype())));
    if (m_tensorHashes) {
        const std::string key =
            fmt::format("{} {} {} {} {}", static_cast<const void*>(tensor.storage().get()),
                        tensor.offset(), fmt::join(tensor.shape(), ","),
                        fmt::join(tensor.strides(), ","), dtypeName(tensor.dtype()));
        auto known = m_hashes.find(key);
        if (known == m_hashes.end()) {
            PT2E_ASSIGN(std::string hash, sha256(tensor));
            known = m_hashes.emplace(key, std::move(hash)).first;
        }
        object.add("sha256", text(known->second));
    }
    return object.line();
}

Result<std::string> GraphWriter::tensors(const Graph& graph, int depth)
{
    Object object;
    OrderedMap<bool> seen;
    for (const Node& node : graph) {
        if (!node.is(OpKind::GetAttr) || seen.contains(node.target))
            continue;
        seen.set(node.target, true);
        const Attribute* attribute = graph.attributes().find(node.target);
        if (!attribute || !attribute->value.isValid())
            continue;
        PT2E_ASSIGN(std::string line, tensor(attribute->value));
        object.add(node.target, std::move(line));
    }
    return object.lines(depth);
}

Result<std::string> GraphWriter::graph(const Graph& graph, int depth)
{
    std::vector<std::string> nodes;
    for (const Node& node : graph)
        nodes.push_back(nodeLine(graph, node));
    Object object;
    object.add("nodes", arrayLines(nodes, depth + 1));
    PT2E_ASSIGN(std::string values, tensors(graph, depth + 1));
    object.add("tensors", std::move(values));
    Object bodies;
    for (const auto& [name, body] : graph.subgraphs()) {
        if (!body)
            continue;
        PT2E_ASSIGN(std::string inner, this->graph(*body, depth + 2));
        bodies.add(name, std::move(inner));
    }
    if (!graph.subgraphs().empty())
        object.add("subgraphs", bodies.lines(depth + 1));
    return object.lines(depth);
}

} // namespace pt2e::json

#include "core/pt2/ProgramWriter.h"

#include "core/ir/Namespace.h"
#include "core/pt2/GraphWriter.h"

#include <algorithm>
#include <unordered_set>

namespace pt2e::pt2 {

namespace {

constexpr std::int64_t kSchemaMajor = 8;
constexpr std::int64_t kOpset = 10;

struct Lifted
{
    std::string name; ///< of its placeholder
    NodeId node; ///< its first get_attr
};

int groupOf(AttributeKind kind)
{
    return kind == AttributeKind::Parameter ? 0 : kind == AttributeKind::Constant ? 2 : 1;
}

class ProgramJsonWriter
{
public:
    ProgramJsonWriter(const Graph& graph, const WriteOptions& options)
        : m_graph(graph),
          m_options(options),
          m_writer(m_json, graph, m_liftedNames)
    {
        m_json.setHints(&options.hints);
    }

    Result<WrittenProgram> write()
    {
        PT2E_TRY(lift());
        m_writer.assignNames();
        m_json.open();
        m_json.key("graph_module");
        m_json.open();
        m_json.key("graph");
        std::vector<std::pair<std::string, NodeId>> inputs;
        for (const Lifted& lifted : m_lifted)
            inputs.emplace_back(lifted.name, lifted.node);
        PT2E_TRY(m_writer.write(inputs));
        PT2E_TRY(signature());
        moduleCalls();
        m_json.key("metadata");
        m_json.open();
        if (!m_options.custom.empty())
            m_json.member("custom", m_options.custom);
        m_json.close();
        m_json.key("treespec_namedtuple_fields");
        m_json.open();
        m_json.close();
        m_json.close();
        header();
        m_json.close();
        return WrittenProgram{m_json.text(), std::move(m_weights)};
    }

private:
    /// One placeholder per attribute that a get_attr names: parameters, buffers, constants.
    Result<void> lift()
    {
        Namespace names;
        for (const Node& node : m_graph)
            names.reserve(node.name);
        std::vector<const Node*> nodes;
        for (const Node& node : m_graph) {
            if (!node.is(OpKind::GetAttr) || m_graph.subgraphs().contains(node.target))
                continue;
            const Attribute* attribute = m_graph.attributes().find(node.target);
            if (!attribute || !attribute->value.isValid())
                return badInput("node '" + node.name + "'",
                                "'" + node.target + "' has no value that could be written");
            if (m_liftedNames.emplace(node.target, std::string()).second)
                nodes.push_back(&node);
        }
        const auto group = [this](const Node* node) {
            return groupOf(m_graph.attributes().find(node->target)->kind);
        };
        std::stable_sort(nodes.begin(), nodes.end(),
                         [&](const Node* a, const Node* b) { return group(a) < group(b); });
        static constexpr std::string_view kPrefixes[] = {"p_", "b_", "c_"};
        for (const Node* node : nodes) {
            std::string name =
                names.create(std::string(kPrefixes[group(node)]) + snakeCase(node->target));
            m_liftedNames[node->target] = name;
            m_lifted.push_back({std::move(name), node->id});
            const Attribute& attribute = *m_graph.attributes().find(node->target);
            const TensorMeta* meta = node->val.tensor();
            const bool requiresGrad = meta ? meta->requiresGrad : false;
            if (!meta)
                return badInput("node '" + node->name + "'", "its shape is not known");
            m_weights.push_back({node->target, attribute, requiresGrad});
        }
        return {};
    }

    void named(std::string_view key, const std::string& name)
    {
        m_json.key(key);
        m_json.open();
        m_json.member("name", name);
        m_json.close();
    }

    Result<void> signature()
    {
        m_json.key("signature");
        m_json.open();
        m_json.key("input_specs");
        m_json.openList();
        for (std::size_t i = 0; i < m_lifted.size(); ++i)
            liftedSpec(m_lifted[i], m_weights[i]);
        for (const NodeId id : m_graph.placeholders()) {
            const Node& placeholder = m_graph.node(id);
            m_json.open();
            if (const std::optional<Argument> literal = GraphWriter::literalOf(placeholder)) {
                m_json.key("constant_input");
                m_json.open();
                m_json.member("name", m_writer.nameOf(id));
                m_json.key("value");
                PT2E_TRY(m_writer.argument(*literal, placeholder));
                m_json.close();
                m_json.close();
                continue;
            }
            m_json.key("user_input");
            m_json.open();
            m_json.key("arg");
            PT2E_TRY(m_writer.argument(Argument(id), placeholder));
            m_json.close();
            m_json.close();
        }
        m_json.closeList();
        m_json.key("output_specs");
        m_json.openList();
        const std::vector<Argument> results = m_writer.results();
        const std::vector<NodeId>& mutations = m_writer.mutations();
        for (std::size_t i = 0; i < results.size(); ++i) {
            m_json.open();
            if (i < mutations.size()) {
                mutationSpec(m_graph.node(m_graph.node(mutations[i]).args[0].node()), results[i]);
            } else {
                m_json.key("user_output");
                m_json.open();
                m_json.key("arg");
                PT2E_TRY(m_writer.argument(results[i], *m_graph.output()));
                m_json.close();
            }
            m_json.close();
        }
        m_json.closeList();
        m_json.close();
        return {};
    }

    void mutationSpec(const Node& target, const Argument& value)
    {
        const Attribute* attribute = m_graph.attributes().find(target.target);
        const bool isInput = target.is(OpKind::Placeholder);
        const std::string kind = isInput                                       ? "user_input"
                                 : attribute->kind == AttributeKind::Parameter ? "parameter"
                                                                               : "buffer";
        m_json.key(kind + "_mutation");
        m_json.open();
        named("arg", m_writer.nameOf(value.node()));
        m_json.member(kind + "_name", isInput ? m_writer.nameOf(target.id) : target.target);
        m_json.close();
    }

    void liftedSpec(const Lifted& lifted, const LiftedWeight& weight)
    {
        static constexpr std::string_view kKinds[] = {"parameter", "buffer", "tensor_constant"};
        const std::string kind(kKinds[groupOf(weight.attribute.kind)]);
        m_json.open();
        m_json.key(kind);
        m_json.open();
        named("arg", lifted.name);
        m_json.member(kind + "_name", weight.fqn);
        if (kind == "buffer")
            m_json.member("persistent", weight.attribute.kind == AttributeKind::Buffer);
        m_json.close();
        m_json.close();
    }

    static std::string leafSpecs(std::size_t count)
    {
        std::string specs;
        for (std::size_t i = 0; i < count; ++i)
            specs += std::string(i > 0 ? ", " : "")
                     + R"({"type": null, "context": null, "children_spec": []})";
        return specs;
    }
    static std::string tupleSpec(const std::string& children)
    {
        return R"({"type": "builtins.tuple", "context": "null", "children_spec": [)" + children
               + "]}";
    }

    void moduleCalls()
    {
        const std::vector<NodeId> users = m_graph.placeholders();
        std::string inSpec = m_options.inSpec;
        std::string outSpec = m_options.outSpec;
        if (inSpec.empty())
            inSpec = "[1, "
                     + tupleSpec(tupleSpec(leafSpecs(users.size()))
                                 + R"(, {"type": "builtins.dict", "context": "[]", )"
                                   R"("children_spec": []})")
                     + "]";
        const std::size_t count = m_writer.results().size() - m_writer.mutations().size();
        if (outSpec.empty())
            outSpec = "[1, " + (count == 1 ? leafSpecs(1) : tupleSpec(leafSpecs(count))) + "]";
        m_json.key("module_call_graph");
        m_json.openList();
        m_json.open();
        m_json.member("fqn", "");
        m_json.key("signature");
        m_json.open();
        for (const std::string_view key : {"inputs", "outputs"}) {
            m_json.key(key);
            m_json.openList();
            m_json.closeList();
        }
        m_json.member("in_spec", inSpec);
        m_json.member("out_spec", outSpec);
        m_json.key("forward_arg_names");
        if (m_options.inSpec.empty()) {
            m_json.openList();
            for (const NodeId id : users)
                m_json.value(m_writer.nameOf(id));
            m_json.closeList();
        } else {
            m_json.null();
        }
        m_json.close();
        m_json.close();
        modulePaths();
        m_json.closeList();
    }

    /// The other entries give the modules' order; they are those that the nodes' stacks name.
    void modulePaths()
    {
        std::vector<std::string> paths;
        for (const Node& node : m_graph) {
            if (!node.fileMeta)
                continue;
            for (const ModuleFrame& frame : node.fileMeta->moduleStack) {
                if (!frame.path.empty() && m_seenPaths.insert(frame.path).second)
                    paths.push_back(frame.path);
            }
        }
        for (const std::string& path : paths) {
            m_json.open();
            m_json.member("fqn", path);
            m_json.key("signature");
            m_json.null();
            m_json.close();
        }
    }

    void header()
    {
        m_json.key("opset_version");
        m_json.open();
        m_json.member("aten", kOpset);
        m_json.close();
        m_json.key("range_constraints");
        m_json.open();
        for (const RangeConstraint& range : m_options.ranges) {
            m_json.key(range.expression);
            m_json.open();
            for (const auto& [key, bound] :
                 {std::pair{"min_val", range.low}, std::pair{"max_val", range.high}}) {
                m_json.key(key);
                if (bound)
                    m_json.value(*bound);
                else
                    m_json.null();
            }
            m_json.close();
        }
        m_json.close();
        m_json.key("schema_version");
        m_json.open();
        m_json.member("major", kSchemaMajor);
        m_json.member("minor", std::int64_t{m_options.schemaMinor});
        m_json.close();
        m_json.key("verifiers");
        m_json.openList();
        for (const std::string& verifier : m_options.verifiers)
            m_json.value(verifier);
        m_json.closeList();
        m_json.member("torch_version", m_options.torchVersion);
        m_json.key("guards_code");
        m_json.openList();
        m_json.closeList();
    }

    JsonText m_json;
    const Graph& m_graph;
    const WriteOptions& m_options;
    std::unordered_map<std::string, std::string> m_liftedNames;
    GraphWriter m_writer;
    std::vector<Lifted> m_lifted;
    std::vector<LiftedWeight> m_weights;
    std::unordered_set<std::string> m_seenPaths;
};

} // namespace

Result<WrittenProgram> writeProgramJson(const Graph& graph, const WriteOptions& options)
{
    return ProgramJsonWriter(graph, options).write();
}

std::string tensorMetaJson(const Tensor& tensor, bool requiresGrad)
{
    JsonText json;
    TensorMeta meta = tensor.meta();
    meta.requiresGrad = requiresGrad;
    // A real tensor has numbers only; nothing can fail.
    [[maybe_unused]] const Result<void> written = writeTensorMeta(json, meta, tensor.offset());
    return json.text();
}

} // namespace pt2e::pt2

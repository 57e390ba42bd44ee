// PortNodeMetaForQDQ of torchao: q and dq take over the stack trace of the op they belong to, so that a line of the
// model's source has all that became of it. torchao 0.18 ports no module path.
#include "core/passes/Catalogue.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

namespace pt2e {

namespace {

bool isOneOf(const Node& node, std::span<const std::string_view> targets)
{
    return node.is(OpKind::CallFunction)
           && std::find(targets.begin(), targets.end(), node.target) != targets.end();
}

constexpr std::string_view kQuantize[] = {"quantized_decomposed.quantize_per_tensor.default",
                                          "quantized_decomposed.quantize_per_tensor.tensor",
                                          "quantized_decomposed.quantize_per_channel.default",
                                          "torchao.quantize_affine.default"};
constexpr std::string_view kDequantize[] = {"quantized_decomposed.dequantize_per_tensor.default",
                                            "quantized_decomposed.dequantize_per_tensor.tensor",
                                            "quantized_decomposed.dequantize_per_channel.default",
                                            "torchao.dequantize_affine.default"};
constexpr std::string_view kChoose[] = {"quantized_decomposed.choose_qparams.tensor",
                                        "quantized_decomposed.choose_qparams_symmetric.tensor",
                                        "torchao.choose_qparams_affine.default"};
/// What may stand between a weight and its q.
constexpr std::string_view kViews[] = {
    "aten.flatten.using_ints", "aten.permute.default",   "aten.permute_copy.default",
    "aten.slice_copy.Tensor",  "aten.squeeze.dim",       "aten.squeeze_copy.dim",
    "aten.transpose.int",      "aten.view_copy.default", "aten.view.default"};

class Port
{
public:
    Port(GraphEditor& editor, const AnnotationTable& annotations)
        : m_editor(editor),
          m_annotations(annotations)
    {}

    void run()
    {
        for (const NodeId id : graph().order()) {
            const Annotation* annotation = m_annotations.find(id);
            if (!annotation || !annotation->isValid())
                continue;
            for (const auto& [input, spec] : annotation->inputs) {
                const auto* observed = std::get_if<ObservedSpec>(&spec);
                const auto* derived = std::get_if<DerivedSpec>(&spec);
                if ((observed && observed->isDynamic) || (derived && derived->isDynamic))
                    portDynamic(input, id);
                else if (!isNone(spec))
                    portInput(input, id);
            }
            if (!isNone(annotation->output))
                portOutput(id);
        }
    }

private:
    const Graph& graph() const { return m_editor.graph(); }

    /// _add_metadata: nothing is taken away where the other node has none.
    void add(NodeId to, NodeId from)
    {
        const auto& theirs = graph().node(from).fileMeta;
        if (!theirs || theirs->stackTrace.empty())
            return;
        const auto& own = graph().node(to).fileMeta;
        auto meta = own ? std::make_shared<FileMeta>(*own) : std::make_shared<FileMeta>();
        meta->stackTrace = theirs->stackTrace;
        const auto isTrace = [](const auto& entry) { return entry.first == "stack_trace"; };
        std::erase_if(meta->raw, isTrace);
        const auto raw = std::find_if(theirs->raw.begin(), theirs->raw.end(), isTrace);
        if (raw != theirs->raw.end())
            meta->raw.push_back(*raw);
        m_editor.setFileMeta(to, std::move(meta));
    }

    /// Users that ask for more than the shape.
    std::vector<NodeId> usersOf(NodeId id) const
    {
        std::vector<NodeId> users;
        for (const NodeId user : graph().node(id).users) {
            const std::string& target = graph().node(user).target;
            if (!target.starts_with("aten.sym_size.") && !target.starts_with("aten.sym_numel."))
                users.push_back(user);
        }
        return users;
    }

    bool isConnected(NodeId source, NodeId at) const
    {
        const Node* node = graph().find(at);
        while (node
               && (isOneOf(*node, kQuantize) || isOneOf(*node, kDequantize)
                   || node->calls(kChoose[0])))
            node = graph().find(node->arg(0).node());
        return node && node->id == source;
    }

    void portInput(NodeId input, NodeId user)
    {
        NodeId dequantize;
        for (const Argument& argument : graph().node(user).args) {
            const Node* node = argument.node() ? graph().find(argument.node()) : nullptr;
            if (node && isOneOf(*node, kDequantize) && isConnected(input, node->id)) {
                dequantize = node->id;
                break;
            }
        }
        const Node* quantize =
            dequantize ? graph().find(graph().node(dequantize).arg(0).node()) : nullptr;
        if (!quantize || !isOneOf(*quantize, kQuantize))
            return;
        std::vector<NodeId> chain = {quantize->id};
        const Node* above = graph().find(quantize->arg(0).node());
        while (above && isOneOf(*above, kViews)) {
            chain.push_back(above->id);
            above = graph().find(above->arg(0).node());
        }
        if (above && above->is(OpKind::GetAttr)) {
            for (const NodeId node : chain)
                add(node, above->id);
        }
        add(dequantize, user);
    }

    /// _find_choose_qparams_node: the nearest one below.
    NodeId chooserBelow(NodeId input) const
    {
        const auto& users = graph().node(input).users;
        std::deque<NodeId> open(users.begin(), users.end());
        std::unordered_set<NodeId> seen;
        while (!open.empty()) {
            const Node& node = graph().node(open.front());
            open.pop_front();
            if (!seen.insert(node.id).second)
                continue;
            if (isOneOf(node, kChoose))
                return node.id;
            open.insert(open.end(), node.users.begin(), node.users.end());
        }
        return {};
    }

    /// The last user of choose_qparams is the zero point; q is its first user, dq that one's last.
    void portDynamic(NodeId input, NodeId user)
    {
        const NodeId chooser = graph().contains(input) ? chooserBelow(input) : NodeId{};
        const auto items = chooser ? usersOf(chooser) : std::vector<NodeId>();
        if (items.empty() || graph().node(items.back()).users.empty())
            return;
        const NodeId quantize = graph().node(items.back()).users.front();
        const auto dequantize = usersOf(quantize);
        add(chooser, user);
        add(quantize, user);
        if (!dequantize.empty())
            add(dequantize.back(), user);
    }

    void portOutput(NodeId id)
    {
        const auto users = usersOf(id);
        if (!users.empty() && isOneOf(graph().node(users.back()), kQuantize))
            add(users.back(), id);
    }

    GraphEditor& m_editor;
    const AnnotationTable& m_annotations;
};

} // namespace

Result<void> portMetadata(GraphEditor& editor, ConvertState& state)
{
    Port(editor, state.annotations).run();
    return {};
}

} // namespace pt2e

#include "core/ir/GraphEditor.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace pt2e {

GraphEditor::GraphEditor() = default;

GraphEditor::GraphEditor(Graph graph) : m_graph(std::move(graph)) {}

GraphEditor::GraphEditor(std::uint32_t firstId) { m_graph.m_nextId = firstId; }

void GraphEditor::setNextId(std::uint32_t id)
{
    assert(id >= m_graph.m_nextId);
    m_graph.m_nextId = id;
}

GraphPtr GraphEditor::publish() &&
{
    // It never grows again, and every stage and pass keeps one.
    m_graph.m_slots.shrink_to_fit();
    m_graph.m_slotById.shrink_to_fit();
    return std::make_shared<const Graph>(std::move(m_graph));
}

// ---- nodes

NodeId GraphEditor::insert(InsertPoint& at, NewNode recipe)
{
    const NodeId id{m_graph.m_nextId++};
    auto made = std::make_shared<Node>();
    Node& node = *made;
    node.id = id;
    node.kind = recipe.kind;
    node.name =
        names().create(recipe.nameCandidate.empty()
                           ? candidateFor(recipe.target, recipe.kind == OpKind::CallFunction)
                           : recipe.nameCandidate);
    node.target = std::move(recipe.target);
    node.args = std::move(recipe.args);
    node.kwargs = std::move(recipe.kwargs);
    node.val = std::move(recipe.val);
    node.fileMeta = std::move(recipe.fileMeta);
    node.origin = std::move(recipe.origin);

    const auto index = static_cast<std::uint32_t>(m_graph.m_slots.size());
    m_ownNodes.resize(m_graph.m_slots.size());
    m_ownNodes.push_back(made.get());
    m_graph.m_slots.push_back({std::move(made)});
    if (m_graph.m_slotById.size() <= id.value)
        m_graph.m_slotById.resize(id.value + 1, 0);
    m_graph.m_slotById[id.value] = index;
    ++m_graph.m_size;

    std::uint32_t before = 0; // the sentinel: at the end
    if (at.m_kind == InsertPoint::Kind::Before)
        before = m_graph.slotOf(at.m_node);
    else if (at.m_kind == InsertPoint::Kind::After)
        before = m_graph.m_slots[m_graph.slotOf(at.m_node)].next;
    linkBefore(index, before);
    if (at.m_kind == InsertPoint::Kind::After)
        at.m_node = id;
    addToUsers(node);
    return id;
}

NodeId GraphEditor::append(NewNode node)
{
    InsertPoint end = InsertPoint::atEnd();
    return insert(end, std::move(node));
}

NodeId GraphEditor::copy(InsertPoint& at, NodeId source)
{
    const Node& node = m_graph.node(source);
    NewNode twin;
    twin.kind = node.kind;
    twin.target = node.target;
    twin.args = node.args;
    twin.kwargs = node.kwargs;
    twin.nameCandidate = node.name;
    twin.val = node.val;
    twin.fileMeta = node.fileMeta;
    twin.origin = Origin{OriginKind::Duplicated, source, {}};
    return insert(at, std::move(twin));
}

void GraphEditor::erase(NodeId id)
{
    const std::uint32_t slot = m_graph.slotOf(id);
    assert(slot != 0 && m_graph.m_slots[slot].node->users.empty());
    removeFromUsers(*m_graph.m_slots[slot].node);
    unlink(slot);
    m_graph.m_slotById[id.value] = 0;
    m_replaced.push_back(std::move(m_graph.m_slots[slot].node));
    m_graph.m_slots[slot] = {};
    if (slot < m_ownNodes.size())
        m_ownNodes[slot] = nullptr;
    --m_graph.m_size;
}

void GraphEditor::setArgs(NodeId id, Arguments args)
{
    setArgsAndKwargs(id, std::move(args), m_graph.node(id).kwargs);
}

void GraphEditor::setKwargs(NodeId id, KeywordArguments kwargs)
{
    setArgsAndKwargs(id, m_graph.node(id).args, std::move(kwargs));
}

void GraphEditor::setArgsAndKwargs(NodeId id, Arguments args, KeywordArguments kwargs)
{
    Node& node = mutableNode(id);
    removeFromUsers(node);
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    addToUsers(node);
}

void GraphEditor::replaceInput(NodeId id, NodeId oldInput, NodeId newInput)
{
    const Node& node = m_graph.node(id);
    const auto map = [&](NodeId input) { return Argument(input == oldInput ? newInput : input); };
    Arguments args;
    args.reserve(node.args.size());
    for (const Argument& argument : node.args)
        args.push_back(mapNodes(argument, map));
    KeywordArguments kwargs;
    kwargs.reserve(node.kwargs.size());
    for (const auto& [key, argument] : node.kwargs)
        kwargs.emplace_back(key, mapNodes(argument, map));
    setArgsAndKwargs(id, std::move(args), std::move(kwargs));
}

void GraphEditor::replaceAllUses(NodeId from, NodeId to, const std::function<bool(NodeId)>& keep)
{
    const std::vector<NodeId> users = m_graph.node(from).users;
    for (const NodeId user : users) {
        if (!keep || !keep(user))
            replaceInput(user, from, to);
    }
}

void GraphEditor::setTarget(NodeId id, std::string target)
{
    mutableNode(id).target = std::move(target);
}

void GraphEditor::morph(NodeId id, OpKind kind, std::string target)
{
    Node& node = mutableNode(id);
    node.kind = kind;
    node.target = std::move(target);
}

void GraphEditor::setName(NodeId id, std::string name)
{
    names().reserve(name);
    mutableNode(id).name = std::move(name);
}

void GraphEditor::setVal(NodeId id, ValueMeta val) { mutableNode(id).val = std::move(val); }

void GraphEditor::setOrigin(NodeId id, Origin origin)
{
    mutableNode(id).origin = std::move(origin);
}

void GraphEditor::setFileMeta(NodeId id, std::shared_ptr<const FileMeta> meta)
{
    mutableNode(id).fileMeta = std::move(meta);
}

std::size_t GraphEditor::eliminateDeadCode(const std::function<bool(const Node&)>& isImpureModule)
{
    std::size_t erased = 0;
    std::uint32_t slot = m_graph.m_slots[0].previous;
    while (slot != 0) {
        const std::uint32_t previous = m_graph.m_slots[slot].previous;
        const Node& node = *m_graph.m_slots[slot].node;
        const bool keep =
            !node.users.empty() || isImpure(node)
            || (node.is(OpKind::CallModule) && isImpureModule && isImpureModule(node));
        if (!keep) {
            erase(node.id);
            ++erased;
        }
        slot = previous;
    }
    // FX goes on in the bodies that are still named.
    for (const Node& node : m_graph) {
        if (!node.is(OpKind::GetAttr) || !m_graph.m_subgraphs.contains(node.target))
            continue;
        GraphEditor body{Graph(**m_graph.m_subgraphs.find(node.target))};
        const std::size_t inside = body.eliminateDeadCode(isImpureModule);
        if (inside > 0)
            setSubgraph(node.target, std::move(body).publish());
        erased += inside;
    }
    return erased;
}

// ---- module state

void GraphEditor::setAttribute(std::string name, Attribute value)
{
    own(m_graph.m_attributes, m_ownAttributes).set(std::move(name), std::move(value));
}

bool GraphEditor::eraseAttribute(const std::string& name)
{
    return own(m_graph.m_attributes, m_ownAttributes).erase(name);
}

void GraphEditor::setModule(std::string name, ModuleRef module)
{
    own(m_graph.m_modules, m_ownModules).set(std::move(name), std::move(module));
}

bool GraphEditor::eraseModule(const std::string& name)
{
    return own(m_graph.m_modules, m_ownModules).erase(name);
}

void GraphEditor::setSubgraph(std::string name, GraphPtr body)
{
    m_graph.m_subgraphs.set(std::move(name), std::move(body));
}

std::string GraphEditor::freeAttributeName(const std::string& prefix) const
{
    for (std::size_t i = 0;; ++i) {
        std::string name = prefix + std::to_string(i);
        if (!m_graph.m_attributes->contains(name) && !m_graph.m_modules->contains(name)
            && !m_graph.m_subgraphs.contains(name))
            return name;
    }
}

// ---- plumbing

Node& GraphEditor::mutableNode(NodeId id)
{
    const std::uint32_t slot = m_graph.slotOf(id);
    assert(slot != 0 && "node is not in this graph");
    if (m_ownNodes.size() <= slot)
        m_ownNodes.resize(m_graph.m_slots.size());
    return own(m_graph.m_slots[slot].node, m_ownNodes[slot]);
}

Namespace& GraphEditor::names()
{
    if (m_graph.m_copyMark.wasCopied())
        forgetOwn();
    if (!m_ownNames) {
        auto own = std::make_shared<Namespace>(m_graph.m_names);
        m_ownNames = own.get();
        m_graph.m_names = std::move(own);
    }
    return *m_ownNames;
}

void GraphEditor::forgetOwn()
{
    std::fill(m_ownNodes.begin(), m_ownNodes.end(), nullptr);
    m_ownNames = nullptr;
    m_ownAttributes = nullptr;
    m_ownModules = nullptr;
}

void GraphEditor::unlink(std::uint32_t slot)
{
    const Graph::Slot& gone = m_graph.m_slots[slot];
    m_graph.m_slots[gone.previous].next = gone.next;
    m_graph.m_slots[gone.next].previous = gone.previous;
}

void GraphEditor::linkBefore(std::uint32_t slot, std::uint32_t at)
{
    const std::uint32_t previous = m_graph.m_slots[at].previous;
    m_graph.m_slots[slot].previous = previous;
    m_graph.m_slots[slot].next = at;
    m_graph.m_slots[previous].next = slot;
    m_graph.m_slots[at].previous = slot;
}

void GraphEditor::removeFromUsers(const Node& node)
{
    for (const NodeId input : node.inputs()) {
        std::vector<NodeId>& users = mutableNode(input).users;
        users.erase(std::remove(users.begin(), users.end(), node.id), users.end());
    }
}

void GraphEditor::addToUsers(const Node& node)
{
    for (const NodeId input : node.inputs())
        mutableNode(input).users.push_back(node.id);
}

bool isImpure(const Node& node)
{
    if (node.is(OpKind::Placeholder) || node.is(OpKind::Output))
        return true;
    if (!node.is(OpKind::CallFunction))
        return false;
    // Ops tagged nondeterministic_seeded, and FX's list of side effects (torch 2.13).
    static const std::unordered_set<std::string_view> kImpure{
        "alpha_dropout",
        "bernoulli",
        "binomial",
        "cauchy",
        "dropout",
        "exponential",
        "feature_alpha_dropout",
        "feature_dropout",
        "geometric",
        "gru",
        "log_normal",
        "lstm",
        "multinomial",
        "native_dropout",
        "normal",
        "normal_functional",
        "poisson",
        "rand",
        "rand_like",
        "randint",
        "randint_like",
        "randn",
        "randn_like",
        "random",
        "randperm",
        "rnn_relu",
        "rnn_tanh",
        "rrelu",
        "rrelu_with_noise",
        "rrelu_with_noise_functional",
        "scaled_dot_product_attention",
        "uniform",
        "_fused_dropout",
        "_fused_sdp_choice",
        "_standard_gamma",
        "_sample_dirichlet",
        "_scaled_dot_product_attention_math",
        "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_efficient_attention",
        "_scaled_dot_product_flash_attention",
        "_scaled_dot_product_flash_attention_for_cpu",
        "_scaled_dot_product_fused_attention_overrideable",
        "_triton_scaled_dot_attention",
        "_flash_attention_forward",
        "_efficient_attention_forward",
        "_assert_scalar",
        "_assert_tensor_metadata",
        "sym_constrain_range",
        "sym_constrain_range_for_size",
        "_sink_tokens",
        "_assert_async"};
    return mutatesArgument(node.target) || kImpure.contains(shortOpName(node.target));
}

} // namespace pt2e

#include "core/view/ModuleTree.h"

#include "core/passes/Qdq.h"

#include <algorithm>
#include <functional>

namespace pt2e {

namespace {

/// Mixes a part into a hash (the constants are those of splitmix64).
void mix(std::uint64_t& hash, std::uint64_t part)
{
    hash += 0x9e3779b97f4a7c15U + part;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
    hash ^= hash >> 31U;
}

void mix(std::uint64_t& hash, std::string_view text)
{
    mix(hash, std::hash<std::string_view>()(text));
}

void mixMeta(std::uint64_t& hash, const TensorMeta& meta)
{
    mix(hash, static_cast<std::uint64_t>(meta.dtype));
    mix(hash, shapeText(meta.shape));
}

void mixArgument(std::uint64_t& hash, const Argument& argument,
                 const std::function<void(NodeId)>& mixNode)
{
    mix(hash, argument.value().index());
    const auto mixValue = [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, NodeId>)
            mixNode(value);
        else if constexpr (std::is_same_v<T, ArgumentList>)
            for (const Argument& item : value.items)
                mixArgument(hash, item, mixNode);
        else if constexpr (std::is_same_v<T, std::string>)
            mix(hash, value);
        else if constexpr (std::is_same_v<T, SymbolArgument>)
            mix(hash, value.expression);
        else if constexpr (std::is_same_v<T, OpaqueArgument>)
            mix(hash, value.repr);
        else if constexpr (std::is_same_v<T, double>)
            mix(hash, std::hash<double>()(value));
        else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            mix(hash, static_cast<std::uint64_t>(value));
    };
    std::visit(mixValue, argument.value());
}

std::string shortClass(const std::string& name)
{
    const auto dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

} // namespace

ModuleTree::ModuleTree(const Graph& exported) : m_graph(exported)
{
    std::vector<int> open; // calls around the last op, outermost first
    for (const Node& node : exported)
        if (node.is(OpKind::CallFunction) && node.fileMeta && !isQuantize(node)
            && !isDequantize(node))
            add(node, open);
    m_structures.resize(m_calls.size(), 0);
}

void ModuleTree::add(const Node& node, std::vector<int>& open)
{
    const int index = static_cast<int>(m_ops.size());
    std::size_t level = 0;
    for (const ModuleFrame& frame : node.fileMeta->moduleStack) {
        if (frame.path.empty())
            continue; // the model itself
        if (level < open.size()
            && (call(open[level]).path != frame.path
                || m_keys[static_cast<std::size_t>(open[level])] != frame.key))
            open.resize(level);
        if (level == open.size()) {
            const int parent = level == 0 ? -1 : open[level - 1];
            open.push_back(static_cast<int>(m_calls.size()));
            m_calls.push_back({frame.path, shortClass(frame.className), static_cast<int>(level) + 1,
                               parent, index, index});
            m_keys.push_back(frame.key);
        }
        ++level;
    }
    open.resize(level);
    for (const int around : open)
        m_calls[static_cast<std::size_t>(around)].end = index + 1;
    m_ops.push_back(node.id);
    m_callOf.push_back(open.empty() ? -1 : open.back());
    m_indexOf.emplace(node.id, index);
}

int ModuleTree::callOf(NodeId op) const
{
    const auto it = m_indexOf.find(op);
    return it == m_indexOf.end() ? -1 : m_callOf[static_cast<std::size_t>(it->second)];
}

int ModuleTree::deepest() const
{
    int depth = 0;
    for (const ModuleCall& call : m_calls)
        depth = call.size() > 1 ? std::max(depth, call.depth) : depth;
    return depth;
}

bool ModuleTree::areAlike(int call, int other) const
{
    const auto structure = [this](int i) {
        auto& known = m_structures[static_cast<std::size_t>(i)];
        known = known == 0 ? structureOf(this->call(i)) | 1U : known;
        return known;
    };
    const ModuleCall& a = this->call(call);
    const ModuleCall& b = this->call(other);
    return a.className == b.className && a.size() == b.size()
           && structure(call) == structure(other);
}

/// Ops are named by their place in the call, what comes from outside by the order in which it is first read, weights
/// by their shape.
std::uint64_t ModuleTree::structureOf(const ModuleCall& call) const
{
    std::uint64_t hash = 1;
    std::unordered_map<NodeId, std::uint64_t> outside;
    const auto mixNode = [&](NodeId id) {
        const auto it = m_indexOf.find(id);
        if (it != m_indexOf.end() && it->second >= call.begin && it->second < call.end) {
            mix(hash, static_cast<std::uint64_t>(it->second - call.begin));
            return;
        }
        const Node* node = m_graph.find(id);
        const auto* attribute =
            node && node->is(OpKind::GetAttr) ? m_graph.attributes().find(node->target) : nullptr;
        if (attribute && attribute->value.isValid())
            mixMeta(hash, attribute->value.meta());
        else
            mix(hash, ~outside.emplace(id, outside.size()).first->second);
    };
    for (int i = call.begin; i < call.end; ++i) {
        const Node& node = m_graph.node(m_ops[static_cast<std::size_t>(i)]);
        mix(hash, node.target);
        for (const Argument& argument : node.args)
            mixArgument(hash, argument, mixNode);
        for (const auto& [name, argument] : node.kwargs) {
            mix(hash, name);
            mixArgument(hash, argument, mixNode);
        }
        if (const TensorMeta* meta = node.val.tensor())
            mixMeta(hash, *meta);
    }
    return hash;
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

namespace {

class Folder
{
public:
    Folder(const ModuleTree& tree, const ModuleFolding& folding)
        : m_tree(tree),
          m_folding(folding),
          m_inner(tree.calls().size() + 1)
    {
        for (std::size_t i = 0; i < tree.calls().size(); ++i)
            m_inner[static_cast<std::size_t>(tree.calls()[i].parent + 1)].push_back(
                static_cast<int>(i));
    }

    ModuleBoxes run()
    {
        if (!m_folding.isFlat())
            foldIn(-1);
        return std::move(m_result);
    }

private:
    bool isBox(int call) const
    {
        const ModuleCall& c = m_tree.call(call);
        return c.size() > 1 && m_folding.isBox(c.path, c.depth);
    }

    bool follows(int call, int next) const
    {
        return isBox(next) && m_tree.call(call).end == m_tree.call(next).begin
               && m_tree.areAlike(call, next);
    }

    void foldIn(int call)
    {
        const auto& inner = m_inner[static_cast<std::size_t>(call + 1)];
        for (std::size_t i = 0; i < inner.size(); ++i) {
            if (!isBox(inner[i])) {
                foldIn(inner[i]);
                continue;
            }
            std::size_t last = i;
            while (m_folding.repeats && last + 1 < inner.size()
                   && follows(inner[last], inner[last + 1]))
                ++last;
            addBox({inner.begin() + static_cast<std::ptrdiff_t>(i),
                    inner.begin() + static_cast<std::ptrdiff_t>(last) + 1});
            i = last;
        }
    }

    void addBox(const std::vector<int>& calls)
    {
        const int index = static_cast<int>(m_result.boxes.size());
        ModuleBox box;
        const ModuleCall& first = m_tree.call(calls.front());
        const ModuleCall& last = m_tree.call(calls.back());
        box.title = first.path;
        if (calls.size() > 1)
            box.title += (first.path == last.path ? "" : " … " + last.path) + " × "
                         + std::to_string(calls.size());
        box.className = first.className;
        for (const int call : calls)
            box.paths.push_back(m_tree.call(call).path);
        box.ops = last.end - first.begin;
        for (int i = first.begin; i < last.end; ++i)
            m_result.boxOf.emplace(m_tree.ops()[static_cast<std::size_t>(i)], index);
        m_result.boxes.push_back(std::move(box));
    }

    const ModuleTree& m_tree;
    const ModuleFolding& m_folding;
    std::vector<std::vector<int>> m_inner; ///< calls in call - 1, the model first
    ModuleBoxes m_result;
};

} // namespace

ModuleBoxes foldModules(const ModuleTree& tree, const ModuleFolding& folding)
{
    return Folder(tree, folding).run();
}

} // namespace pt2e

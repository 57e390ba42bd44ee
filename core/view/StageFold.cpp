// StageView::folded: collapsed modules in one stage.
#include "core/view/ModuleTree.h"
#include "core/view/StageView.h"

#include <algorithm>
#include <utility>

namespace pt2e {

namespace {

using Boxes = std::vector<int>; ///< a small set, sorted

void unite(Boxes& into, const Boxes& more)
{
    Boxes both;
    std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(both));
    into = std::move(both);
}

/// Adds `index` to a list of inputs or users, once and not to itself.
void addOnce(std::vector<int>& list, int index, int self)
{
    if (index != self && std::find(list.begin(), list.end(), index) == list.end())
        list.push_back(index);
}

} // namespace

int StageView::nodeOfBox(int box) const
{
    const auto at = static_cast<std::size_t>(box);
    return at < m_nodeOfBox.size() ? m_nodeOfBox[at] : -1;
}

StageView StageView::folded(const ModuleTree& tree, const ModuleBoxes& wanted) const
{
    StageView view(*this, wanted);
    view.replaceMembers(*this, findMembers(tree, wanted));
    return view;
}

/// The nodes without lines.
StageView::StageView(const StageView& flat, const ModuleBoxes& wanted)
    : stage(flat.stage),
      recipe(flat.recipe),
      graph(flat.graph),
      nodes(flat.nodes.size()),
      boxes(&wanted),
      m_flat(flat.m_flat)
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].node = flat.nodes[i].node;
        nodes[i].role = flat.nodes[i].role;
        nodes[i].kind = flat.nodes[i].kind;
    }
}

/// Per node its box, or -1.
std::vector<int> StageView::findMembers(const ModuleTree& tree, const ModuleBoxes& wanted) const
{
    std::vector<int> boxOf(nodes.size(), -1);
    // What no module names: observers, q, dq, and ops that a pass put in. It belongs to the box it leaves and enters.
    std::vector<bool> isLoose(nodes.size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = *nodes[i].node;
        auto box = wanted.boxOf.find(node.id);
        if (box == wanted.boxOf.end() && node.origin.kind == OriginKind::Decomposed)
            box = wanted.boxOf.find(node.origin.node);
        if (box != wanted.boxOf.end() && nodes[i].role == ViewRole::Core)
            boxOf[i] = box->second;
        else
            isLoose[i] = nodes[i].role == ViewRole::Decoration
                         || (nodes[i].kind == ItemKind::Op && !tree.isTraced(node.id));
    }
    const auto around = [&](std::size_t i, bool up, const std::vector<Boxes>& known) {
        Boxes found;
        for (const int n : up ? nodes[i].in : nodes[i].out) {
            const auto next = static_cast<std::size_t>(n);
            if (boxOf[next] >= 0)
                unite(found, {boxOf[next]});
            else if (isLoose[next])
                unite(found, known[next]);
        }
        return found;
    };
    std::vector<Boxes> above(nodes.size());
    std::vector<Boxes> below(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (isLoose[i])
            above[i] = around(i, true, above);
    for (std::size_t i = nodes.size(); i-- > 0;)
        if (isLoose[i])
            below[i] = around(i, false, below);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Boxes both;
        std::set_intersection(above[i].begin(), above[i].end(), below[i].begin(), below[i].end(),
                              std::back_inserter(both));
        if (!both.empty())
            boxOf[i] = both.front();
    }
    return boxOf;
}

void StageView::replaceMembers(const StageView& flat, const std::vector<int>& boxOf)
{
    m_nodeOfBox.assign(boxes->boxes.size(), -1);
    std::vector<int> standsFor(nodes.size());
    std::vector<std::vector<int>> members(boxes->boxes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const int self = static_cast<int>(i);
        standsFor[i] = self;
        if (boxOf[i] < 0)
            continue;
        const auto box = static_cast<std::size_t>(boxOf[i]);
        if (m_nodeOfBox[box] < 0)
            m_nodeOfBox[box] = self;
        members[box].push_back(self);
    }
    std::vector<bool> gives(boxes->boxes.size(), false);
    std::vector<bool> givesFloat(boxes->boxes.size(), false);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (boxOf[i] < 0)
            continue;
        const auto box = static_cast<std::size_t>(boxOf[i]);
        standsFor[i] = m_nodeOfBox[box];
        for (const int user : flat.nodes[i].out)
            if (boxOf[static_cast<std::size_t>(user)] != boxOf[i]) {
                gives[box] = true;
                givesFloat[box] = givesFloat[box] || !flat.carriesInt8(static_cast<int>(i));
            }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const int self = standsFor[i];
        ViewNode& shown = nodes[static_cast<std::size_t>(self)];
        for (const int input : flat.nodes[i].in)
            addOnce(shown.in, standsFor[static_cast<std::size_t>(input)], self);
        for (const int user : flat.nodes[i].out)
            addOnce(shown.out, standsFor[static_cast<std::size_t>(user)], self);
        if (boxOf[i] >= 0)
            nodes[i].role = ViewRole::Inside;
    }
    m_standsFor = std::move(standsFor);
    std::vector<int> seenIn(nodes.size(), -1);
    for (std::size_t box = 0; box < members.size(); ++box) {
        const int head = m_nodeOfBox[box];
        if (head < 0)
            continue; // none of its ops is left in this stage
        ViewNode& node = nodes[static_cast<std::size_t>(head)];
        flat.addConstants(members[box], seenIn);
        node.kind = ItemKind::Module;
        node.role = ViewRole::Core;
        node.box = static_cast<int>(box);
        node.members = std::move(members[box]);
        node.givesInt8 = gives[box] && !givesFloat[box];
    }
}

/// What the members of a box read, each once; seenIn: per node the box that has it already, by its first member.
void StageView::addConstants(std::vector<int>& members, std::vector<int>& seenIn) const
{
    const std::size_t count = members.size();
    const int box = members.front();
    const auto add = [&](int constant) {
        if (std::exchange(seenIn[static_cast<std::size_t>(constant)], box) != box)
            members.push_back(constant);
    };
    for (std::size_t i = 0; i < count; ++i)
        for (const auto& chain : constantsOf(members[i]))
            for (const int constant : chain) {
                add(constant);
                for (const NodeId scale : scalesOf(constant))
                    add(indexOf(scale));
            }
}

} // namespace pt2e

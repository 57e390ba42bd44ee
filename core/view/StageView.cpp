#include "core/view/StageView.h"

#include "core/passes/Qdq.h"

#include <algorithm>

namespace pt2e {

namespace {

bool isByte(DType dtype) { return dtype == DType::Int8 || dtype == DType::UInt8; }

ItemKind kindOf(const Node& node)
{
    switch (node.kind) {
    case OpKind::Placeholder: return ItemKind::Placeholder;
    case OpKind::Output: return ItemKind::Output;
    case OpKind::GetAttr: return ItemKind::Weight;
    case OpKind::CallModule: return ItemKind::Observer;
    case OpKind::CallFunction: break;
    }
    if (isQuantize(node))
        return ItemKind::Quantize;
    return isDequantize(node) ? ItemKind::Dequantize : ItemKind::Op;
}

bool isDecoration(ItemKind kind)
{
    return kind == ItemKind::Observer || kind == ItemKind::Quantize || kind == ItemKind::Dequantize;
}

} // namespace

StageView::StageView(const Graph& g, StageKind s) : stage(s), graph(&g)
{
    const auto flat = std::make_shared<Flat>();
    m_flat = flat;
    nodes.reserve(g.size());
    flat->indexOf.reserve(g.size());
    flat->constants.resize(g.size());
    for (const Node& node : g) {
        flat->indexOf.emplace(node.id, static_cast<int>(nodes.size()));
        ViewNode v;
        v.node = &node;
        v.kind = kindOf(node);
        if (node.is(OpKind::GetAttr)) {
            v.role = ViewRole::Constant;
        } else if (isDecoration(v.kind)) {
            // An observer, q or dq is a constant if what it observes is one; scales and zero points do not count.
            const int data = node.args.empty() ? -1 : indexOf(node.args.front().node());
            const bool isConstant = data >= 0 && at(data).role == ViewRole::Constant;
            v.role = isConstant ? ViewRole::Constant : ViewRole::Decoration;
        }
        nodes.push_back(std::move(v));
        addInputs(static_cast<int>(nodes.size()) - 1, *flat);
    }
}

int StageView::indexOf(NodeId id) const
{
    const auto it = m_flat->indexOf.find(id);
    if (it == m_flat->indexOf.end())
        return -1;
    return m_standsFor.empty() ? it->second : m_standsFor[static_cast<std::size_t>(it->second)];
}

const std::vector<std::vector<int>>& StageView::constantsOf(int node) const
{
    static const std::vector<std::vector<int>> kNone;
    return at(node).kind == ItemKind::Module ? kNone
                                             : m_flat->constants[static_cast<std::size_t>(node)];
}

void StageView::addInputs(int index, Flat& flat)
{
    auto& v = nodes[static_cast<std::size_t>(index)];
    for (const NodeId input : v.node->inputs()) {
        const int i = indexOf(input);
        if (i < 0)
            continue;
        if (at(i).role != ViewRole::Constant) {
            v.in.push_back(i);
            nodes[static_cast<std::size_t>(i)].out.push_back(index);
            continue;
        }
        std::vector<int> chain;
        for (int c = i; c >= 0 && at(c).role == ViewRole::Constant;) {
            chain.push_back(c);
            const auto& args = at(c).node->args;
            c = isDecoration(at(c).kind) && !args.empty() ? indexOf(args.front().node()) : -1;
        }
        std::reverse(chain.begin(), chain.end());
        flat.constants[static_cast<std::size_t>(index)].push_back(std::move(chain));
    }
}

std::vector<NodeId> StageView::scalesOf(int node) const
{
    std::vector<NodeId> scales;
    const ViewNode& v = at(node);
    if (v.kind == ItemKind::Quantize || v.kind == ItemKind::Dequantize)
        for (const auto& chain : constantsOf(node))
            if (chain.size() == 1 && at(chain.front()).node->id != v.node->arg(0).node())
                scales.push_back(at(chain.front()).node->id);
    return scales;
}

bool StageView::carriesInt8(int index) const
{
    const auto& v = at(index);
    if (v.kind == ItemKind::Module)
        return v.givesInt8;
    if (v.kind == ItemKind::Quantize)
        return true;
    if (v.kind == ItemKind::Dequantize)
        return false;
    if (v.kind == ItemKind::Weight) {
        const auto* attribute = graph->attributes().find(v.node->target);
        return attribute && attribute->value.isValid() && isByte(attribute->value.dtype());
    }
    const auto* tensor = v.node->val.tensor();
    return tensor && isByte(tensor->dtype);
}

} // namespace pt2e

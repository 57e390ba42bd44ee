#include "core/engine/xnnpack/Pads.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

bool isOp(const Unit* unit, Decision (*decide)(const OpCall&))
{
    return unit && unit->kind == Unit::Kind::Op && !unit->call.isFloat
           && unit->rule->decide == decide;
}

/// The padding becomes part of the convolution.
void absorb(const Unit& pad, Unit& convolution, const Border& border)
{
    Operand& input = convolution.call.operands[0];
    const NodeId before = input.quantize;
    input.quantize = pad.call.operand(0).quantize;
    input.shape = pad.call.operand(0).shape;
    Border& sum = convolution.call.border;
    sum.top += border.top;
    sum.bottom += border.bottom;
    sum.left += border.left;
    sum.right += border.right;
    std::replace(convolution.reads.begin(), convolution.reads.end(), before, input.quantize);
}

} // namespace

std::unordered_map<NodeId, NodeId> absorbPads(std::vector<Unit>& units, const ConvertedView& view)
{
    std::unordered_map<NodeId, NodeId> absorbed;
    std::set<NodeId> gone;
    for (Unit& unit : units) {
        if (!isOp(&unit, decideConvolution))
            continue;
        // From the last padding to the first of a row of them.
        for (;;) {
            const NodeId value = unit.call.operand(0).quantize;
            const auto pad = std::find_if(units.begin(), units.end(), [&](const Unit& other) {
                return other.writes.front() == value;
            });
            if (pad == units.end() || !isOp(&*pad, decidePad)
                || onlyReader(units, view, value) != &unit
                || !pad->call.operand(0).type.sameParameters(pad->call.output.type))
                break;
            const auto border = zeroBorder(pad->call);
            if (!border)
                break;
            absorbed[pad->node] = unit.node;
            gone.insert(pad->node);
            absorb(*pad, unit, *border);
            pad->reads.clear();
        }
    }
    std::erase_if(units, [&](const Unit& unit) { return gone.contains(unit.node); });
    return absorbed;
}

} // namespace pt2e::xnn

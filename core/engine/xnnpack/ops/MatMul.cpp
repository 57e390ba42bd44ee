// aten.matmul and aten.bmm of two computed tensors, in float: xnn_define_batch_matrix_multiply.
#include "core/engine/xnnpack/Emitter.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

Decision decideMatMul(const OpCall& call)
{
    const Operand& a = call.operand(0);
    const Operand& b = call.operand(1);
    if (!call.isActivation(a) || !call.isActivation(b))
        return Decision::no("its operands are not both activations");
    if (a.shape.size() < 3 || a.shape.size() != b.shape.size())
        return Decision::no(fmt::format("{} times {} is not a batch of matrix products",
                                        shapeText(a.shape), shapeText(b.shape)));
    if (!std::equal(a.shape.begin(), a.shape.end() - 2, b.shape.begin())
        || a.shape.back() != b.shape[b.shape.size() - 2])
        return Decision::no(
            fmt::format("{} times {} needs broadcasting", shapeText(a.shape), shapeText(b.shape)));
    return Decision::yes("batch_matrix_multiply f32", DataLayout::Natural);
}

Result<void> emitMatMul(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId a, emitter.input(call.operand(0)));
    PT2E_ASSIGN(const ValueId b, emitter.input(call.operand(1)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emitter.subgraph().batchMatrixMultiply(a, b, output);
}

} // namespace pt2e::xnn

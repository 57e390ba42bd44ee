// Behind makeXnnpackProgram: the same with another table of ops, for tests.
#pragma once

#include "core/engine/xnnpack/Ops.h"
#include "core/engine/xnnpack/XnnpackProgram.h"

namespace pt2e::xnn {

Result<std::unique_ptr<Program>> compileProgram(GraphPtr graph, const XnnpackOptions& options,
                                                std::span<const OpRule> table);

} // namespace pt2e::xnn

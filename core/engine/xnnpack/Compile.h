// Behind makeXnnpackProgram: the same with another table of ops, for tests; and a plan made ready.
#pragma once

#include "core/engine/xnnpack/Plan.h"
#include "core/engine/xnnpack/XnnAdapter.h"
#include "core/engine/xnnpack/XnnpackProgram.h"

namespace pt2e::xnn {

Result<std::unique_ptr<XnnpackProgram>> compileProgram(GraphPtr graph,
                                                       const XnnpackOptions& options,
                                                       std::span<const OpRule> table);

/// The plan of a graph whose sizes are fixed, ready to run on inputs of just these sizes.
struct CompileRequest
{
    GraphPtr graph; ///< as the caller knows it: only its nodes are reported
    XnnpackOptions options;
    std::span<const OpRule> table;
    std::shared_ptr<const ThreadPool> pool;
    bool keepsValues = false;
};
Result<std::unique_ptr<XnnpackProgram>> compilePlan(const CompileRequest& request);

} // namespace pt2e::xnn

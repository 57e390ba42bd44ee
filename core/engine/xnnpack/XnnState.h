// What the sources that call XNNPACK share. Not for others: it includes xnnpack.h.
#pragma once

#include "core/engine/xnnpack/XnnOwners.h"
#include "core/engine/xnnpack/XnnSubgraph.h"

#include <mutex>
#include <xnnpack.h>

namespace pt2e::xnn {

/// XNNPACK must not be initialised or build runtimes on two threads at once.
std::mutex& creationMutex();
/// An error that names the XNNPACK object, or nothing.
Result<void> check(const char* what, xnn_status status);
std::vector<std::size_t> dimensions(const Shape& shape);

struct Subgraph::State
{
    xnn_subgraph_t handle = nullptr;
    std::uint32_t externals = 0;
    std::vector<TensorSpec> specs; ///< of the externals, by id
    /// What XNNPACK points to until the last runtime is gone.
    std::vector<Storage::Allocation> bytes;
    std::vector<Storage::Allocation> packed; ///< only until a runtime is built
    std::vector<std::unique_ptr<std::vector<float>>> scales;
    NodeId owner; ///< of what is defined next
    std::vector<OwnedOperator> operators; ///< in the order of definition

    ~State();
    /// An operator that was just defined, or the error of that.
    Result<void> add(const char* what, xnn_status status);
    Result<ValueId> define(const TensorSpec& spec, std::uint32_t externalId, std::uint32_t flags);
};

} // namespace pt2e::xnn

#include "core/engine/xnnpack/ops/Window.h"

namespace pt2e::xnn {

std::optional<std::vector<std::int64_t>> pairOf(const Node& node, std::size_t i, std::size_t rank,
                                                std::int64_t missing, std::int64_t row)
{
    auto values = intsOf(node, i, rank - 2, missing);
    if (values && rank == 3)
        values->insert(values->begin(), row);
    return values;
}

} // namespace pt2e::xnn

// Names of the arguments of PyTorch's operators, and which of them are keyword-only. Files of torch ≤ 2.6
// do not say how an argument was passed; files we write must name every argument.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace pt2e::pt2 {

struct ArgumentNames
{
    std::vector<std::string_view> positional;
    std::vector<std::string_view> keywordOnly;
    bool returnsList = false; ///< one Tensor[] result
};

/// target as in a graph ("aten.conv2d.default"); nothing for operators that are not in the table.
std::optional<ArgumentNames> argumentNames(std::string_view target);

/// For operators outside the table: names that are keyword-only almost everywhere (dtype, layout, …).
bool isUsuallyKeywordOnly(std::string_view name);

} // namespace pt2e::pt2

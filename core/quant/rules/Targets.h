// The operators each rule family looks at.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace pt2e::rules {

inline constexpr std::string_view kLinearTargets[] = {"aten.linear.default"};
inline constexpr std::string_view kConvTargets[] = {
    "aten.conv1d.default", "aten.conv1d.padding", "aten.conv2d.default",
    "aten.conv2d.padding", "aten.conv3d.default", "aten.conv3d.padding",
};
inline constexpr std::string_view kConvTransposeTargets[] = {
    "aten.conv_transpose1d.default", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input"};
inline constexpr std::string_view kAdaptivePoolTargets[] = {"aten.adaptive_avg_pool2d.default"};
inline constexpr std::string_view kAddTargets[] = {"aten.add.Tensor", "aten.add_.Tensor"};
inline constexpr std::string_view kMulTargets[] = {"aten.mul.Tensor", "aten.mul_.Tensor"};
inline constexpr std::string_view kCatTargets[] = {"aten.cat.default"};
/// Ops that take over the qparams of their input, in both quantizers.
inline constexpr std::string_view kShareTargets[] = {
    "aten.relu.default",
    "aten.hardtanh.default",
    "aten.hardtanh_.default",
    "aten.max_pool2d.default",
    "aten.mean.default",
    "aten.mean.dim",
    "aten.permute.default",
    "aten.permute_copy.default",
    "aten.squeeze.dim",
    "aten.squeeze_copy.dim",
    "aten.adaptive_avg_pool2d.default",
    "aten.view_copy.default",
    "aten.view.default",
    "aten.slice_copy.Tensor",
    "aten.flatten.using_ints",
};

/// One list behind the other.
template<std::size_t N, std::size_t M>
constexpr std::array<std::string_view, N + M> joined(const std::string_view (&first)[N],
                                                     const std::string_view (&second)[M])
{
    std::array<std::string_view, N + M> all;
    std::copy(second, second + M, std::copy(first, first + N, all.begin()));
    return all;
}

} // namespace pt2e::rules

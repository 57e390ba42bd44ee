// The operators each rule family looks at.
#pragma once

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

} // namespace pt2e::rules

#include "core/quant/executorch/ExecuTorch.h"

#include "core/quant/rules/Rules.h"
#include "core/quant/rules/Targets.h"

namespace pt2e {

namespace {

/// conv comes before conv_relu and leaves to it what a relu alone follows. There is no rule for GRU.
constexpr RuleEntry kRules[] = {
    {&rules::kLinearRelu, rules::kLinearTargets},
    {&rules::kLinear, rules::kLinearTargets, true},
    {&rules::kAnyConv, rules::kConvTargets, true},
    {&rules::kConvTranspose, rules::kConvTransposeTargets, true},
    {&rules::kConvRelu, rules::kConvTargets},
    {&rules::kConvTransposeReluAxis1, rules::kConvTransposeTargets},
    {&rules::kAdaptiveAvgPool2d, rules::kAdaptivePoolTargets},
    {&rules::kAddRelu, rules::kAddTargets},
    {&rules::kAdd, rules::kAddTargets},
    {&rules::kMulRelu, rules::kMulTargets},
    {&rules::kMul, rules::kMulTargets},
    {&rules::kCatByOp, rules::kCatTargets},
};

/// torchao's list and transpose, reshape, slice, dropout.
constexpr std::string_view kShareList[] = {
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
    "aten.transpose.int",
    "aten.reshape.default",
    "aten.slice.Tensor",
    "aten.dropout.default",
};

/// The convolution patterns with a batch norm run for static configurations, too: they find nothing, and clean up.
constexpr std::string_view kDeadCodeTargets[] = {
    "aten.conv1d.default",           "aten.conv1d.padding",         "aten.conv2d.default",
    "aten.conv2d.padding",           "aten.conv3d.default",         "aten.conv3d.padding",
    "aten.conv_transpose1d.default", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input",
};

} // namespace

constinit const Flavor kExecuTorchFlavor = {
    .rules = kRules,
    .shareList = kShareList,
    .hasModePerConfig = true,
    .readsOperatorType = true,
    .deadCodeTargets = kDeadCodeTargets,
};

} // namespace pt2e

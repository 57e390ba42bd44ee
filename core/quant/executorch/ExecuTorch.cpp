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

constexpr std::string_view kMoreShareTargets[] = {"aten.transpose.int", "aten.reshape.default",
                                                  "aten.slice.Tensor", "aten.dropout.default"};
constexpr auto kShareList = rules::joined(rules::kShareTargets, kMoreShareTargets);

/// The convolution patterns with a batch norm run for static configurations, too: they find nothing, and clean up.
constexpr auto kDeadCodeTargets = rules::joined(rules::kConvTargets, rules::kConvTransposeTargets);

} // namespace

constinit const Flavor kExecuTorchFlavor = {
    .rules = kRules,
    .shareList = kShareList,
    .hasModePerConfig = true,
    .readsOperatorType = true,
    .deadCodeTargets = kDeadCodeTargets,
};

} // namespace pt2e

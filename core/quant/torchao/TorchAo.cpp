#include "core/quant/torchao/TorchAo.h"

#include "core/quant/rules/Rules.h"

namespace pt2e {

namespace {

/// In dynamic mode linear is the only one.
constexpr RuleEntry kRules[] = {
    {&rules::kLinearRelu, {}},
    {&rules::kLinear, {}, true},
    {&rules::kConvRelu, {}},
    {&rules::kConv, {}},
    {&rules::kConvTransposeRelu, {}},
    {&rules::kAdaptiveAvgPool2d, {}},
    {&rules::kGruIoOnly, {}},
    {&rules::kAddRelu, {}},
    {&rules::kAdd, {}},
    {&rules::kMulRelu, {}},
    {&rules::kMul, {}},
    {&rules::kCat, {}},
};

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
};

} // namespace

constinit const Flavor kTorchAoFlavor = {.rules = kRules, .shareList = kShareList};

} // namespace pt2e

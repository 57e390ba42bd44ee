#include "core/quant/torchao/TorchAo.h"

#include "core/quant/rules/Rules.h"
#include "core/quant/rules/Targets.h"

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

} // namespace

constinit const Flavor kTorchAoFlavor = {.rules = kRules, .shareList = rules::kShareTargets};

} // namespace pt2e

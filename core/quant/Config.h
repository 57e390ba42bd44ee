// get_symmetric_quantization_config: from the few numbers a user sets to the specs rules hand out.
#pragma once

#include "core/quant/Quantizer.h"

namespace pt2e {

/// torchao's QuantizationConfig: one spec per role. A bias is never observed by these quantizers.
struct ConfigSpecs
{
    Spec inputActivation;
    Spec outputActivation; ///< None when dynamic
    Spec weight;
    Spec bias;
    friend bool operator==(const ConfigSpecs&, const ConfigSpecs&) = default;
};

/// As get_symmetric_quantization_config(is_per_channel, is_qat=False, is_dynamic, act_qmin, …).
ConfigSpecs symmetricConfig(const QuantizationConfig& config);

} // namespace pt2e

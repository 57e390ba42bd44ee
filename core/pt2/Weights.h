// Parameters, buffers and constants of a program, in any of the layouts files have used. Data is read
// when first used.
#pragma once

#include "core/pt2/RawGraph.h"
#include "core/pt2/TorchSave.h"

#include <memory>

namespace pt2e::pt2 {

/// 2.9+: a config JSON beside raw records. folder ends with "/" ("root/data/weights/").
Result<WeightMap> readConfiguredWeights(const std::shared_ptr<const ZipReader>& zip,
                                        const std::string& folder, const std::string& configName,
                                        Remarks& remarks);

/// Up to 2.8: one torch.save record.
Result<WeightMap> readPickledWeights(const std::shared_ptr<const ZipReader>& zip,
                                     const ZipEntry& record);

} // namespace pt2e::pt2

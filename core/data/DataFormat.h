// How the user's data become a network's inputs: what a file does not say itself.
#pragma once

#include "core/tensor/DType.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pt2e {

struct DataFormat
{
    /// Of a file without a header: the shape of one sample; they follow one another.
    std::vector<std::int64_t> rawShape;
    std::optional<DType> rawDtype; ///< absent: the input's
    /// Pictures and other float inputs: (value − mean) / std per channel, one number for all or one each; value is the
    /// pixel / 255 where the data are bytes. Empty: 0 and 1.
    std::vector<double> mean;
    std::vector<double> std;
    /// Pictures: the shorter side is made this long, then the centre is cut out (torchvision's Resize and CenterCrop).
    /// 0: the picture is stretched to the input's size.
    std::int64_t resize = 0;
    /// Samples a batch where the graph leaves the batch size open; 0: 32.
    std::int64_t batchSize = 0;

    friend bool operator==(const DataFormat&, const DataFormat&) = default;
};

} // namespace pt2e

// Trained models that come with the program, and the data that belong to them.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

/// Data for a built-in model. They are not part of the program: a package of the distribution has them.
struct ModelData
{
    std::string package; ///< Debian's name of it
    std::string calibration; ///< what it is calibrated on where the user chooses nothing
    std::int64_t calibrationBatches = 8;
    std::string evaluation; ///< what it is judged on, and the labels of that
    std::string labels;
    std::vector<std::string> classNames;

    bool isInstalled() const;
    /// "the images of fashion_cnn are not installed (Debian: dataset-fashion-mnist)".
    std::string missing() const;
};

struct ShippedModel
{
    std::string_view name; ///< "fashion_cnn"
    std::string_view description; ///< one line
    std::span<const std::byte> file; ///< the .pt2
    ModelData data;
};

/// All of them, in the order they are shown.
const std::vector<ShippedModel>& shippedModels();
/// The one of that name, or nullptr.
const ShippedModel* findShippedModel(std::string_view name);

} // namespace pt2e

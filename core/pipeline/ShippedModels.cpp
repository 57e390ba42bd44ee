#include "core/pipeline/ShippedModels.h"

#include "core/pipeline/FashionCnn.h" // made by CMake from resources/samples

#include <algorithm>
#include <filesystem>

namespace pt2e {

namespace {

ShippedModel fashionCnn()
{
    const std::string folder = "/usr/share/datasets/fashion-mnist/";
    ShippedModel model;
    model.name = "fashion_cnn";
    model.description =
        "small CNN with a residual and a cat, trained on Fashion-MNIST: 10 classes, 28×28";
    model.file = std::as_bytes(std::span(kFashionCnn));
    model.data.package = "dataset-fashion-mnist";
    model.data.calibration = folder + "train-images-idx3-ubyte.gz";
    model.data.evaluation = folder + "t10k-images-idx3-ubyte.gz";
    model.data.labels = folder + "t10k-labels-idx1-ubyte.gz";
    model.data.classNames = {"T-shirt", "trouser", "pullover", "dress", "coat",
                             "sandal",  "shirt",   "sneaker",  "bag",   "ankle boot"};
    return model;
}

} // namespace

bool ModelData::isInstalled() const
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(calibration, ignored)
           && std::filesystem::is_regular_file(evaluation, ignored)
           && std::filesystem::is_regular_file(labels, ignored);
}

std::string ModelData::missing() const
{
    return "the model's images are not installed (Debian's package " + package
           + "); random data stand in for them";
}

const std::vector<ShippedModel>& shippedModels()
{
    static const std::vector<ShippedModel> kModels{fashionCnn()};
    return kModels;
}

const ShippedModel* findShippedModel(std::string_view name)
{
    const auto& models = shippedModels();
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const ShippedModel& model) { return model.name == name; });
    return found == models.end() ? nullptr : &*found;
}

} // namespace pt2e

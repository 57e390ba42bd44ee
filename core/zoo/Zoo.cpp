#include "core/zoo/Zoo.h"

#include "core/zoo/Models.h"

#include <algorithm>
#include <array>

namespace pt2e {

namespace {

constexpr std::int64_t kMaxChannels = 4096;
constexpr std::int64_t kMaxLayers = 2000;

struct Builder
{
    ZooEntry entry;
    Result<ZooModel> (*build)(const Kernels&, const ZooOptions&);
};

constexpr std::array kBuilders{
    Builder{{"residual", "residual block: conv, batch norm, relu, conv, batch norm, plus the input",
             true, false},
            zoo::residual},
    Builder{{"cat_pool", "two conv branches, cat, max pool, conv, plus its own mean", false, false},
            zoo::catPool},
    Builder{{"stem", "conv, batch norm, relu", true, false}, zoo::stem},
    Builder{{"mobilenet_v2", "MobileNetV2, 1000 classes, 224×224", false, false}, zoo::mobileNetV2},
    Builder{{"resnet18", "ResNet-18, 1000 classes, 224×224", false, false}, zoo::resNet18},
    Builder{{"resnet50", "ResNet-50, 1000 classes, 224×224", false, false}, zoo::resNet50},
    Builder{{"squeezenet1_1", "SqueezeNet 1.1, 1000 classes, 224×224", false, false},
            zoo::squeezeNet11},
    Builder{
        {"ds_cnn", "DS-CNN of MLPerf Tiny, keywords in 49×10 spectra, 12 classes", false, false},
        zoo::dsCnn},
    Builder{
        {"encoder", "transformer encoder in single operators, 4 layers, width 256", false, false},
        zoo::encoder},
    Builder{{"decoder", "transformer decoder in single operators, 41 nodes a layer", false, true},
            zoo::decoder}};

constexpr auto kEntries = [] {
    std::array<ZooEntry, kBuilders.size()> entries{};
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i] = kBuilders[i].entry;
    return entries;
}();

Result<void> checkRange(std::string_view option, std::int64_t value, std::int64_t highest)
{
    if (value >= 1 && value <= highest)
        return {};
    return badInput(std::string(option),
                    std::to_string(value) + " is outside 1 to " + std::to_string(highest));
}

} // namespace

std::span<const ZooEntry> zooEntries() { return kEntries; }

const ZooEntry* findZooEntry(std::string_view name)
{
    const auto found = std::find_if(kEntries.begin(), kEntries.end(),
                                    [&](const ZooEntry& entry) { return entry.name == name; });
    return found == kEntries.end() ? nullptr : &*found;
}

Result<ZooModel> buildZooModel(std::string_view name, const ZooOptions& options)
{
    const auto found =
        std::find_if(kBuilders.begin(), kBuilders.end(),
                     [&](const Builder& builder) { return builder.entry.name == name; });
    if (found == kBuilders.end()) {
        std::string names;
        for (const ZooEntry& entry : kEntries)
            names += (names.empty() ? "" : ", ") + std::string(entry.name);
        return badInput(std::string(name), "is no built-in model; there are " + names);
    }
    if (found->entry.takesChannels)
        PT2E_TRY(checkRange("--ch", options.channels, kMaxChannels));
    if (found->entry.takesLayers)
        PT2E_TRY(checkRange("--layers", options.layers, kMaxLayers));
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    PT2E_ASSIGN(ZooModel model, found->build(*torch, options));
    model.name = name;
    model.options = options;
    return model;
}

} // namespace pt2e

// Built-in models: the graphs that torch.export makes of small nn.Modules, with the weights PyTorch draws.
#pragma once

#include "core/ir/Graph.h"
#include "core/kernels/Kernels.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

struct ZooOptions
{
    std::int64_t channels = 8; ///< --ch, where the model takes it
    std::int64_t layers = 2; ///< --layers, where the model takes it
    std::uint64_t seed = 0;
    friend bool operator==(const ZooOptions&, const ZooOptions&) = default;
};

struct ZooEntry
{
    std::string_view name; ///< "residual"
    std::string_view description; ///< one line
    bool takesChannels = false;
    bool takesLayers = false;
};

struct ZooModel
{
    std::string name;
    ZooOptions options;
    GraphPtr
        graph; ///< the shape that ep.module(check_guards=False) has; metadata without stack traces
    Values example; ///< the example inputs, one per placeholder
    /// The stream as it stands after the example input: torch.manual_seed(seed), the module's own initialisation, the
    /// example. Random batches go on from a clone of it.
    std::shared_ptr<const RandomStream> stream;
};

/// All built-in models, in the order they are shown.
std::span<const ZooEntry> zooEntries();
/// The entry of that name, or nullptr.
const ZooEntry* findZooEntry(std::string_view name);
/// Builds a model. Loads LibTorch. Errors: no such model, an option out of range.
Result<ZooModel> buildZooModel(std::string_view name, const ZooOptions& options);

} // namespace pt2e

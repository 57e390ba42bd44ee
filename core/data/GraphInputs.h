// What a graph wants as inputs, and arrays as such.
#pragma once

#include "core/base/Result.h"
#include "core/ir/Graph.h"
#include "core/kernels/Value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e {

/// Sizes that symbols have taken in one batch.
using Symbols = std::unordered_map<std::string, std::int64_t>;

/// The value of a placeholder that was a plain number (or None) when the program was exported.
std::optional<Value> constantOf(const Node& placeholder);
/// The array as the placeholder wants it. The error lacks the place: "has shape 3×2, input 'x' needs 2×3".
Result<Value> asInput(const Node& input, const Tensor& tensor, Symbols& symbols);

/// How single samples come together for a graph with one tensor input.
struct SampleForm
{
    std::string input; ///< name of the placeholder
    std::int64_t batch =
        0; ///< samples a batch; 0: as many as wanted; −1: the input has no batch axis
    std::vector<std::int64_t> sample; ///< shape without the batch axis
    DType dtype = DType::Float32;

    std::int64_t elements() const;
    /// Channels, height and width for samples C×H×W and H×W, else nothing.
    struct Geometry
    {
        std::int64_t channels, height, width;
    };
    std::optional<Geometry> geometry() const;
};

/// For samples of that shape. The graph's input may have an axis for the batch in front, and axes of size 1 or another
/// split of the same number of elements behind it (28×28 for 1×28×28 or 784). sample empty: pictures, whose size is the
/// input's; an input of three axes is then C×H×W where C is 1 or 3, else a batch of H×W.
/// An error if the graph has not exactly one tensor input, or one of an open size behind the batch axis.
Result<SampleForm> sampleFormOf(const Graph& graph, const std::vector<std::int64_t>& sample);

} // namespace pt2e

// What calibration saw of the observed values, beside what an observer makes of it: the range in each batch and of each
// channel. Diagnoses read it.
#pragma once

#include "core/ir/Graph.h"
#include "core/metrics/Moments.h"
#include "core/observers/Statistics.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace pt2e {

struct SeenValue
{
    std::vector<MinMaxPair> batches; ///< range in each; min > max: nothing was seen
    /// Axis of the channels; −1 where they are not known.
    std::int64_t axis = -1;
    std::vector<MinMaxPair> channels; ///< over all batches; empty where they are not known

    MinMaxPair range() const; ///< over all batches
};
using SeenValues = std::unordered_map<NodeId, std::shared_ptr<const SeenValue>>;

/// Where the channels of a convolution's or linear's result are, also behind operators that work on each element by itself
/// and behind pooling: the channel axis, or −1 for any other value.
std::int64_t channelAxisOf(const Graph& graph, NodeId node);

/// What an input of the model holds over all batches.
struct SeenInput
{
    NodeId input; ///< placeholder
    Moments values;
};

/// Collects while the batches go by.
class ValueWatch
{
public:
    ValueWatch(const Graph& graph, std::size_t batches) : m_graph(graph), m_batches(batches) {}

    /// Before the first batch.
    void want(NodeId node);
    /// Nothing for values that are not wanted. Batches may come in any order and side by side; a batch may have a node
    /// several times (loops), one after the other.
    Result<void> add(std::size_t batch, NodeId node, const Tensor& tensor);
    /// Those that were seen.
    SeenValues take();

private:
    struct Watched
    {
        SeenValue value;
        std::mutex mutex; ///< of value.channels
    };
    const Graph& m_graph;
    std::size_t m_batches;
    std::unordered_map<NodeId, std::unique_ptr<Watched>> m_watched;
};

} // namespace pt2e

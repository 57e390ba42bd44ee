// Builds small converted graphs by hand, and runs them on both engines.
#pragma once

#include "core/engine/Engine.h"
#include "core/engine/xnnpack/Compile.h"
#include "core/ir/GraphEditor.h"

#include <random>
#include <string>
#include <vector>

namespace pt2e::test {

struct QParams
{
    double scale = 0.05;
    std::int64_t zeroPoint = 0;
    DType dtype = DType::Int8;
    std::int64_t lowest = -128;
    std::int64_t highest = 127;
};

/// int8 and uint8 over their whole range; the scale rounded to float32 as observers give it.
QParams s8(double scale, std::int64_t zeroPoint);
QParams u8(double scale, std::int64_t zeroPoint);

class ConvertedGraph
{
public:
    explicit ConvertedGraph(unsigned seed = 1) : m_random(seed) {}

    NodeId input(const std::string& name, std::vector<std::int64_t> shape);
    NodeId op(const std::string& target, Arguments args, std::vector<std::int64_t> shape,
              KeywordArguments kwargs = {});
    NodeId quantize(NodeId value, const QParams& params);
    NodeId dequantize(NodeId quantized, const QParams& params);
    /// quantize and dequantize.
    NodeId qdq(NodeId value, const QParams& params);
    /// Random int8 values in [-127, 127] with one scale per index of axis 0, dequantized.
    NodeId weightPerChannel(std::vector<std::int64_t> shape, std::vector<double> scales,
                            std::vector<std::int64_t> zeroPoints = {}, std::int64_t axis = 0);
    NodeId weightPerTensor(std::vector<std::int64_t> shape, const QParams& params);
    NodeId bias(std::int64_t count, double size);
    NodeId floats(std::vector<std::int64_t> shape, double size);
    NodeId constant(Tensor value);
    GraphPtr finish(const std::vector<NodeId>& outputs);

    /// Random input, uniform in [-size, size].
    Value values(const std::vector<std::int64_t>& shape, double size);
    static Argument ints(std::vector<std::int64_t> values) { return Argument::ints(values); }

private:
    std::vector<std::int8_t> randomBytes(std::size_t count);

    GraphEditor m_editor;
    std::mt19937 m_random;
    int m_attributes = 0;
};

/// Both engines on the same inputs.
struct Comparison
{
    std::string error; ///< why it could not be done; empty if it could
    double maxSteps = 0; ///< largest difference of the first output, in `step`
    double shareDiffering = 0; ///< share of its elements that differ
    std::int64_t count = 0;
    std::int64_t distinct =
        0; ///< different values in the reference: a check that the case says anything
};
Comparison compareEngines(const GraphPtr& graph, const std::vector<Value>& inputs, double step,
                          const XnnpackOptions& options = {});

/// The assignment of a node by name; an invalid node if there is none.
Assignment assignmentOf(const GraphPtr& graph, const std::string& name,
                        const XnnpackOptions& options = {});

} // namespace pt2e::test

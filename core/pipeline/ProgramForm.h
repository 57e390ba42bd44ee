// What kind of program a graph is: plain float, or one that quantization has been through already.
#pragma once

#include "core/ir/Graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

enum class ProgramKind : std::uint8_t {
    Float,
    Annotated, ///< float, with annotations in its nodes' "custom" metadata: stands for a prepared one, which has no .pt2 form
    FakeQuantized, ///< of quantization-aware training, exported again
    Converted ///< with quantize and dequantize ops
};

/// Sub-graphs count. Several kinds at once: the last of the enum.
struct ProgramForm
{
    ProgramKind kind = ProgramKind::Float;
    int quantize = 0; ///< ops: quantize_per_tensor, …
    int dequantize = 0;
    int fakeQuantize = 0;
    int annotated = 0; ///< nodes with an annotation
    std::vector<DType> integers; ///< dtypes that values are quantized to, in the order of the enum
    std::vector<DType> floats; ///< dtypes of parameters and inputs other than float32

    /// The stages are for float programs: such a one is shown and run as it is.
    bool isQuantized() const
    {
        return kind == ProgramKind::FakeQuantized || kind == ProgramKind::Converted;
    }
    /// "converted program (%1, %2 q / %3 dq)", and what fills it.
    std::string_view pattern() const;
    std::vector<std::string> parameters() const;
    std::string text() const; ///< "converted program (int8, 5 q / 6 dq)"
};

/// The key of annotations in a node's "custom" metadata (AnnotationMeta.h reads them), and whether a node has it: only
/// calls have metadata in a file.
inline constexpr const char* kAnnotationKey = "quantization_annotation";
bool carriesAnnotation(const Node& node);

ProgramForm programForm(const Graph& graph);
/// All patterns there are, for translators.
std::vector<std::string_view> programPatterns();

} // namespace pt2e

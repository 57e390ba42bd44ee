// Quantizers: what decides which values are quantized. A quantizer is data (settings), not an object with state.
#pragma once

#include "core/base/Result.h"
#include "core/ir/GraphEditor.h"
#include "core/quant/Annotation.h"
#include "core/quant/Reason.h"

#include <string>
#include <vector>

namespace pt2e {

enum class QuantizerFlavor : std::uint8_t { None, TorchAo, ExecuTorch };
std::string_view flavorName(QuantizerFlavor flavor); ///< "none", "torchao", "executorch"

/// Arguments of get_symmetric_quantization_config (pt2e-semantics 1.1).
struct QuantizationConfig
{
    bool perChannel = true;
    bool dynamic = false;
    std::int64_t actQmin = -128;
    std::int64_t actQmax = 127;
    std::int64_t weightQmin = -127;
    std::int64_t weightQmax = 127;
    friend bool operator==(const QuantizationConfig&, const QuantizationConfig&) = default;
};

/// One set_module_name, set_module_type or set_operator_type.
struct NamedConfig
{
    std::string name; ///< module path, class name or operator ("aten.linear.default")
    /// None: what it names is left alone. The real set_module_name refuses that, so there it is an error.
    std::optional<QuantizationConfig> config;
    friend bool operator==(const NamedConfig&, const NamedConfig&) = default;
};

/// The lists apply in order: names, types, operators, then global.
struct QuantizerSettings
{
    QuantizerFlavor flavor = QuantizerFlavor::TorchAo;
    std::optional<QuantizationConfig> global = QuantizationConfig{};
    std::vector<NamedConfig> moduleName;
    std::vector<NamedConfig> moduleType; ///< "torch.nn.modules.linear.Linear" or "torch.nn.Linear"
    std::vector<NamedConfig> operatorType; ///< stored but never read by torchao's quantizer
    friend bool operator==(const QuantizerSettings&, const QuantizerSettings&) = default;
};

/// Why an op carries no annotation, as data.
struct WhyNot
{
    NodeId node;
    std::string rule; ///< the rule that almost matched, or empty
    Reason reason;
    NodeId cause; ///< next node up the cascade, or invalid
    NodeId root; ///< root of the cascade; the node itself if it is its own root
};

/// transform_for_annotation: scalars of add/mul to attributes. Records origins. With ExecuTorch's quantizer and a
/// static configuration also what its annotate does to the graph: its search for batch norms removes dead code.
Result<void> transformForAnnotation(GraphEditor& editor, const QuantizerSettings& settings);
/// quantizer.annotate on a graph. Deterministic; never fails on a well-formed graph except where the real
/// quantizer raises.
Result<AnnotationTable> annotate(const Graph& graph, const QuantizerSettings& settings);
/// A reason for every call_function without a valid annotation, in graph order (getitem left out); those of
/// sub-graphs behind, in attribute order.
std::vector<WhyNot> explainUnannotated(const Graph& graph, const AnnotationTable& annotations,
                                       const QuantizerSettings& settings);

} // namespace pt2e

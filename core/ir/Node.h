// One node of a graph: FX's Node as plain data. Changed only by GraphEditor.
#pragma once

#include "core/ir/Argument.h"
#include "core/tensor/TensorMeta.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pt2e {

enum class OpKind : std::uint8_t { Placeholder, GetAttr, CallFunction, CallModule, Output };

/// "placeholder", "get_attr", "call_function", "call_module", "output".
std::string_view opKindName(OpKind kind);

/// PyTorch's meta["val"]: nothing, a fake tensor, a symbolic or plain number, or a tuple of those.
struct ValueMeta
{
    struct Scalar
    {
        std::string type; ///< "SymInt", "SymFloat", "SymBool", "int", "float", "bool"
        std::string text; ///< expression or literal
        friend bool operator==(const Scalar&, const Scalar&) = default;
    };
    std::variant<std::monostate, TensorMeta, Scalar, std::vector<ValueMeta>> value;

    const TensorMeta* tensor() const { return std::get_if<TensorMeta>(&value); }
    bool isNone() const { return value.index() == 0; }
    /// It is known, and is a number or a tuple.
    bool isNoTensor() const { return !isNone() && !tensor(); }
    friend bool operator==(const ValueMeta&, const ValueMeta&) = default;
};

/// One level of nn_module_stack, outermost first.
struct ModuleFrame
{
    std::string key; ///< unique key of the call, e.g. "L__self___layer1_0"
    std::string path; ///< dotted module path, "" for the root
    std::string className; ///< "torch.nn.modules.conv.Conv2d"
    friend bool operator==(const ModuleFrame&, const ModuleFrame&) = default;
};

/// What the file says about a node. Shared between all stages of a model, never changed.
struct FileMeta
{
    std::vector<ModuleFrame> moduleStack;
    std::string stackTrace;
    std::vector<std::string>
        torchFn; ///< ("conv2d_1", "builtin_function_or_method.conv2d"); empty if absent
    struct SourceFn
    {
        std::string id;
        std::string callable; ///< e.g. "torch.cat", "torch.nn.modules.conv.Conv2d"
        friend bool operator==(const SourceFn&, const SourceFn&) = default;
    };
    std::vector<SourceFn> sourceFnStack; ///< present in files of torch ≤ 2.6
    std::string custom; ///< JSON text of meta["custom"], or empty
    /// Every key of the file with its raw value, in file order, for the inspector.
    std::vector<std::pair<std::string, std::string>> raw;
};

/// How a node came to be in this stage.
enum class OriginKind : std::uint8_t {
    Same, ///< it is the node of the stage before (same id)
    Inserted, ///< put on an edge or behind a node: observer, q, dq, scale constants
    Fused, ///< it took over another node (a convolution its batch norm)
    Decomposed,
    Folded, ///< computed from constants (an int8 weight)
    Duplicated ///< a copy of another node (one dq per user)
};

std::string_view originKindName(OriginKind kind);

struct Origin
{
    OriginKind kind = OriginKind::Same;
    NodeId node; ///< the node it comes from, in the stage before; invalid for Same
    std::string pass; ///< the pass that made it, e.g. "prepare", "conv_bn_fold"; empty for Same
    friend bool operator==(const Origin&, const Origin&) = default;
};

struct Node
{
    NodeId id;
    OpKind kind = OpKind::CallFunction;
    std::string name; ///< unique in its graph, FX's rule
    /// call_function: "aten.conv2d.default", "getitem", "quantized_decomposed.….default";
    /// get_attr and call_module: dotted name; placeholder: name as written; output: "output".
    std::string target;
    Arguments args;
    KeywordArguments kwargs;
    std::vector<NodeId> users; ///< insertion-ordered set with FX's re-ordering rule
    ValueMeta val;
    std::shared_ptr<const FileMeta> fileMeta; ///< may be null
    Origin origin;

    bool is(OpKind k) const { return kind == k; }
    bool calls(std::string_view op) const { return kind == OpKind::CallFunction && target == op; }
    /// Argument i, or None when it is not given.
    const Argument& arg(std::size_t i) const;
    /// Keyword argument, or nullptr.
    const Argument* kwarg(std::string_view name) const;
    /// All distinct nodes referred to, args left to right, then kwargs: FX's all_input_nodes.
    std::vector<NodeId> inputs() const;
};

/// "conv2d" from "aten.conv2d.default": the packet name without namespace and overload; other targets unchanged.
std::string_view shortOpName(std::string_view target);
/// True if the op's schema writes one of its arguments (aten.relu_.default, aten.copy_.default, …out variants).
bool mutatesArgument(std::string_view target);

} // namespace pt2e

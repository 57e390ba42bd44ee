// Builds the graph that torch.export and module() make of an nn.Module, by running it: each call computes its value,
// which gives the shapes. Modules are initialised as their Python classes do, in the same order of draws.
#pragma once

#include "core/ir/GraphEditor.h"
#include "core/zoo/Zoo.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e::zoo {

/// A value of the traced program: a node of the graph under construction.
struct Traced
{
    NodeId node;
};

/// One number for both, or height and width.
struct Size2d
{
    std::int64_t height;
    std::int64_t width;
    constexpr Size2d(std::int64_t both) : height(both), width(both) {}
    constexpr Size2d(std::int64_t height, std::int64_t width) : height(height), width(width) {}
    friend bool operator==(const Size2d&, const Size2d&) = default;
};

/// The arguments of nn.Conv2d.
struct Conv2d
{
    std::int64_t in = 1;
    std::int64_t out = 1;
    Size2d kernel = 1;
    Size2d stride = 1;
    Size2d padding = 0;
    std::int64_t groups = 1;
    bool hasBias = true;
};

/// The arguments of nn.MaxPool2d.
struct MaxPool2d
{
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    bool ceilMode = false;
};

enum class Fan { In, Out };

constexpr const char* kConv2dClass = "torch.nn.modules.conv.Conv2d";
constexpr const char* kBatchNorm2dClass = "torch.nn.modules.batchnorm.BatchNorm2d";
constexpr const char* kLinearClass = "torch.nn.modules.linear.Linear";

/// Python's module paths and classes. Parameters belong to paths: "conv1" has "conv1.weight".
///
/// Errors are kept: after the first one all calls do nothing, and finish() returns it.
class ModuleBuilder
{
public:
    ModuleBuilder(const Kernels& torch, std::uint64_t seed, std::string rootClass);

    // ---- Python's __init__: declare in the order of the constructor, draws happen here
    void conv2d(const std::string& path, const Conv2d& options);
    void batchNorm2d(const std::string& path, std::int64_t channels);
    void linear(const std::string& path, std::int64_t in, std::int64_t out);
    void layerNorm(const std::string& path, std::int64_t width);
    void embedding(const std::string& path, std::int64_t count, std::int64_t width);
    void buffer(const std::string& path, Result<Tensor> value);
    /// A module without parameters, or one that has children: its class shows in the stacks of what is called in it.
    void module(const std::string& path, std::string className);
    /// Python assigns a module to its parent after it made others: what is below `path` moves behind them.
    void registerLast(const std::string& path);

    // ---- torch.nn.init on what is declared. Modules in the order of modules(), by class name
    std::vector<std::string> modulesOf(const std::string& className) const;
    void kaimingNormal(const std::string& parameter, Fan fan); ///< gain √2
    void kaimingUniform(const std::string& parameter, Fan fan); ///< gain √2
    void normal(const std::string& parameter, double mean, double deviation);
    void constant(const std::string& parameter, float value);

    // ---- forward: the input first
    Traced input(const std::string& name, const std::vector<std::int64_t>& shape);
    Traced attribute(const std::string& path);
    /// Calls a module declared above with its parameters.
    Traced callConv2d(const std::string& path, Traced x);
    Traced callBatchNorm(const std::string& path, Traced x);
    Traced callLinear(const std::string& path, Traced x);
    Traced callLayerNorm(const std::string& path, Traced x);
    Traced callEmbedding(const std::string& path, Traced indices);
    Traced callMaxPool2d(const std::string& path, Traced x, const MaxPool2d& options);
    Traced callDropout(const std::string& path, Traced x,
                       double p); ///< in evaluation: does nothing
    Traced callRelu(const std::string& path, Traced x); ///< in place
    Traced callRelu6(const std::string& path, Traced x); ///< in place; ATen's name is hardtanh_
    Traced callAdaptiveAvgPool2d(const std::string& path, Traced x); ///< to 1×1
    Traced callAvgPool2d(const std::string& path, Traced x, Size2d kernel); ///< stride: kernel
    /// Calls an operator from the forward method of the module at `path` ("" is the root). source is the kind of
    /// Python function behind it, as torch_fn says: "builtin_function_or_method", "method_descriptor", "function".
    /// function is that function's name where it is not the operator's.
    Traced call(const std::string& path, const std::string& target, Arguments args,
                const std::string& source, std::string function = {});

    /// Ends the graph with one result. Name and options are left to the caller.
    Result<ZooModel> finish(Traced result);

private:
    struct Lifted
    {
        std::string path;
        AttributeKind kind;
        NodeId placeholder;
    };
    void declare(const std::string& path, AttributeKind kind, Result<Tensor> value);
    void drawLinear(const std::string& path, std::vector<std::int64_t> weightShape,
                    std::int64_t outputs, std::int64_t fanIn, bool hasBias);
    void redraw(const std::string& parameter,
                const std::function<Result<Tensor>(const Tensor& before)>& draw);
    void lift(AttributeKind kind);
    Result<Tensor> filled(std::vector<std::int64_t> shape, float value) const;
    Result<Value> evaluate(const Arguments& args, const std::string& target) const;
    /// An operator that is a whole module's forward. A further call of the same module is told apart in the stack.
    Traced callModule(const std::string& path, const std::string& target, Arguments args,
                      const std::string& source, std::string function = {});
    Argument parameter(const std::string& path);
    std::shared_ptr<const FileMeta> metaOf(const std::string& path, const std::string& function,
                                           const std::string& source) const;
    void unlift();

    const Kernels& m_torch;
    std::shared_ptr<RandomStream> m_stream;
    GraphEditor m_editor;
    OrderedMap<std::string> m_classes; ///< by path
    std::unordered_map<std::string, Conv2d> m_convolutions; ///< by path
    std::unordered_map<std::string, int> m_moduleCalls; ///< by path, how often callModule ran it
    OrderedMap<Attribute> m_attributes; ///< in order of declaration
    std::vector<Lifted> m_lifted;
    std::unordered_map<std::string, NodeId> m_nodeOf; ///< by path
    std::unordered_map<NodeId, Tensor> m_values;
    std::unordered_map<std::string, int> m_calls; ///< how often a function was called
    std::optional<Tensor> m_example;
    std::optional<Error> m_error;
};

} // namespace pt2e::zoo

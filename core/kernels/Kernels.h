// Operators called by name on Tensors. Everything that needs LibTorch sits in one shared library behind this
// interface; it is loaded when the first value is computed. No header of this project but one in kernels/torch
// shows a torch type.
#pragma once

#include "core/base/Result.h"
#include "core/kernels/Value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

/// PyTorch's default CPU generator: torch.manual_seed and the draws after it, the same stream number for number.
class RandomStream
{
public:
    virtual ~RandomStream() = default;
    virtual Result<Tensor> randn(std::span<const std::int64_t> shape) = 0; ///< float32, torch.randn
    virtual Result<Tensor> uniform(std::span<const std::int64_t> shape, double low,
                                   double high) = 0; ///< tensor.uniform_
    virtual Result<Tensor> normal(std::span<const std::int64_t> shape, double mean,
                                  double stddev) = 0; ///< tensor.normal_
    /// A second stream that goes on from the same state.
    virtual std::unique_ptr<RandomStream> clone() const = 0;
};

/// An argument that an op wrote: what was passed in, and the same tensor after the call. Everything that shares
/// before's storage has moved to after's storage; shape and strides differ only for ops such as unsqueeze_.
struct WrittenTensor
{
    Tensor before;
    Tensor after;
};

/// An operator looked up once, called many times. Thread-safe.
class Kernel
{
public:
    virtual ~Kernel() = default;
    /// Calls with positional and keyword values; missing ones take the schema's default. Runs without autograd.
    /// Inputs are never written: an op whose schema mutates an argument gets a private copy of that storage first,
    /// and the written tensor is returned (the caller rebinds it); arguments written without being returned, such as
    /// the running statistics of a batch norm in training, are told through `written` if it is given.
    /// ATen's exception becomes an Error with its first line.
    Result<Values> call(std::span<const Value> args, const NamedValues& kwargs,
                        std::vector<WrittenTensor>* written = nullptr) const
    {
        return doCall(args, kwargs, written);
    }
    /// True if a call may write an argument, so that the caller must look at `written`.
    virtual bool mutates() const = 0;

protected:
    virtual Result<Values> doCall(std::span<const Value> args, const NamedValues& kwargs,
                                  std::vector<WrittenTensor>* written) const = 0;
};

/// Facts about the LibTorch in use, printed with every figure.
struct TorchInfo
{
    std::string version; ///< "2.13.0"
    std::string cpuCapability; ///< "AVX2", "AVX512", "DEFAULT"
    std::string blas; ///< "mkl", "open", "generic", as LibTorch was built
    int threads = 1;
};

class Kernels
{
public:
    virtual ~Kernels() = default;
    virtual TorchInfo info() const = 0;
    /// "aten.conv2d.default", "quantized_decomposed.quantize_per_tensor.default". Unsupported if there is none.
    virtual Result<std::shared_ptr<const Kernel>> find(const std::string& target) const = 0;
    virtual std::unique_ptr<RandomStream> randomStream(std::uint64_t seed) const = 0;
    /// Intra-op threads; called once at start. One until then.
    virtual void setThreads(int count) const = 0;
    /// Seeds the generator that ops such as aten.randn and a dropout in training draw from: torch.manual_seed.
    virtual void seedDefaultGenerator(std::uint64_t seed) const = 0;

    /// torch.autocast for the CPU on the calling thread, until the result is dropped; dtype absent: bfloat16.
    virtual std::shared_ptr<void> autocastScope(bool isEnabled,
                                                std::optional<DType> dtype) const = 0;

    /// Convenience: look up, call, expect one tensor.
    Result<Tensor> callTensor(const std::string& target, const Values& args,
                              const NamedValues& kwargs = {}) const;
};

/// The process-wide kernels; loads the shared library at the first call (0.4 to 0.7 s). Thread-safe. The error names
/// the library and what to do; a later call tries again.
Result<const Kernels*> kernels();
/// True once the library has been loaded; for the test that `info` never does.
bool kernelsAreLoaded();

} // namespace pt2e

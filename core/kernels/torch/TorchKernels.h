// The one header of the project that shows torch types: crossing between our values and ATen's.
#pragma once

#include "core/kernels/Kernels.h"
#include "core/kernels/torch/Aten.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pt2e::torchside {

std::optional<at::ScalarType> toScalarType(DType dtype);
std::optional<DType> fromScalarType(at::ScalarType type);

/// Tensors on their way into and out of one call. Memory is shared, not copied: an ATen tensor that is made here
/// keeps our storage alive, and a storage of ours that comes out keeps ATen's. Storages shared by several arguments
/// stay shared.
class Border
{
public:
    /// The storage will be written: give ATen a private copy of it. Before the first toAten.
    void willWrite(const Tensor& tensor);
    /// Fails if the bytes cannot be read or the dtype is unknown to this LibTorch.
    Result<at::Tensor> toAten(const Tensor& tensor);
    /// Fails for tensors that are not plain strided CPU memory.
    Result<Tensor> fromAten(const at::Tensor& tensor);

private:
    Result<c10::Storage> storageFor(const std::shared_ptr<const Storage>& storage);
    std::unordered_set<const Storage*> m_written;
    std::unordered_map<const Storage*, c10::Storage> m_in;
    std::unordered_map<const c10::StorageImpl*, std::shared_ptr<const Storage>> m_out;
};

/// The value as the schema's type wants it, by PyTorch's rules: a number where a Tensor is wanted becomes a wrapped
/// number, an int where a float is wanted a float, and so on.
Result<c10::IValue> toIValue(Border& border, const Value& value, const c10::Argument& argument);
Result<Value> fromIValue(Border& border, const c10::IValue& value);

/// Intra-op threads of everything that runs in guarded(), on whatever thread. One until it is set.
void setThreadCount(int count);
int threadCount();

/// Runs body; an exception becomes an Error with its first line. Warnings of ATen are dropped. No autograd.
Result<Values> guarded(const std::string& target, const std::function<Result<Values>()>& body);

/// A tensor argument and what ATen was given for it.
struct PassedTensor
{
    Tensor given;
    at::Tensor handle;
};

/// An op with a schema and a boxed function: a dispatcher op, or one of ours.
class SchemaKernel final : public Kernel
{
public:
    using Boxed = std::function<void(torch::jit::Stack&)>;
    SchemaKernel(std::string target, c10::FunctionSchema schema, Boxed boxed);
    bool mutates() const override { return m_mutates; }

protected:
    Result<Values> doCall(std::span<const Value> args, const NamedValues& kwargs,
                          std::vector<WrittenTensor>* written) const override;

private:
    Result<std::vector<const Value*>> bind(std::span<const Value> args,
                                           const NamedValues& kwargs) const;
    Result<torch::jit::Stack> makeStack(Border& border, const std::vector<const Value*>& bound,
                                        std::vector<PassedTensor>& passed) const;
    std::vector<Tensor> tensorsToWrite(const std::vector<const Value*>& bound) const;

    std::string m_target;
    c10::FunctionSchema m_schema;
    Boxed m_boxed;
    std::vector<bool> m_writes; ///< per argument, by the schema
    int m_trainingFlag =
        -1; ///< argument that decides whether running statistics (3 and 4) are written
    bool m_mutates = false;
};

/// A kernel of the dispatcher, or Unsupported.
Result<std::shared_ptr<const Kernel>> findDispatcherKernel(const std::string& target);
/// A quantized_decomposed op, or nullptr.
std::shared_ptr<const Kernel> findDecomposedKernel(const std::string& target);
std::unique_ptr<RandomStream> makeRandomStream(std::uint64_t seed);

} // namespace pt2e::torchside

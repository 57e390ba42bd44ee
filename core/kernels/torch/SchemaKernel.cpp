// One call: bind values to the schema, cross the border, run the boxed function, come back.
#include "core/kernels/torch/TorchKernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>

namespace pt2e::torchside {

namespace {

std::string firstLine(std::string text)
{
    text = text.substr(0, text.find('\n'));
    return text.empty() ? "failed without a message" : text;
}

/// Drops ATen's warnings: they would go to stderr, once per process, without a place.
class SilentWarnings : public c10::WarningHandler
{
public:
    void process(const c10::Warning&) override {}
};

/// Ops whose schema does not say that they write the running statistics (arguments 3 and 4), and the argument that
/// makes them do it.
struct HiddenWrite
{
    std::string_view name;
    int trainingFlag;
};
constexpr std::array kHiddenWrites{
    HiddenWrite{"aten::batch_norm", 5}, HiddenWrite{"aten::native_batch_norm", 5},
    HiddenWrite{"aten::instance_norm", 5}, HiddenWrite{"aten::_batch_norm_impl_index", 5},
    HiddenWrite{"aten::cudnn_batch_norm", 5}};

void collectTensors(const Value& value, std::vector<Tensor>& into)
{
    if (const Tensor* tensor = value.tensor(); tensor && tensor->isValid())
        into.push_back(*tensor);
    if (const Value::List* items = value.list()) {
        for (const Value& item : *items)
            collectTensors(item, into);
    }
}

bool isSameView(const Tensor& a, const Tensor& b)
{
    return a.storage() == b.storage() && a.offset() == b.offset() && a.shape() == b.shape()
           && a.strides() == b.strides();
}

Result<void> tellWritten(Border& border, const std::vector<Tensor>& toWrite,
                         const std::vector<PassedTensor>& passed,
                         std::vector<WrittenTensor>& written)
{
    for (const Tensor& before : toWrite) {
        // The same view of the private copy …
        PT2E_ASSIGN(at::Tensor after, border.toAten(before));
        // … unless the op changed the tensor itself (unsqueeze_): the handle that was passed knows.
        for (const PassedTensor& tensor : passed) {
            if (isSameView(tensor.given, before))
                after = tensor.handle;
        }
        PT2E_ASSIGN(Tensor rebound, border.fromAten(after));
        written.push_back({before, std::move(rebound)});
    }
    return {};
}

/// OpenMP's thread count belongs to the calling thread; ATen's own look-up comes too late for MKL and oneDNN.
std::atomic<int> wantedThreads = 1;

void applyThreads()
{
    thread_local int applied = 0;
    const int wanted = wantedThreads.load(std::memory_order_relaxed);
    if (applied == wanted)
        return;
    at::set_num_threads(wanted);
    applied = wanted;
}

} // namespace

void setThreadCount(int count) { wantedThreads = std::max(1, count); }
int threadCount() { return wantedThreads; }

Result<Values> guarded(const std::string& target, const std::function<Result<Values>()>& body)
{
    applyThreads();
    SilentWarnings silent;
    const c10::WarningUtils::WarningHandlerGuard warnings(&silent);
    // Not InferenceMode: there a view of a parameter forgets that it requires a gradient, and matmul sums differently.
    const c10::NoGradGuard noGrad;
    try {
        auto result = body();
        if (!result)
            return fail(result.error().code, target, result.error().message());
        return result;
    } catch (const c10::NotImplementedError& error) {
        return fail(ErrorCode::Unsupported, target, firstLine(error.what_without_backtrace()));
    } catch (const c10::Error& error) {
        return badInput(target, firstLine(error.what_without_backtrace()));
    } catch (const std::exception& error) {
        return badInput(target, firstLine(error.what()));
    }
}

SchemaKernel::SchemaKernel(std::string target, c10::FunctionSchema schema, Boxed boxed)
    : m_target(std::move(target)),
      m_schema(std::move(schema)),
      m_boxed(std::move(boxed))
{
    for (const c10::Argument& argument : m_schema.arguments()) {
        m_writes.push_back(argument.alias_info() && argument.alias_info()->isWrite());
        m_mutates = m_mutates || m_writes.back();
    }
    for (const HiddenWrite& hidden : kHiddenWrites) {
        if (hidden.name == m_schema.name()) {
            m_trainingFlag = hidden.trainingFlag;
            m_mutates = true;
        }
    }
}

Result<std::vector<const Value*>> SchemaKernel::bind(std::span<const Value> args,
                                                     const NamedValues& kwargs) const
{
    const auto& formal = m_schema.arguments();
    if (args.size() > formal.size())
        return badInput("", "takes " + std::to_string(formal.size()) + " arguments, "
                                + std::to_string(args.size()) + " were given");
    std::vector<const Value*> bound(formal.size(), nullptr);
    for (std::size_t i = 0; i < args.size(); ++i)
        bound[i] = &args[i];
    for (const auto& [name, value] : kwargs) {
        // Python and the schema disagree on one name.
        const auto index = m_schema.argumentIndexWithName(
            name == "input" && !formal.empty() && formal.front().name() == "self" ? "self" : name);
        if (!index)
            return badInput("", "has no argument '" + name + "'");
        if (bound[*index])
            return badInput("", "argument '" + name + "' is given twice");
        bound[*index] = &value;
    }
    for (std::size_t i = 0; i < formal.size(); ++i) {
        if (!bound[i] && !formal[i].default_value())
            return badInput("", "argument '" + formal[i].name() + "' is missing");
    }
    return bound;
}

std::vector<Tensor> SchemaKernel::tensorsToWrite(const std::vector<const Value*>& bound) const
{
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < bound.size(); ++i) {
        if (m_writes[i] && bound[i])
            collectTensors(*bound[i], tensors);
    }
    if (m_trainingFlag >= 0) {
        const Value* flag = bound[static_cast<std::size_t>(m_trainingFlag)];
        const bool* isTraining = flag ? std::get_if<bool>(&flag->data) : nullptr;
        if (isTraining && *isTraining) {
            collectTensors(*bound[3], tensors);
            collectTensors(*bound[4], tensors);
        }
    }
    return tensors;
}

Result<torch::jit::Stack> SchemaKernel::makeStack(Border& border,
                                                  const std::vector<const Value*>& bound,
                                                  std::vector<PassedTensor>& passed) const
{
    torch::jit::Stack stack;
    stack.reserve(bound.size());
    for (std::size_t i = 0; i < bound.size(); ++i) {
        const c10::Argument& formal = m_schema.arguments()[i];
        if (!bound[i]) {
            stack.push_back(*formal.default_value());
            continue;
        }
        PT2E_ASSIGN(c10::IValue actual, toIValue(border, *bound[i], formal));
        if (m_mutates && bound[i]->tensor() && actual.isTensor())
            passed.push_back({*bound[i]->tensor(), actual.toTensor()});
        stack.push_back(std::move(actual));
    }
    return stack;
}

Result<Values> SchemaKernel::doCall(std::span<const Value> args, const NamedValues& kwargs,
                                    std::vector<WrittenTensor>* written) const
{
    return guarded(m_target, [&]() -> Result<Values> {
        PT2E_ASSIGN(const auto bound, bind(args, kwargs));
        Border border;
        const std::vector<Tensor> toWrite = tensorsToWrite(bound);
        for (const Tensor& tensor : toWrite)
            border.willWrite(tensor);
        std::vector<PassedTensor> passed;
        PT2E_ASSIGN(torch::jit::Stack stack, makeStack(border, bound, passed));
        m_boxed(stack);

        Values results;
        for (const c10::IValue& result : stack) {
            PT2E_ASSIGN(Value value, fromIValue(border, result));
            results.push_back(std::move(value));
        }
        if (written)
            PT2E_TRY(tellWritten(border, toWrite, passed, *written));
        return results;
    });
}

Result<std::shared_ptr<const Kernel>> findDispatcherKernel(const std::string& target)
{
    const auto lastDot = target.rfind('.');
    const auto firstDot = target.find('.');
    if (firstDot == std::string::npos || firstDot == lastDot)
        return fail(ErrorCode::Unsupported, target,
                    "is not an operator name (namespace.name.overload)");
    const std::string space = target.substr(0, firstDot);
    const std::string name = target.substr(firstDot + 1, lastDot - firstDot - 1);
    const std::string overload = target.substr(lastDot + 1);
    // A graph comes from a file: only computing ops are reached from it, and none that opens files.
    if (space != "aten" || name == "from_file")
        return fail(ErrorCode::Unsupported, target,
                    "cannot be run: only operators of aten and quantized_decomposed can");

    const c10::OperatorName qualified(space + "::" + name, overload == "default" ? "" : overload);
    const auto handle = c10::Dispatcher::singleton().findSchema(qualified);
    if (!handle)
        return fail(ErrorCode::Unsupported, target,
                    "LibTorch " TORCH_VERSION " has no such operator");
    auto boxed = [op = *handle](torch::jit::Stack& stack) { op.callBoxed(stack); };
    return std::make_shared<const SchemaKernel>(target, handle->schema(), std::move(boxed));
}

} // namespace pt2e::torchside

// The library's one exported function, and the Kernels behind it.
#include "core/kernels/TorchEntry.h"
#include "core/kernels/torch/TorchKernels.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace pt2e::torchside {

namespace {

class AutocastScope
{
public:
    AutocastScope(bool isEnabled, DType dtype)
        : m_wasEnabled(at::autocast::is_autocast_enabled(at::kCPU)),
          m_dtype(at::autocast::get_autocast_dtype(at::kCPU))
    {
        at::autocast::set_autocast_enabled(at::kCPU, isEnabled);
        at::autocast::set_autocast_dtype(at::kCPU, toScalarType(dtype).value_or(at::kBFloat16));
        at::autocast::increment_nesting();
    }
    ~AutocastScope()
    {
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(at::kCPU, m_wasEnabled);
        at::autocast::set_autocast_dtype(at::kCPU, m_dtype);
    }
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

private:
    bool m_wasEnabled;
    at::ScalarType m_dtype;
};

class TorchKernels final : public Kernels
{
public:
    TorchInfo info() const override
    {
        return {TORCH_VERSION, at::get_cpu_capability(), blasName(), threadCount()};
    }

    Result<std::shared_ptr<const Kernel>> find(const std::string& target) const override
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_found.find(target); known != m_found.end())
            return known->second;
        std::shared_ptr<const Kernel> kernel = findDecomposedKernel(target);
        if (!kernel) {
            PT2E_ASSIGN(kernel, findDispatcherKernel(target));
        }
        m_found.emplace(target, kernel);
        return kernel;
    }

    std::unique_ptr<RandomStream> randomStream(std::uint64_t seed) const override
    {
        return makeRandomStream(seed);
    }
    void setThreads(int count) const override { setThreadCount(count); }
    void seedDefaultGenerator(std::uint64_t seed) const override
    {
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        const std::lock_guard lock(generator.mutex());
        generator.set_current_seed(seed);
    }

    std::shared_ptr<void> autocastScope(bool isEnabled, std::optional<DType> dtype) const override
    {
        return std::make_shared<AutocastScope>(isEnabled, dtype.value_or(DType::BFloat16));
    }

private:
    /// "mkl" out of "… BLAS_INFO=mkl, …".
    static std::string blasName()
    {
        const std::string text = at::show_config();
        const std::string key = "BLAS_INFO=";
        const auto start = text.find(key);
        if (start == std::string::npos)
            return at::hasMKL() ? "mkl" : "generic";
        return text.substr(start + key.size(),
                           text.find_first_of(", \n", start) - start - key.size());
    }

    mutable std::mutex m_mutex;
    mutable std::unordered_map<std::string, std::shared_ptr<const Kernel>> m_found;
};

} // namespace

} // namespace pt2e::torchside

extern "C" __attribute__((visibility("default"))) const pt2e::Kernels* pt2e_torch_kernels(
    int version)
{
    static const pt2e::torchside::TorchKernels instance;
    return version == pt2e::kTorchEntryVersion ? &instance : nullptr;
}

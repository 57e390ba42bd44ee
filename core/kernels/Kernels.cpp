#include "core/kernels/Kernels.h"

#include "core/kernels/TorchEntry.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <vector>

namespace pt2e {

namespace {

constexpr const char* kLibrary = "libpt2e_torch.so";
constexpr const char* kOverride = "PT2E_TORCH_LIBRARY";

std::atomic<const Kernels*> theKernels = nullptr;

/// Where the library may lie, seen from the program: the build tree's and the installed place.
std::vector<std::filesystem::path> candidates()
{
    if (const char* given = std::getenv(kOverride); given && *given)
        return {given};
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const auto root = program.parent_path().parent_path();
    return {root / "lib" / "pt2e" / kLibrary, root / "lib" / kLibrary};
}

std::string dlErrorText()
{
    const char* text = dlerror();
    return text ? text : "unknown reason";
}

tl::unexpected<Error> notFound(const std::vector<std::filesystem::path>& places)
{
    std::string looked;
    for (const auto& place : places)
        looked += (looked.empty() ? "" : ", ") + place.string();
    return fail(ErrorCode::Io, kLibrary,
                "not found (looked for " + looked
                    + "); build the target pt2e_torch, install the program again, or set "
                    + kOverride + " to its place");
}

Result<const Kernels*> load()
{
    const auto places = candidates();
    std::filesystem::path library;
    for (const auto& place : places) {
        std::error_code ignored;
        if (library.empty() && std::filesystem::exists(place, ignored))
            library = place;
    }
    if (library.empty())
        return notFound(places);

    // Never closed: objects made in it live as long as the process.
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fail(
            ErrorCode::Io, library.string(),
            "cannot be loaded: " + dlErrorText()
                + "; LibTorch is missing or another version than at build time: run packaging/bootstrap and "
                  "build again, or install libtorch");
    const auto entry = reinterpret_cast<TorchEntry>(dlsym(handle, kTorchEntryName));
    const Kernels* loaded = entry ? entry(kTorchEntryVersion) : nullptr;
    if (!loaded)
        return fail(ErrorCode::Io, library.string(),
                    "belongs to another version of this program; build or install both together");
    return loaded;
}

} // namespace

Result<const Kernels*> kernels()
{
    if (const Kernels* loaded = theKernels.load(std::memory_order_acquire))
        return loaded;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (const Kernels* loaded = theKernels.load(std::memory_order_acquire))
        return loaded;
    PT2E_ASSIGN(const Kernels* loaded, load());
    theKernels.store(loaded, std::memory_order_release);
    return loaded;
}

bool kernelsAreLoaded() { return theKernels.load(std::memory_order_acquire) != nullptr; }

Result<Tensor> Kernels::callTensor(const std::string& target, const Values& args,
                                   const NamedValues& kwargs) const
{
    PT2E_ASSIGN(const auto kernel, find(target));
    PT2E_ASSIGN(const Values results, kernel->call(args, kwargs));
    if (results.size() != 1 || !results.front().tensor())
        return fail(ErrorCode::Internal, target,
                    "gave " + std::to_string(results.size())
                        + " results where one tensor was expected");
    return *results.front().tensor();
}

} // namespace pt2e

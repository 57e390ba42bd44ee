// libFuzzer target of the project reader: what is refused says why, what is read is written and read to the same again.
#include "core/pipeline/Project.h"

#include <cstdlib>
#include <new>

using namespace pt2e;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const Result<Project> project = readProject(text, "fuzz.pt2ew", {});
        if (!project) {
            if (project.error().what.empty())
                std::abort();
            return 0;
        }
        const std::string written = writeProject(*project, {});
        const Result<Project> again = readProject(written, "again.pt2ew", {});
        // Compared as text: a NaN is not equal to itself.
        if (!again || writeProject(*again, {}) != written)
            std::abort();
    } catch (const std::bad_alloc&) {}
    return 0;
}

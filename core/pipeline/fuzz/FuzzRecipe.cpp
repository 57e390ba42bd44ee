// libFuzzer target of the recipe reader: what is refused says why, what is read is written and read to the same again.
#include "core/pipeline/Recipe.h"

#include <cstdlib>
#include <new>

using namespace pt2e;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const Result<Recipe> recipe = readRecipe(text, "fuzz.json");
        if (!recipe) {
            if (recipe.error().what.empty())
                std::abort();
            return 0;
        }
        const std::string written = writeRecipe(*recipe);
        const Result<Recipe> again = readRecipe(written, "again.json");
        // Compared as text: a NaN is not equal to itself.
        if (!again || writeRecipe(*again) != written)
            std::abort();
    } catch (const std::bad_alloc&) {}
    return 0;
}

#include "core/tensor/TensorMeta.h"

namespace pt2e {

std::optional<std::int64_t> TensorMeta::elementCount() const
{
    std::int64_t count = 1;
    for (const SymInt& size : shape) {
        if (size.isSymbolic() || __builtin_mul_overflow(count, size.value(), &count))
            return std::nullopt;
    }
    return count;
}

std::string shapeText(const std::vector<SymInt>& shape)
{
    if (shape.empty())
        return "scalar";
    std::string text;
    for (const SymInt& size : shape) {
        if (!text.empty())
            text += "×";
        text += size.text();
    }
    return text;
}

} // namespace pt2e

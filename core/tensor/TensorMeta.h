// What is known about a value without computing it: dtype and shape, where a size may be a symbol.
#pragma once

#include "core/tensor/DType.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pt2e {

/// A size, stride or offset: a number, or an expression over symbols as PyTorch prints it ("s77", "2*s77 + 1").
class SymInt
{
public:
    SymInt(std::int64_t value = 0) : m_value(value) {}
    explicit SymInt(std::string expression) : m_value(std::move(expression)) {}

    bool isSymbolic() const { return m_value.index() == 1; }
    std::int64_t value() const { return std::get<std::int64_t>(m_value); } ///< only if not symbolic
    const std::string& expression() const
    {
        return std::get<std::string>(m_value);
    } ///< only if symbolic
    std::string text() const { return isSymbolic() ? expression() : std::to_string(value()); }
    friend bool operator==(const SymInt&, const SymInt&) = default;

private:
    std::variant<std::int64_t, std::string> m_value;
};

/// A fake tensor: PyTorch's `node.meta["val"]`.
struct TensorMeta
{
    DType dtype = DType::Float32;
    std::vector<SymInt> shape;
    std::vector<SymInt> strides; ///< in elements; empty when unknown
    bool requiresGrad = false;

    /// Number of elements, or nothing if a size is symbolic or the product exceeds int64.
    std::optional<std::int64_t> elementCount() const;
    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

/// "4×8×16×16" as it is shown to people; "scalar" for rank 0.
std::string shapeText(const std::vector<SymInt>& shape);

} // namespace pt2e

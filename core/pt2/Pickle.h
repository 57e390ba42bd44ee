// A restricted unpickler: builds plain data from the few opcodes torch.save writes. Nothing is ever
// imported, called or evaluated; a global is only a name, an unknown object only a label.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/DType.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e::pt2 {

/// Values live in one arena and refer to each other by index: shared, nested as deep as a hostile
/// file likes, even cyclic. Who walks them limits depth and count.
using PickleRef = std::uint32_t;

enum class PickleKind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    String,
    Tuple,
    List,
    Dict,
    Global, ///< text = "module name"
    Storage, ///< items = class global, key, location, element count
    Tensor, ///< items = storage, offset, size, stride, requires_grad [, dtype global]
    Parameter, ///< items = tensor, requires_grad
    DType, ///< integer = the DType
    Device, ///< items = type [, index]
    Opaque, ///< text = what it would be
    Mark
};

struct PickleValue
{
    PickleKind kind = PickleKind::None;
    std::int64_t integer = 0; ///< Bool, Int, DType
    double real = 0;
    std::string_view text; ///< a view on the pickle's bytes
    std::vector<PickleRef> items; ///< Dict: key, value, key, value, …
};

struct Pickle
{
    std::vector<PickleValue> values;
    PickleRef root = 0;
    const PickleValue& operator[](PickleRef ref) const { return values[ref]; }
};

/// where is how errors call the pickle; they give opcode and offset. The bytes must outlive the result.
Result<Pickle> readPickle(std::span<const std::byte> bytes, const std::string& where);

} // namespace pt2e::pt2

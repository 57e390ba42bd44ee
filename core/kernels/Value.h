// What flows along an edge when a graph runs: a tensor, a number, a list, nothing.
#pragma once

#include "core/tensor/Tensor.h"

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pt2e {

struct Value
{
    using List = std::vector<Value>;
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Tensor, DType, Device,
                 Layout, MemoryFormat, List, std::complex<double>>
        data;

    bool isNone() const { return data.index() == 0; }
    const Tensor* tensor() const { return std::get_if<Tensor>(&data); }
    const List* list() const { return std::get_if<List>(&data); }
};

using Values = std::vector<Value>;
using NamedValues = std::vector<std::pair<std::string, Value>>;

/// "tensor float32 4×8", "int", "list of 3", …: for error messages.
std::string describeValue(const Value& value);

} // namespace pt2e

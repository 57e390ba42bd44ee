// Arithmetic on sizes and other plain numbers: Python's operators, which torch.export writes for symbolic values.
#pragma once

#include "core/base/Result.h"
#include "core/kernels/Value.h"

#include <span>
#include <string>
#include <string_view>

namespace pt2e::reference {

/// "mul" from "_operator.mul", "operator.mul", "mul"; "sym_float" from "torch.sym_float"; "trunc" from "math.trunc".
/// Empty if the target is no scalar function.
std::string scalarFunction(std::string_view target);

/// Python's result: floor division and modulo round toward minus infinity, true division gives a float, bool counts as
/// int. Integers that leave 64 bits, division by zero and wrong kinds are errors.
Result<Value> callScalar(const std::string& function, std::span<const Value> args);

} // namespace pt2e::reference

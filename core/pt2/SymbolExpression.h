// Size expressions: sympy's structural print as files hold it, and the infix text that is shown.
// Parsed by a small grammar with limits, never evaluated.
#pragma once

#include "core/base/Result.h"

#include <string>
#include <string_view>

namespace pt2e::pt2 {

/// "Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))" → "2*s77 + 1", as
/// sympy's str() writes it. What the grammar does not know comes back unchanged; what is too deep, too
/// long or holds an integer beyond 64 bits is an error without a place.
Result<std::string> infixFromStructural(std::string_view structural);

/// The way back: "2*s77 + 1" → the structural print. Symbols that begin with "u" are unbacked (no
/// positive flag). Fails for text that is no arithmetic of symbols and integers.
Result<std::string> structuralFromInfix(std::string_view infix);

} // namespace pt2e::pt2

#include "core/engine/reference/ScalarOps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace pt2e::reference {

namespace {

/// int (bool counts) or float.
struct Number
{
    bool isReal = false;
    std::int64_t whole = 0;
    double real = 0; ///< the value of both kinds
};

std::optional<Number> numberOf(const Value& value)
{
    if (const auto* flag = std::get_if<bool>(&value.data))
        return Number{false, *flag ? 1 : 0, *flag ? 1.0 : 0.0};
    if (const auto* whole = std::get_if<std::int64_t>(&value.data))
        return Number{false, *whole, static_cast<double>(*whole)};
    if (const auto* real = std::get_if<double>(&value.data))
        return Number{true, 0, *real};
    return std::nullopt;
}

tl::unexpected<Error> overflow() { return badInput("", "the result does not fit into 64 bits"); }
tl::unexpected<Error> zeroDivision() { return badInput("", "division by zero"); }

/// Python's //: toward minus infinity.
Result<std::int64_t> floorDivide(std::int64_t a, std::int64_t b)
{
    if (b == 0)
        return zeroDivision();
    if (b == -1) {
        std::int64_t negated = 0;
        if (__builtin_sub_overflow(std::int64_t(0), a, &negated))
            return overflow();
        return negated;
    }
    const std::int64_t quotient = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

double floorModulo(double a, double b)
{
    const double rest = std::fmod(a, b);
    return (rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest;
}

Result<Value> power(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0) {
        if (base == 0)
            return zeroDivision();
        return Value{std::pow(static_cast<double>(base), static_cast<double>(exponent))};
    }
    std::int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
            return overflow();
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base))
            return overflow();
    }
    return Value{result};
}

Result<Value> shift(std::int64_t a, std::int64_t count, bool isLeft)
{
    if (count < 0)
        return badInput("", "negative shift count");
    if (!isLeft)
        return Value{a >> std::min<std::int64_t>(count, 63)};
    std::int64_t result = 0;
    if (count >= 63 || __builtin_mul_overflow(a, std::int64_t(1) << count, &result)) {
        if (a == 0)
            return Value{std::int64_t(0)};
        return overflow();
    }
    return Value{result};
}

Result<Value> otherWholeArithmetic(const std::string& f, std::int64_t a, std::int64_t b)
{
    if (f == "floordiv") {
        PT2E_ASSIGN(const std::int64_t quotient, floorDivide(a, b));
        return Value{quotient};
    }
    if (f == "mod") {
        if (b == 0)
            return zeroDivision();
        if (b == -1)
            return Value{std::int64_t(0)};
        const std::int64_t rest = a % b;
        return Value{(rest != 0 && (rest < 0) != (b < 0)) ? rest + b : rest};
    }
    if (f == "pow")
        return power(a, b);
    if (f == "lshift" || f == "rshift")
        return shift(a, b, f == "lshift");
    if (f == "and_")
        return Value{a & b};
    if (f == "or_")
        return Value{a | b};
    if (f == "xor")
        return Value{a ^ b};
    return fail(ErrorCode::Unsupported, "", "no such function on integers");
}

Result<Value> wholeArithmetic(const std::string& f, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    bool overflowed = false;
    if (f == "add")
        overflowed = __builtin_add_overflow(a, b, &result);
    else if (f == "sub")
        overflowed = __builtin_sub_overflow(a, b, &result);
    else if (f == "mul")
        overflowed = __builtin_mul_overflow(a, b, &result);
    else
        return otherWholeArithmetic(f, a, b);
    if (overflowed)
        return overflow();
    return Value{result};
}

Result<Value> realArithmetic(const std::string& f, double a, double b)
{
    if (f == "add")
        return Value{a + b};
    if (f == "sub")
        return Value{a - b};
    if (f == "mul")
        return Value{a * b};
    if (f == "pow")
        return Value{std::pow(a, b)};
    if (f == "floordiv" || f == "mod") {
        if (b == 0)
            return zeroDivision();
        return Value{f == "mod" ? floorModulo(a, b) : std::floor(a / b)};
    }
    return fail(ErrorCode::Unsupported, "", "no such function on floats");
}

std::optional<bool> compare(const std::string& f, const Number& a, const Number& b)
{
    const bool isReal = a.isReal || b.isReal;
    const bool less = isReal ? a.real < b.real : a.whole < b.whole;
    const bool equal = isReal ? a.real == b.real : a.whole == b.whole;
    const bool greater = isReal ? a.real > b.real : a.whole > b.whole;
    if (f == "eq")
        return equal;
    if (f == "ne")
        return !equal;
    if (f == "lt")
        return less;
    if (f == "le")
        return less || equal;
    if (f == "gt")
        return greater;
    if (f == "ge")
        return greater || equal;
    return std::nullopt;
}

Result<Value> callTwo(const std::string& f, const Value& first, const Value& second)
{
    const auto a = numberOf(first);
    const auto b = numberOf(second);
    if (!a || !b)
        return badInput("", "expected two numbers, got " + describeValue(first) + " and "
                                + describeValue(second));
    if (const auto truth = compare(f, *a, *b))
        return Value{*truth};
    const bool bothBool =
        std::holds_alternative<bool>(first.data) && std::holds_alternative<bool>(second.data);
    if (bothBool && (f == "and_" || f == "or_" || f == "xor"))
        return Value{f == "and_"  ? a->whole && b->whole
                     : f == "or_" ? a->whole || b->whole
                                  : a->whole != b->whole};
    if (f == "truediv") {
        if (b->real == 0)
            return zeroDivision();
        return Value{a->real / b->real};
    }
    const bool isReal = a->isReal || b->isReal;
    if (f == "sym_max" || f == "sym_min") {
        const bool takeSecond = f == "sym_max" ? b->real > a->real : b->real < a->real;
        const Value& chosen = takeSecond ? second : first;
        return isReal ? Value{numberOf(chosen)->real} : chosen;
    }
    return isReal ? realArithmetic(f, a->real, b->real) : wholeArithmetic(f, a->whole, b->whole);
}

Result<Value> truncated(double value)
{
    const double whole = std::trunc(value);
    if (!(std::abs(whole) < 9223372036854775808.0))
        return overflow();
    return Value{static_cast<std::int64_t>(whole)};
}

Result<Value> callOne(const std::string& f, const Value& argument)
{
    const auto a = numberOf(argument);
    if (!a)
        return badInput("", "expected a number, got " + describeValue(argument));
    if (f == "neg")
        return a->isReal ? Result<Value>(Value{-a->real}) : wholeArithmetic("sub", 0, a->whole);
    if (f == "pos")
        return a->isReal ? Value{a->real} : Value{a->whole};
    if (f == "sym_not" || f == "not_")
        return Value{a->real == 0};
    if (f == "sym_float")
        return Value{a->real};
    if (f == "sym_int" || f == "trunc")
        return a->isReal ? truncated(a->real) : Result<Value>(Value{a->whole});
    if (f == "_sym_sqrt") {
        if (a->real < 0)
            return badInput("", "square root of a negative number");
        return Value{std::sqrt(a->real)};
    }
    return fail(ErrorCode::Unsupported, "", "no such function of one number");
}

Result<Value> choose(std::span<const Value> args)
{
    const auto condition = numberOf(args[0]);
    if (!condition)
        return badInput("", "expected a bool, got " + describeValue(args[0]));
    return condition->real != 0 ? args[1] : args[2];
}

/// torch.sym_sum of a list.
Result<Value> sum(const Value::List& items)
{
    Value total{std::int64_t(0)};
    for (const Value& item : items) {
        PT2E_ASSIGN(total, callTwo("add", total, item));
    }
    return total;
}

} // namespace

std::string scalarFunction(std::string_view target)
{
    static constexpr std::array kFunctions{
        std::string_view("add"),      std::string_view("and_"),      std::string_view("eq"),
        std::string_view("floordiv"), std::string_view("ge"),        std::string_view("gt"),
        std::string_view("le"),       std::string_view("lshift"),    std::string_view("lt"),
        std::string_view("mod"),      std::string_view("mul"),       std::string_view("ne"),
        std::string_view("neg"),      std::string_view("not_"),      std::string_view("or_"),
        std::string_view("pos"),      std::string_view("pow"),       std::string_view("rshift"),
        std::string_view("sub"),      std::string_view("sym_float"), std::string_view("sym_int"),
        std::string_view("sym_ite"),  std::string_view("sym_max"),   std::string_view("sym_min"),
        std::string_view("sym_not"),  std::string_view("sym_sum"),   std::string_view("_sym_sqrt"),
        std::string_view("truediv"),  std::string_view("trunc"),     std::string_view("xor")};
    for (const std::string_view prefix : {"_operator.", "operator.", "torch.", "math."}) {
        if (target.starts_with(prefix)) {
            target.remove_prefix(prefix.size());
            break;
        }
    }
    return std::find(kFunctions.begin(), kFunctions.end(), target) == kFunctions.end()
               ? std::string()
               : std::string(target);
}

Result<Value> callScalar(const std::string& function, std::span<const Value> args)
{
    if (function == "sym_sum" && args.size() == 1 && args[0].list())
        return sum(*args[0].list());
    if (function == "sym_ite" && args.size() == 3)
        return choose(args);
    if (args.size() == 2)
        return callTwo(function, args[0], args[1]);
    if (args.size() == 1)
        return callOne(function, args[0]);
    return badInput("", function + " cannot take " + std::to_string(args.size()) + " arguments");
}

} // namespace pt2e::reference

#include "core/base/RealText.h"

#include <charconv>
#include <cstdint>
#include <limits>

namespace pt2e {

namespace {

/// The exponent e of a number 0.ddd × 10^e whose first digit d is not 0.
std::int64_t decimalExponent(std::string_view text)
{
    constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();
    std::int64_t exponent = 0;
    if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
        std::string_view digits = text.substr(e + 1);
        if (digits.starts_with('+'))
            digits.remove_prefix(1);
        const char* const end = digits.data() + digits.size();
        if (std::from_chars(digits.data(), end, exponent).ec == std::errc::result_out_of_range)
            exponent = digits.starts_with('-') ? -kFar * kFar : kFar * kFar;
        text = text.substr(0, e);
    }
    const std::size_t point = text.find('.');
    const std::size_t first = text.find_first_of("123456789");
    const std::size_t ones = point == std::string_view::npos ? text.size() : point;
    const auto places = static_cast<std::int64_t>(ones) - static_cast<std::int64_t>(first);
    return exponent + (first < ones ? places : places + 1);
}

} // namespace

std::optional<double> realOf(std::string_view text)
{
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (stop != end)
        return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        const double size =
            decimalExponent(text) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
        return text.starts_with('-') ? -size : size;
    }
    if (error != std::errc{} || text.find_first_not_of("+-.eE0123456789") != std::string_view::npos)
        return std::nullopt;
    return value;
}

} // namespace pt2e

#include "core/view/TableCells.h"

#include <cmath>
#include <fmt/format.h>

namespace pt2e {

Cell textCell(std::string value) { return {std::move(value), std::nullopt, false}; }

Cell wordCell(const char* value)
{
    Cell cell = textCell(value);
    cell.pattern = value;
    return cell;
}

Cell countCell(std::int64_t value, std::string text)
{
    return {text.empty() ? std::to_string(value) : std::move(text), static_cast<double>(value),
            true};
}

Cell numberCell(double value, const char* format)
{
    if (std::isnan(value))
        return {"not a number", std::nullopt, true, {}, "not a number"};
    if (std::isinf(value)) {
        const char* name = value > 0 ? "infinite" : "minus infinite";
        return {name, value, true, {}, name};
    }
    return {fmt::format(fmt::runtime(format), value), value, true};
}

Cell absentCell() { return {"-", std::nullopt, true}; }

} // namespace pt2e

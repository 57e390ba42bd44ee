// Cells of tables.
#pragma once

#include "core/view/Tables.h"

#include <cstdint>
#include <string>

namespace pt2e {

Cell textCell(std::string value);
/// A word that the window translates.
Cell wordCell(const char* value);
/// The number, or other text for it; at the right, and it sorts by the number.
Cell countCell(std::int64_t value, std::string text = {});
/// In a format of fmt: "{:.2f}". What is not finite is a word; an infinity sorts by its number all the same.
Cell numberCell(double value, const char* format);
/// "-" where a number would be.
Cell absentCell();

} // namespace pt2e

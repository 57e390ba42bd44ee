#include "app/cli/InfoText.h"

#include <fmt/format.h>

namespace pt2e::cli {

std::string printable(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto at = [&](std::size_t offset) {
            return i + offset < text.size() ? static_cast<unsigned char>(text[i + offset]) : 0u;
        };
        const bool turns = c == 0xe2
                           && ((at(1) == 0x80 && at(2) >= 0xaa && at(2) <= 0xae)
                               || (at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9));
        if (c < 0x20 || c == 0x7f || turns || (c == 0xc2 && at(1) < 0xa0))
            out += fmt::format("\\x{:02x}", c);
        else
            out += text[i];
    }
    return out;
}

std::string bytesText(std::uint64_t bytes)
{
    if (bytes < 1024)
        return fmt::format("{} B", bytes);
    double value = static_cast<double>(bytes);
    for (const char* unit : {"KiB", "MiB", "GiB"}) {
        value /= 1024;
        if (value < 1024)
            return fmt::format("{:.1f} {}", value, unit);
    }
    return fmt::format("{:.1f} TiB", value / 1024);
}

} // namespace pt2e::cli

// What UTF-8 must not hold, but a JSON text can smuggle in as "\udc00".
#pragma once

#include <string_view>

namespace pt2e {

/// Whether text that is UTF-8 otherwise holds half of a surrogate pair as a character (ED A0 … ED BF).
inline bool hasLoneSurrogate(std::string_view text)
{
    for (std::size_t at = text.find('\xed'); at != std::string_view::npos;
         at = text.find('\xed', at + 1)) {
        if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xa0)
            return true;
    }
    return false;
}

} // namespace pt2e

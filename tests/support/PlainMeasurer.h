// Text sizes without fonts: 7 units a byte.
#pragma once

#include "core/view/Scene.h"

namespace pt2e::test {

class PlainMeasurer final : public TextMeasurer
{
public:
    double width(std::string_view text, TextRole) const override
    {
        return 7.0 * static_cast<double>(text.size());
    }
    double lineHeight(TextRole) const override { return 14; }
};

} // namespace pt2e::test

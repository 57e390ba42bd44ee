// The horizontal axis of charts of values.
#pragma once

#include <QRectF>

#include <algorithm>
#include <optional>

namespace pt2e::ui {

/// What an axis shows of the values from low to high and of the range they are clipped to, with a margin.
struct ValueAxis
{
    double low = 0;
    double high = 1;

    static ValueAxis around(double low, double high, std::optional<double> clipLow,
                            std::optional<double> clipHigh)
    {
        low = std::min(low, clipLow.value_or(low));
        high = std::max(high, clipHigh.value_or(high));
        if (high <= low) {
            low -= 0.5;
            high += 0.5;
        }
        const double margin = (high - low) * 0.03;
        return {low - margin, high + margin};
    }
    double toX(double value, const QRectF& area) const
    {
        return area.left() + (value - low) / (high - low) * area.width();
    }
};

} // namespace pt2e::ui

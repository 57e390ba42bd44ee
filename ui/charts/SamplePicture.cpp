#include "ui/charts/SamplePicture.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {

struct Geometry
{
    int channels = 0;
    int height = 0;
    int width = 0;
};

/// Of a picture; no channels: it is none.
Geometry geometryOf(const std::vector<std::int64_t>& shape)
{
    constexpr std::int64_t kLeast = 4; ///< pixels a side; below that it is rather a table
    std::vector<std::int64_t> sizes = shape;
    while (sizes.size() > 3 && sizes.front() == 1)
        sizes.erase(sizes.begin());
    if (sizes.size() == 2)
        sizes.insert(sizes.begin(), 1);
    const bool isPicture = sizes.size() == 3 && (sizes[0] == 1 || sizes[0] == 3)
                           && sizes[1] >= kLeast && sizes[2] >= kLeast;
    return isPicture ? Geometry{static_cast<int>(sizes[0]), static_cast<int>(sizes[1]),
                                static_cast<int>(sizes[2])}
                     : Geometry{};
}

double at(const std::vector<double>& values, int channel, double otherwise)
{
    if (values.empty())
        return otherwise;
    return values.size() == 1 ? values.front() : values[static_cast<std::size_t>(channel)];
}

/// Takes back (value − mean) / std, then maps what lies outside 0 … 1 into it.
void toPixelRange(std::vector<double>& values, const Geometry& geometry, const DataFormat& format)
{
    const std::size_t plane = values.size() / static_cast<std::size_t>(geometry.channels);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto channel = static_cast<int>(i / plane);
        values[i] = values[i] * at(format.std, channel, 1) + at(format.mean, channel, 0);
        if (!std::isfinite(values[i]))
            values[i] = 0;
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double least = *low;
    const double most = *high;
    constexpr double kRounding = 1e-3; // in float32, there and back
    if ((least >= -kRounding && most <= 1 + kRounding) || most <= least)
        return;
    for (double& value : values)
        value = (value - least) / (most - least);
}

QImage pixels(std::vector<double> values, const Geometry& geometry, const DataFormat& format)
{
    toPixelRange(values, geometry, format);
    QImage image(geometry.width, geometry.height, QImage::Format_RGB32);
    const std::size_t plane = values.size() / static_cast<std::size_t>(geometry.channels);
    const auto level = [&](std::size_t place, int channel) {
        const auto c = static_cast<std::size_t>(geometry.channels == 1 ? 0 : channel);
        return static_cast<int>(std::lround(255 * std::clamp(values[c * plane + place], 0.0, 1.0)));
    };
    for (int y = 0; y < geometry.height; ++y) {
        for (int x = 0; x < geometry.width; ++x) {
            const auto place =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(geometry.width)
                + static_cast<std::size_t>(x);
            image.setPixel(x, y, qRgb(level(place, 0), level(place, 1), level(place, 2)));
        }
    }
    return image;
}

QImage fitted(const QImage& image, int side)
{
    const int longest = std::max(image.width(), image.height());
    if (longest > side)
        return image.scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    const int factor = std::max(1, side / longest);
    return image.scaled(image.width() * factor, image.height() * factor);
}

/// The values from left to right; of many, the smallest and largest of each column.
QImage plot(const std::vector<double>& values, int side, const QColor& ink)
{
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (low > high)
        return image;
    const double room = side - 3;
    const auto y = [&](double value) {
        return 1.5 + room * (high > low ? (high - value) / (high - low) : 0.5);
    };
    QPainterPath path;
    const std::size_t count = values.size();
    const std::size_t step = std::max<std::size_t>(1, count / static_cast<std::size_t>(side));
    for (std::size_t first = 0; first < count; first += step) {
        const auto end =
            values.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, count));
        const auto [least, most] =
            std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first), end);
        const double x = 1.5
                         + room * static_cast<double>(first)
                               / static_cast<double>(std::max<std::size_t>(1, count - 1));
        for (const double value : {*least, *most}) {
            if (!std::isfinite(value))
                continue;
            if (path.elementCount() == 0)
                path.moveTo(x, y(value));
            else
                path.lineTo(x, y(value));
        }
    }
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, std::max(1.0, side / 40.0)));
    painter.drawPath(path);
    return image;
}

} // namespace

QImage samplePicture(const Tensor& sample, const DataFormat& format, int side, const QColor& ink)
{
    auto values = sample.isValid() ? sample.toDoubles() : badInput("sample", "is no tensor");
    if (!values || values->empty() || side <= 0)
        return {};
    const Geometry geometry = geometryOf(sample.shape());
    return geometry.channels > 0 ? fitted(pixels(std::move(*values), geometry, format), side)
                                 : plot(*values, side, ink);
}

} // namespace pt2e::ui

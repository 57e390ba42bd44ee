#include "core/view/HtmlCharts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>

namespace pt2e::html {

namespace {

constexpr double kWidth = 860;
constexpr double kRow = 20;
constexpr double kRight = 30;

/// Room for the labels: about 6.6 a character in the page's small font.
double labelRoom(std::size_t longest)
{
    return 20 + 6.6 * static_cast<double>(std::min<std::size_t>(longest, 34));
}

std::string shortened(const std::string& text)
{
    constexpr std::size_t kMost = 34;
    return text.size() <= kMost ? text : text.substr(0, kMost - 3) + "...";
}

template<typename Rows>
double roomOf(const Rows& rows)
{
    std::size_t longest = 0;
    for (const auto& row : rows)
        longest = std::max(longest, row.label.size());
    return labelRoom(longest);
}

struct Axis
{
    double low = 0, high = 1, left = 0, right = 1;
    double at(double value) const { return left + (value - low) / (high - low) * (right - left); }
};

/// 1, 2 or 5 times a power of ten, about `count` of them in the range.
double niceStep(double range, double count)
{
    const double rough = range / count;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double part = rough / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

Axis axisFor(double low, double high, double left)
{
    if (!(high > low)) {
        low -= 0.5;
        high = low + 1;
    }
    const double step = niceStep(high - low, 6);
    return {std::floor(low / step) * step, std::ceil(high / step) * step, left, kWidth - kRight};
}

std::string opening(double height, const std::string& label)
{
    return fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", kWidth,
                       height, escaped(label));
}

/// Lines down the chart with their numbers below.
std::string grid(const Axis& axis, double bottom, const std::string& unit)
{
    std::string svg;
    const double step = niceStep(axis.high - axis.low, 6);
    for (double value = axis.low; value <= axis.high + step / 2; value += step) {
        const double x = axis.at(value);
        svg += fmt::format(
            "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"4\" y2=\"{1:.1f}\"/>"
            "<text class=\"tick\" x=\"{0:.1f}\" y=\"{2:.1f}\">{3:.6g}{4}</text>\n",
            x, bottom, bottom + 15, std::abs(value) < step / 1e6 ? 0.0 : value, escaped(unit));
    }
    return svg;
}

std::string rowLabel(const std::string& label, double room, double y)
{
    return fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\"><title>{}</title>{}</text>",
                       room - 10, y + 4, escaped(label), escaped(shortened(label)));
}

} // namespace

std::string escaped(const std::string& text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: result += c;
        }
    }
    return result;
}

std::string dotChart(const std::vector<std::string>& series, const std::vector<DotRow>& rows,
                     const std::string& unit)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const DotRow& row : rows) {
        for (const auto& value : row.values) {
            if (value && std::isfinite(*value)) {
                low = std::min(low, *value);
                high = std::max(high, *value);
            }
        }
    }
    if (!(low <= high))
        return "<p>Nothing differs.</p>\n";
    const double room = roomOf(rows);
    const Axis axis = axisFor(low, high, room);
    const double bottom = kRow * static_cast<double>(rows.size()) + 10;
    std::string svg = opening(bottom + 22, "one line per row") + grid(axis, bottom, unit);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double y = 4 + kRow * (static_cast<double>(i) + 0.5);
        svg += rowLabel(rows[i].label, room, y);
        for (std::size_t s = 0; s < rows[i].values.size(); ++s) {
            const auto& value = rows[i].values[s];
            if (value && std::isfinite(*value))
                svg += fmt::format("<circle class=\"s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\">"
                                   "<title>{}, {}: {:.2f}{}</title></circle>",
                                   s, axis.at(*value), y, escaped(rows[i].label),
                                   escaped(series[s]), *value, escaped(unit));
        }
        svg += "\n";
    }
    std::string legend = "<p class=\"legend\">";
    for (std::size_t s = 0; s < series.size(); ++s)
        legend += fmt::format("<span class=\"key k{}\"></span>{} ", s, escaped(series[s]));
    return legend + "</p>\n" + svg + "</svg>\n";
}

std::string intervalChart(const std::vector<IntervalRow>& rows, const std::string& unit)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const IntervalRow& row : rows) {
        low = std::min(low, row.low);
        high = std::max(high, row.high);
    }
    const double room = roomOf(rows);
    const Axis axis = axisFor(low, high, room);
    const double bottom = 28 * static_cast<double>(rows.size()) + 10;
    std::string svg = opening(bottom + 22, "values with 95 % intervals") + grid(axis, bottom, unit);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const IntervalRow& row = rows[i];
        const double y = 4 + 28 * (static_cast<double>(i) + 0.5);
        svg += rowLabel(row.label, room, y);
        svg += fmt::format(
            "<g class=\"s{0}\"><line class=\"bar\" x1=\"{1:.1f}\" x2=\"{2:.1f}\" y1=\"{3:.1f}\" "
            "y2=\"{3:.1f}\"/><circle cx=\"{4:.1f}\" cy=\"{3:.1f}\" r=\"5\"/><title>{5}: {6:.2f}{9} "
            "({7:.2f} to {8:.2f})</title></g>\n",
            i, axis.at(row.low), axis.at(row.high), y, axis.at(row.value), escaped(row.label),
            row.value, row.low, row.high, escaped(unit));
    }
    return svg + "</svg>\n";
}

std::string splitChart(const std::array<std::string, 2>& parts, const std::vector<SplitRow>& rows)
{
    double high = 0;
    for (const SplitRow& row : rows)
        high = std::max(high, row.first + row.second);
    const double room = roomOf(rows);
    const Axis axis = axisFor(0, high, room);
    const double bottom = kRow * static_cast<double>(rows.size()) + 10;
    std::string svg = opening(bottom + 22, parts[0] + " and " + parts[1]) + grid(axis, bottom, "");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SplitRow& row = rows[i];
        const double y = 4 + kRow * static_cast<double>(i) + 3;
        svg += rowLabel(row.label, room, y + kRow / 2 - 3);
        const double middle = axis.at(row.first), end = axis.at(row.first + row.second);
        svg += fmt::format("<g><rect class=\"s0\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                           "height=\"14\"/><rect class=\"s1\" x=\"{:.1f}\" y=\"{:.1f}\" "
                           "width=\"{:.1f}\" height=\"14\"/><title>{}: {} {:.3g}, {} {:.3g}</title>"
                           "</g>\n",
                           room, y, middle - room, middle, y, end - middle, escaped(row.label),
                           escaped(parts[0]), row.first, escaped(parts[1]), row.second);
    }
    return fmt::format("<p class=\"legend\"><span class=\"key k0\"></span>{} <span class=\"key "
                       "k1\"></span>{}</p>\n",
                       escaped(parts[0]), escaped(parts[1]))
           + svg + "</svg>\n";
}

std::string confusionChart(const std::vector<std::string>& names,
                           const std::vector<std::vector<std::int64_t>>& counts)
{
    std::size_t longest = 0;
    for (const std::string& name : names)
        longest = std::max(longest, name.size());
    const double room = labelRoom(longest);
    const auto classes = static_cast<double>(names.size());
    const double cell = std::clamp((kWidth - room - kRight) / classes, 6.0, 44.0);
    const double top = 18;
    std::string svg = opening(top + cell * classes + 24, "confusion matrix");
    for (std::size_t row = 0; row < counts.size(); ++row) {
        const double y = top + cell * static_cast<double>(row);
        svg += rowLabel(names[row], room, y + cell / 2);
        std::int64_t sum = 0;
        for (const std::int64_t count : counts[row])
            sum += count;
        for (std::size_t column = 0; column < counts[row].size(); ++column) {
            const std::int64_t count = counts[row][column];
            const double share =
                sum > 0 ? static_cast<double>(count) / static_cast<double>(sum) : 0;
            const double x = room + cell * static_cast<double>(column);
            svg += fmt::format("<g><rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                               "height=\"{:.1f}\" fill-opacity=\"{:.3f}\"/>",
                               row == column ? "right" : "wrong", x, y, cell - 1, cell - 1,
                               count == 0 ? 0.03 : 0.12 + 0.8 * share);
            if (count > 0 && cell >= 24)
                svg += fmt::format("<text class=\"count{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                                   share > 0.5 ? " strong" : "", x + cell / 2, y + cell / 2 + 4,
                                   count);
            svg += fmt::format("<title>{} seen as {}: {}</title></g>", escaped(names[row]),
                               escaped(names[column]), count);
        }
        svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                           room + cell * (static_cast<double>(row) + 0.5), top - 6,
                           cell >= 24 ? std::to_string(row) : "");
    }
    return svg + "</svg>\n";
}

} // namespace pt2e::html

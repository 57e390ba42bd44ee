// Charts as inline SVG. Their colours are the classes of the page (HtmlPage.cpp), so that they follow its light and
// dark form; every mark has a title that the browser shows when pointed at.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pt2e::html {

/// &, <, > and quotes.
std::string escaped(const std::string& text);

/// One line a row, several marks on it; an axis below. Values that are missing or not finite are left out.
struct DotRow
{
    std::string label;
    std::vector<std::optional<double>> values; ///< one per series
};
std::string dotChart(const std::vector<std::string>& series, const std::vector<DotRow>& rows,
                     const std::string& unit);

/// A value with its interval, one line a row.
struct IntervalRow
{
    std::string label;
    double low, value, high;
};
std::string intervalChart(const std::vector<IntervalRow>& rows, const std::string& unit);

/// Two parts of one length each row, on a shared scale.
struct SplitRow
{
    std::string label;
    double first, second;
};
std::string splitChart(const std::array<std::string, 2>& parts, const std::vector<SplitRow>& rows);

/// counts[row][column], darker for more; the diagonal in another colour.
std::string confusionChart(const std::vector<std::string>& names,
                           const std::vector<std::vector<std::int64_t>>& counts);

} // namespace pt2e::html

#include "ui/render/Theme.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

struct RoleColor
{
    ColorRole role;
    QRgb light;
    QRgb dark;
};

constexpr RoleColor kColors[] = {
    {ColorRole::Window, 0xfff4f4f1, 0xff16181b},
    {ColorRole::Canvas, 0xffffffff, 0xff1e2125},
    {ColorRole::Line, 0xffdddedb, 0xff383d44},
    {ColorRole::Text, 0xff1f2328, 0xffe8eaed},
    {ColorRole::MutedText, 0xff5f666f, 0xffa3abb5},
    {ColorRole::OpFill, 0xffffffff, 0xff282c32},
    {ColorRole::OpStroke, 0xff4a525b, 0xff8d96a1},
    {ColorRole::PillFill, 0xffeef0f2, 0xff31363d},
    {ColorRole::PillStroke, 0xff7a818a, 0xff7c8590},
    {ColorRole::TagFill, 0xfff4f2ea, 0xff33312a},
    {ColorRole::TagStroke, 0xffc4bfaa, 0xff6b6656},
    {ColorRole::TagText, 0xff5e5a48, 0xffcdc7b0},
    {ColorRole::ObserverFill, 0xfffff4dc, 0xff3d3018},
    {ColorRole::ObserverStroke, 0xffe69f00, 0xffe69f00},
    {ColorRole::ObserverText, 0xff7a5200, 0xfff5c766},
    {ColorRole::QuantFill, 0xffdceefa, 0xff17354a},
    {ColorRole::QuantStroke, 0xff0072b2, 0xff56b4e9},
    {ColorRole::QuantText, 0xff005f96, 0xff7cc7f0},
    {ColorRole::FloatEdge, 0xff9aa0a8, 0xff737b86},
    {ColorRole::Int8Edge, 0xff009e73, 0xff1fc497},
    {ColorRole::GhostStroke, 0xffb3b9c0, 0xff5d656f},
    {ColorRole::GhostText, 0xff666d76, 0xff9aa2ac},
    {ColorRole::StubFill, 0xfff7f8f8, 0xff24282d},
    {ColorRole::StubStroke, 0xffb3b9c0, 0xff5d656f},
    {ColorRole::StubText, 0xff5a616a, 0xffaab2bc},
    {ColorRole::Hatch, 0xffd55e00, 0xffe8843a},
    {ColorRole::HatchText, 0xffa84a00, 0xfff0a060},
    {ColorRole::Focus, 0xff56b4e9, 0xff56b4e9},
    {ColorRole::Selection, 0xff0072b2, 0xff56b4e9},
    {ColorRole::Related, 0xff56b4e9, 0xff3a86b5},
    {ColorRole::Hover, 0xff9fcdea, 0xff46708c},
    {ColorRole::Changed, 0xffcc79a7, 0xffe09cc2},
    {ColorRole::Accent, 0xff00805d, 0xff1fc497},
    {ColorRole::AccentText, 0xffffffff, 0xff10241e},
    {ColorRole::Alarm, 0xffb3261e, 0xffff8a80},
    // One hue whose lightness says the level, so that it holds for every eye and in grey; then Okabe–Ito tints.
    {ColorRole::Overlay0, 0xfffdf6ea, 0xff302d29},
    {ColorRole::Overlay1, 0xfffbe3bf, 0xff43372a},
    {ColorRole::Overlay2, 0xfff7cb8d, 0xff58422a},
    {ColorRole::Overlay3, 0xfff1b062, 0xff6e4c27},
    {ColorRole::Overlay4, 0xffe9954a, 0xff835322},
    {ColorRole::Overlay5, 0xffe07f36, 0xff97581b},
    {ColorRole::Overlay6, 0xffbfe9dc, 0xff17503f},
    {ColorRole::Overlay7, 0xffd0e8f8, 0xff1f4a68},
    {ColorRole::Overlay8, 0xfff9d28c, 0xff6e4c1a},
    {ColorRole::Overlay9, 0xffeceef0, 0xff33383f},
};
static_assert(std::size(kColors) == static_cast<std::size_t>(ColorRole::Count_));

double channel(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c)
{
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

} // namespace

const Theme& Theme::light()
{
    static const Theme theme = [] {
        Colors colors;
        for (const auto& c : kColors)
            colors[static_cast<std::size_t>(c.role)] = QColor::fromRgb(c.light);
        return Theme(colors, false);
    }();
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme = [] {
        Colors colors;
        for (const auto& c : kColors)
            colors[static_cast<std::size_t>(c.role)] = QColor::fromRgb(c.dark);
        return Theme(colors, true);
    }();
    return theme;
}

ColorRole overlayRole(int level)
{
    const int last = static_cast<int>(ColorRole::Overlay9) - static_cast<int>(ColorRole::Overlay0);
    return static_cast<ColorRole>(static_cast<int>(ColorRole::Overlay0)
                                  + std::clamp(level, 0, last));
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

} // namespace pt2e

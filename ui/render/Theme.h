// Colours by what they mean. Okabe–Ito hues; text on its ground has a contrast of at least 4.5 : 1 in both themes
// (checkDisplayList measures it). Meaning never hangs on colour alone: shapes, line widths and hatching say it too.
#pragma once

#include <QColor>

#include <array>
#include <cstdint>

namespace pt2e {

enum class ColorRole : std::uint8_t {
    Window, ///< behind panels and panes
    Canvas, ///< the ground of a pane or figure
    Line, ///< frames and rules
    Text,
    MutedText,
    OpFill,
    OpStroke,
    PillFill, ///< placeholders and outputs
    PillStroke,
    TagFill, ///< weights
    TagStroke,
    TagText,
    ObserverFill,
    ObserverStroke,
    ObserverText,
    QuantFill, ///< q and dq
    QuantStroke,
    QuantText,
    FloatEdge,
    Int8Edge,
    GhostStroke,
    GhostText,
    StubFill,
    StubStroke,
    StubText,
    Hatch, ///< unquantized ops
    HatchText, ///< their mark
    Focus, ///< border of focus nodes
    Selection,
    Related, ///< the selection's counterpart in another pane
    Hover,
    Changed, ///< what the last edit changed
    Accent, ///< primary buttons, progress
    AccentText,
    Alarm, ///< nothing is quantized
    Overlay0, ///< levels of an overlay (core/view/Overlay.h): a scale from harmless to bad …
    Overlay1,
    Overlay2,
    Overlay3,
    Overlay4,
    Overlay5,
    Overlay6, ///< … and kinds: XNNPACK int8, XNNPACK float, LibTorch, absorbed
    Overlay7,
    Overlay8,
    Overlay9,
    Count_
};

class Theme
{
public:
    static const Theme& light();
    static const Theme& dark();

    QColor color(ColorRole role) const { return m_colors[static_cast<std::size_t>(role)]; }
    bool isDark() const { return m_isDark; }

private:
    using Colors = std::array<QColor, static_cast<std::size_t>(ColorRole::Count_)>;
    Theme(const Colors& colors, bool isDark) : m_colors(colors), m_isDark(isDark) {}
    Colors m_colors;
    bool m_isDark = false;
};

/// Of a level of an overlay.
ColorRole overlayRole(int level);

/// WCAG contrast ratio, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

} // namespace pt2e

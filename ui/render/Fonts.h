// The fixed fonts of all pictures, and measuring with them.
//
// DejaVu Sans and Mono and Noto Sans CJK are registered by file, so that figures are the same on any machine. Kerning
// and hinting are off: a text is as wide as the sum of its glyphs at every zoom and in every output format.
#pragma once

#include "core/view/Scene.h"

#include <QFont>
#include <QString>
#include <QStringList>

#include <array>
#include <mutex>
#include <unordered_map>

namespace pt2e {

/// Registers the font files of the distribution. Call once, after the QGuiApplication is made and before anything is
/// measured. Returns one sentence per family that was not found, naming the package that has it.
QStringList registerFonts();
/// Call first in main(), before the QGuiApplication: makes Qt's hash order, and with it PDF files, reproducible.
void makeQtDeterministic();

QFont sceneFont(TextRole role);
QFont monospaceFont(int pixelSize);
/// "DejaVu Sans", "Noto Sans CJK TC"
QStringList sansFamilies();
/// True if the fonts have a glyph for each character.
bool hasGlyphs(const QString& text, TextRole role);

/// Thread-safe; create one after registerFonts() and share it.
class FontTextMeasurer final : public TextMeasurer
{
public:
    FontTextMeasurer();
    double width(std::string_view text, TextRole role) const override;
    double lineHeight(TextRole role) const override;
    double ascent(TextRole role) const;

private:
    struct Face
    {
        QFont font;
        std::array<double, 128> ascii{};
        double lineHeight = 0;
        double ascent = 0;
    };
    double slowWidth(const Face& face, std::string_view text, TextRole role) const;
    std::array<Face, 4> m_faces;
    mutable std::mutex m_mutex;
    mutable std::array<std::unordered_map<std::string, double>, 4> m_cache;
};

/// One for the whole program; made on first use.
const FontTextMeasurer& textMeasurer();

} // namespace pt2e

#include "ui/render/Fonts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QHashSeed>
#include <QRawFont>

namespace pt2e {

namespace {

struct FontFile
{
    const char* family;
    const char* fileName;
    const char* package; ///< of Debian
};

constexpr FontFile kFontFiles[] = {
    {"DejaVu Sans", "DejaVuSans.ttf", "fonts-dejavu-core"},
    {"DejaVu Sans Bold", "DejaVuSans-Bold.ttf", "fonts-dejavu-core"},
    {"DejaVu Sans Mono", "DejaVuSansMono.ttf", "fonts-dejavu-core"},
    {"Noto Sans CJK", "NotoSansCJK-Regular.ttc", "fonts-noto-cjk"},
    {"Noto Sans CJK Bold", "NotoSansCJK-Bold.ttc", "fonts-noto-cjk"},
};

/// Where distributions, and our own packages, put fonts.
QStringList fontFolders()
{
    const QString own = QCoreApplication::applicationDirPath();
    return {own + QStringLiteral("/../share/pt2e/fonts"),
            own + QStringLiteral("/../share/fonts"),
            QStringLiteral("/usr/share/fonts/truetype/dejavu"),
            QStringLiteral("/usr/share/fonts/opentype/noto"),
            QStringLiteral("/usr/share/fonts/dejavu"),
            QStringLiteral("/usr/share/fonts/dejavu-sans-fonts"),
            QStringLiteral("/usr/share/fonts/dejavu-sans-mono-fonts"),
            QStringLiteral("/usr/share/fonts/noto-cjk"),
            QStringLiteral("/usr/share/fonts/google-noto-sans-cjk-fonts"),
            QStringLiteral("/usr/share/fonts/TTF")};
}

QFont plainFont(const QStringList& families, int pixelSize, bool bold)
{
    QFont font(families);
    font.setPixelSize(pixelSize);
    font.setBold(bold);
    font.setKerning(false);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(
        static_cast<QFont::StyleStrategy>(QFont::PreferOutline | QFont::NoSubpixelAntialias));
    return font;
}

} // namespace

QStringList registerFonts()
{
    QStringList missing;
    for (const auto& file : kFontFiles) {
        bool isFound = false;
        for (const QString& folder : fontFolders()) {
            const QString path = folder + QLatin1Char('/') + QLatin1String(file.fileName);
            if (QFileInfo::exists(path) && QFontDatabase::addApplicationFont(path) >= 0) {
                isFound = true;
                break;
            }
        }
        if (!isFound)
            missing += QStringLiteral("font '%1' was not found: install %2")
                           .arg(QLatin1String(file.family), QLatin1String(file.package));
    }
    return missing;
}

void makeQtDeterministic() { QHashSeed::setDeterministicGlobalSeed(); }

QStringList sansFamilies()
{
    return {QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans CJK TC")};
}

QFont sceneFont(TextRole role)
{
    switch (role) {
    case TextRole::Title: return plainFont(sansFamilies(), 13, true);
    case TextRole::Name: return plainFont(sansFamilies(), 11, false);
    case TextRole::Detail:
    case TextRole::Badge: break;
    }
    return plainFont(sansFamilies(), 10, false);
}

QFont monospaceFont(int pixelSize)
{
    return plainFont({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono CJK TC")},
                     pixelSize, false);
}

bool hasGlyphs(const QString& text, TextRole role)
{
    QList<QRawFont> fonts;
    for (const QString& family : sansFamilies()) {
        auto font = sceneFont(role);
        font.setFamilies({family});
        fonts += QRawFont::fromFont(font);
    }
    const auto characters = text.toUcs4();
    for (const char32_t c : characters) {
        bool isThere = false;
        for (const auto& font : fonts)
            isThere = isThere || font.supportsCharacter(static_cast<uint>(c));
        if (!isThere)
            return false;
    }
    return true;
}

FontTextMeasurer::FontTextMeasurer()
{
    for (std::size_t r = 0; r < m_faces.size(); ++r) {
        auto& face = m_faces[r];
        face.font = sceneFont(static_cast<TextRole>(r));
        const QFontMetricsF metrics(face.font);
        face.lineHeight = metrics.height();
        face.ascent = metrics.ascent();
        for (char c = 32; c < 127; ++c)
            face.ascii[static_cast<std::size_t>(c)] = metrics.horizontalAdvance(QLatin1Char(c));
    }
}

double FontTextMeasurer::width(std::string_view text, TextRole role) const
{
    const auto& face = m_faces[static_cast<std::size_t>(role)];
    double width = 0;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 128)
            return slowWidth(face, text, role);
        width += face.ascii[static_cast<std::size_t>(c)];
    }
    return width;
}

double FontTextMeasurer::slowWidth(const Face& face, std::string_view text, TextRole role) const
{
    const std::lock_guard lock(m_mutex);
    auto& cache = m_cache[static_cast<std::size_t>(role)];
    if (const auto it = cache.find(std::string(text)); it != cache.end())
        return it->second;
    if (cache.size() > 20000)
        cache.clear();
    const auto string = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    const double width = QFontMetricsF(face.font).horizontalAdvance(string);
    cache.emplace(std::string(text), width);
    return width;
}

double FontTextMeasurer::lineHeight(TextRole role) const
{
    return m_faces[static_cast<std::size_t>(role)].lineHeight;
}

double FontTextMeasurer::ascent(TextRole role) const
{
    return m_faces[static_cast<std::size_t>(role)].ascent;
}

const FontTextMeasurer& textMeasurer()
{
    static const FontTextMeasurer measurer;
    return measurer;
}

} // namespace pt2e

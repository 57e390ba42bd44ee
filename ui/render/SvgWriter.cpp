#include "ui/render/SvgWriter.h"

#include "ui/render/Fonts.h"
#include "ui/render/Paths.h"

#include <cmath>

namespace pt2e {

namespace {

using Shape = Primitive::Shape;

/// Two decimals at most, none of them a trailing zero; a point whatever the locale.
QByteArray number(double value)
{
    auto text = QByteArray::number(std::round(value * 100) / 100 + 0.0, 'f', 2);
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.'))
        text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray escaped(const QString& text)
{
    QString clean;
    for (const QChar c : text)
        if (c >= QLatin1Char(' ') || c == QLatin1Char('\t') || c == QLatin1Char('\n'))
            clean += c;
    return clean.toHtmlEscaped().toUtf8();
}

QByteArray pathData(const QPainterPath& path)
{
    QByteArray data;
    for (int i = 0; i < path.elementCount(); ++i) {
        const auto e = path.elementAt(i);
        const QByteArray at = number(e.x) + ',' + number(e.y);
        switch (e.type) {
        case QPainterPath::MoveToElement: data += 'M' + at; break;
        case QPainterPath::LineToElement: data += 'L' + at; break;
        case QPainterPath::CurveToElement: data += 'C' + at; break;
        case QPainterPath::CurveToDataElement: data += ' ' + at; break;
        }
    }
    return data;
}

class SvgWriter
{
public:
    SvgWriter(const DisplayList& list, const Theme& theme) : m_list(list), m_theme(theme) {}

    QByteArray write(const QString& title, const QString& description)
    {
        const auto& b = m_list.bounds;
        const QByteArray box = number(b.left()) + ' ' + number(b.top()) + ' ' + number(b.width())
                               + ' ' + number(b.height());
        m_out =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
            + number(b.width()) + "\" height=\"" + number(b.height()) + "\" viewBox=\"" + box
            + "\" role=\"img\" font-family=\"";
        m_out += sansFamilies().join(QStringLiteral(", ")).toUtf8() + ", sans-serif\">\n";
        if (!title.isEmpty())
            m_out += "<title>" + escaped(title) + "</title>\n";
        if (!description.isEmpty())
            m_out += "<desc>" + escaped(description) + "</desc>\n";
        m_out += "<rect x=\"" + number(b.left()) + "\" y=\"" + number(b.top()) + "\" width=\""
                 + number(b.width()) + "\" height=\"" + number(b.height()) + "\" fill=\""
                 + color(ColorRole::Canvas) + "\"/>\n";
        for (const auto& p : m_list.primitives)
            add(p);
        return m_out + "</svg>\n";
    }

private:
    QByteArray color(ColorRole role) const { return m_theme.color(role).name().toLatin1(); }

    QByteArray paint(const Primitive& p, bool filled) const
    {
        QByteArray out =
            " fill=\"" + (filled && p.fill ? color(*p.fill) : QByteArray("none")) + '"';
        if (p.stroke)
            out += " stroke=\"" + color(*p.stroke) + "\" stroke-width=\"" + number(p.strokeWidth)
                   + '"';
        if (p.dashed)
            out += " stroke-dasharray=\"4 3\"";
        return out;
    }

    void add(const Primitive& p)
    {
        switch (p.shape) {
        case Shape::Rect:
            m_out += "<rect x=\"" + number(p.rect.x()) + "\" y=\"" + number(p.rect.y())
                     + "\" width=\"" + number(p.rect.width()) + "\" height=\""
                     + number(p.rect.height()) + '"';
            if (p.radius > 0)
                m_out += " rx=\"" + number(p.radius) + '"';
            m_out += paint(p, true) + "/>\n";
            break;
        case Shape::Hexagon:
        case Shape::TriangleDown:
        case Shape::TriangleUp:
            m_out += "<path d=\"" + pathData(shapePath(p)) + "Z\" stroke-linejoin=\"round\""
                     + paint(p, true) + "/>\n";
            break;
        case Shape::Polyline:
            m_out += "<path d=\"" + pathData(linePath(p)) + '"' + paint(p, false) + "/>\n";
            break;
        case Shape::Hatch: {
            QPainterPath path;
            for (const QLineF& line : hatchLines(p.rect)) {
                path.moveTo(line.p1());
                path.lineTo(line.p2());
            }
            m_out += "<path d=\"" + pathData(path) + '"' + paint(p, false) + "/>\n";
            break;
        }
        case Shape::Text: addText(p); break;
        }
    }

    void addText(const Primitive& p)
    {
        const QFont font = sceneFont(p.role);
        const auto origin = textOrigin(p);
        const bool isCentered = p.align == Primitive::Align::Center;
        // Readers measure a little differently: what is centred here is centred there.
        m_out += "<text x=\"" + number(isCentered ? p.rect.center().x() : origin.x()) + "\" y=\""
                 + number(origin.y()) + "\" font-size=\"" + QByteArray::number(font.pixelSize())
                 + '"';
        if (isCentered)
            m_out += " text-anchor=\"middle\"";
        if (font.bold())
            m_out += " font-weight=\"bold\"";
        m_out += " fill=\"" + color(p.textColor) + "\">" + escaped(p.text) + "</text>\n";
    }

    const DisplayList& m_list;
    const Theme& m_theme;
    QByteArray m_out;
};

} // namespace

QByteArray writeSvg(const DisplayList& list, const Theme& theme, const QString& title,
                    const QString& description)
{
    return SvgWriter(list, theme).write(title, description);
}

} // namespace pt2e

// The check that tests, exports and the screenshot program run over every picture.
#include "ui/render/DisplayList.h"
#include "ui/render/Fonts.h"

#include <QHash>
#include <QLineF>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace pt2e {

namespace {

using Shape = Primitive::Shape;
constexpr double kLeastContrast = 4.5;
constexpr double kTouch = 0.5; ///< rounding: less than this is no overlap

bool overlap(const QRectF& a, const QRectF& b)
{
    return a.intersected(b).width() > kTouch && a.intersected(b).height() > kTouch;
}

QString place(const QRectF& r)
{
    return QStringLiteral("(%1, %2, %3 × %4)")
        .arg(r.x(), 0, 'f', 0)
        .arg(r.y(), 0, 'f', 0)
        .arg(r.width(), 0, 'f', 0)
        .arg(r.height(), 0, 'f', 0);
}

/// A rectangle that must stay free of others, and whose it is.
struct Area
{
    QRectF rect;
    int item = -1;
    QString name;
};

class Checker
{
public:
    Checker(const DisplayList& list, const Theme& theme) : m_list(list), m_theme(theme) {}

    QStringList run()
    {
        for (const auto& p : m_list.primitives)
            if (p.shape == Shape::Text)
                checkText(p);
        checkAreas();
        checkLines();
        return m_faults;
    }

private:
    void fault(const QString& sentence)
    {
        if (m_faults.size() < 100)
            m_faults += sentence;
    }

    void checkText(const Primitive& p)
    {
        const double width = textMeasurer().width(p.text.toStdString(), p.role);
        if (width > p.rect.width() + kTouch)
            fault(
                QStringLiteral("text '%1' is wider than its place %2").arg(p.text, place(p.rect)));
        if (p.item >= 0 && p.ground != ColorRole::Canvas) {
            // Text on an item's own ground stays inside it.
            const QRectF& box = m_list.items[static_cast<std::size_t>(p.item)].rect;
            const double left = p.align == Primitive::Align::Center
                                    ? p.rect.center().x() - width / 2
                                    : p.rect.left();
            if (left < box.left() + 1 || left + width > box.right() - 1
                || p.rect.center().y() < box.top() || p.rect.center().y() > box.bottom())
                fault(QStringLiteral("text '%1' leaves its box %2").arg(p.text, place(box)));
        }
        if (!m_list.bounds.adjusted(-1, -1, 1, 1).contains(p.rect))
            fault(QStringLiteral("text '%1' leaves the picture").arg(p.text));
        const double contrast = contrastRatio(m_theme.color(p.textColor), m_theme.color(p.ground));
        if (contrast < kLeastContrast)
            fault(QStringLiteral("text '%1' has a contrast of only %2")
                      .arg(p.text)
                      .arg(contrast, 0, 'f', 2));
        const auto key = QString::number(static_cast<int>(p.role)) + p.text;
        if (!m_glyphsKnown.contains(key)) {
            m_glyphsKnown.insert(key, true);
            if (!hasGlyphs(p.text, p.role))
                fault(QStringLiteral("text '%1' has a character no font has").arg(p.text));
        }
    }

    /// Items and free-standing texts, sorted by their top: each is compared only with those that begin before it ends.
    void checkAreas()
    {
        for (std::size_t i = 0; i < m_list.items.size(); ++i)
            m_areas.push_back(
                {m_list.items[i].rect, static_cast<int>(i), QStringLiteral("item %1").arg(i)});
        for (const auto& p : m_list.primitives)
            if (p.shape == Shape::Text && p.ground == ColorRole::Canvas && !isInside(p))
                m_areas.push_back({p.rect, p.item, QStringLiteral("text '%1'").arg(p.text)});
        std::sort(m_areas.begin(), m_areas.end(),
                  [](const Area& a, const Area& b) { return a.rect.top() < b.rect.top(); });
        for (std::size_t i = 0; i < m_areas.size(); ++i)
            for (std::size_t k = i + 1;
                 k < m_areas.size() && m_areas[k].rect.top() < m_areas[i].rect.bottom(); ++k)
                if (overlap(m_areas[i].rect, m_areas[k].rect))
                    fault(QStringLiteral("%1 %2 overlaps %3 %4")
                              .arg(m_areas[i].name, place(m_areas[i].rect), m_areas[k].name,
                                   place(m_areas[k].rect)));
    }

    /// Text of a ghost, which stands on the canvas but within its own box.
    bool isInside(const Primitive& p) const
    {
        return p.item >= 0
               && m_list.items[static_cast<std::size_t>(p.item)].rect.contains(p.rect.center());
    }

    void checkLines()
    {
        for (const auto& p : m_list.primitives) {
            if (p.shape != Shape::Polyline || p.points.size() < 2 || p.edge < 0)
                continue;
            for (std::size_t k = 1; k < p.points.size(); ++k)
                checkSegment(p, p.points[k - 1], p.points[k]);
        }
    }

    void checkSegment(const Primitive& line, const QPointF& a, const QPointF& b)
    {
        const QRectF box = QRectF(a, b).normalized();
        const auto first =
            std::lower_bound(m_areas.begin(), m_areas.end(), box.top() - tallest(),
                             [](const Area& area, double y) { return area.rect.top() < y; });
        for (auto it = first; it != m_areas.end() && it->rect.top() <= box.bottom(); ++it) {
            const QRectF inner = it->rect.adjusted(1, 1, -1, -1);
            if (it->item >= 0 && m_list.items[static_cast<std::size_t>(it->item)].isGhost)
                continue; // lines pass behind a ghost: that is what it tells
            if (!crosses(a, b, inner) || isEnd(line, it->rect))
                continue;
            fault(QStringLiteral("line %1 runs through %2 %3")
                      .arg(line.edge)
                      .arg(it->name, place(it->rect)));
        }
    }

    double tallest()
    {
        if (m_tallest < 0) {
            m_tallest = 0;
            for (const auto& area : m_areas)
                m_tallest = std::max(m_tallest, area.rect.height());
        }
        return m_tallest;
    }

    static bool isEnd(const Primitive& line, const QRectF& rect)
    {
        const QRectF near = rect.adjusted(-1, -1, 1, 1);
        return near.contains(line.points.front()) || near.contains(line.points.back());
    }

    static bool crosses(const QPointF& a, const QPointF& b, const QRectF& r)
    {
        if (r.contains(a) || r.contains(b))
            return true;
        const QLineF line(a, b);
        QPointF at;
        for (const QLineF& side :
             {QLineF(r.topLeft(), r.topRight()), QLineF(r.bottomLeft(), r.bottomRight()),
              QLineF(r.topLeft(), r.bottomLeft()), QLineF(r.topRight(), r.bottomRight())})
            if (line.intersects(side, &at) == QLineF::BoundedIntersection)
                return true;
        return false;
    }

    const DisplayList& m_list;
    const Theme& m_theme;
    std::vector<Area> m_areas;
    QHash<QString, bool> m_glyphsKnown;
    double m_tallest = -1;
    QStringList m_faults;
};

} // namespace

QStringList checkDisplayList(const DisplayList& list, const Theme& theme)
{
    return Checker(list, theme).run();
}

} // namespace pt2e

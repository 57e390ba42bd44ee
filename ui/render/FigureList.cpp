// Puts the panes of a figure side by side.
#include "ui/render/Figure.h"
#include "ui/render/Fonts.h"

#include <algorithm>

namespace pt2e {

namespace {

constexpr double kMargin = 16;
constexpr double kPaneGap = 10;
constexpr double kHeader = 34;
constexpr double kHeaderPadding = 14;
constexpr double kLine = 20;

class FigureBuilder
{
public:
    explicit FigureBuilder(const Figure& figure) : m_figure(figure), m_measurer(textMeasurer()) {}

    DisplayList build()
    {
        double y = kMargin;
        if (!m_figure.title.isEmpty()) {
            text(m_figure.title, {kMargin, y, width(m_figure.title, TextRole::Title), kLine},
                 TextRole::Title, ColorRole::Text);
            y += kLine + 8;
        }
        double x = kMargin;
        double bottom = y;
        double paneHeight = 0;
        for (const auto& scene : m_figure.scenes)
            paneHeight = std::max(paneHeight, kHeader + std::max(scene.bounds.height, 2 * kLine));
        for (const auto& scene : m_figure.scenes) {
            const double paneWidth = std::max(scene.bounds.width, headerWidth(scene));
            addPane(scene, {x, y, paneWidth, paneHeight});
            x += paneWidth + kPaneGap;
            bottom = y + paneHeight;
        }
        double right = x - kPaneGap + kMargin;
        if (!m_figure.scenes.empty() && !m_figure.scenes.front().legend.empty()) {
            right = std::max(right, addLegend(m_figure.scenes.front(), bottom + 8) + kMargin);
            bottom += 8 + kLine;
        }
        if (!m_figure.caption.isEmpty()) {
            const double captionWidth = width(m_figure.caption, TextRole::Name);
            text(m_figure.caption, {kMargin, bottom + 8, captionWidth, kLine}, TextRole::Name,
                 ColorRole::MutedText);
            right = std::max(right, captionWidth + 2 * kMargin);
            bottom += 8 + kLine;
        }
        if (!m_figure.title.isEmpty())
            right = std::max(right, width(m_figure.title, TextRole::Title) + 2 * kMargin);
        m_list.bounds = {0, 0, right, bottom + kMargin};
        m_list.buildIndex();
        return std::move(m_list);
    }

private:
    double width(const QString& text, TextRole role) const
    {
        return m_measurer.width(text.toStdString(), role);
    }

    /// Title, then a swatch and its words for each level; answers where it ends.
    double addLegend(const Scene& scene, double top)
    {
        constexpr double kSwatch = 14;
        constexpr double kGap = 6;
        double x = kMargin;
        const auto put = [&](const std::string& words, ColorRole ink) {
            const double wide = m_measurer.width(words, TextRole::Name);
            text(QString::fromStdString(words), {x, top, wide, kLine}, TextRole::Name, ink);
            x += wide + 2 * kGap;
        };
        put(scene.legendTitle, ColorRole::Text);
        for (const Scene::LegendEntry& entry : scene.legend) {
            Primitive swatch;
            swatch.rect = {x, top + (kLine - kSwatch) / 2, kSwatch, kSwatch};
            swatch.radius = 3;
            swatch.fill = overlayRole(entry.level);
            swatch.stroke = ColorRole::OpStroke;
            m_list.primitives.push_back(swatch);
            x += kSwatch + kGap;
            put(entry.text, ColorRole::MutedText);
        }
        return x;
    }

    double headerWidth(const Scene& scene) const
    {
        double needed = m_measurer.width(scene.title, TextRole::Title)
                        + m_measurer.width(scene.caption, TextRole::Detail) + 3 * kHeaderPadding;
        for (const auto& note : scene.notes)
            needed =
                std::max(needed, m_measurer.width(note, TextRole::Detail) + 2 * kHeaderPadding);
        return needed;
    }

    void text(const QString& text, const QRectF& rect, TextRole role, ColorRole color)
    {
        if (text.isEmpty())
            return;
        Primitive p;
        p.shape = Primitive::Shape::Text;
        p.rect = rect;
        p.text = text;
        p.role = role;
        p.align = Primitive::Align::Left;
        p.textColor = color;
        m_list.primitives.push_back(std::move(p));
    }

    void addPane(const Scene& scene, const QRectF& frame)
    {
        Primitive box;
        box.rect = frame;
        box.radius = 6;
        box.fill = ColorRole::Canvas;
        box.stroke = ColorRole::Line;
        m_list.primitives.push_back(box);
        Primitive rule;
        rule.shape = Primitive::Shape::Polyline;
        rule.points = {{frame.left(), frame.top() + kHeader},
                       {frame.right(), frame.top() + kHeader}};
        rule.stroke = ColorRole::Line;
        m_list.primitives.push_back(rule);
        const auto title = QString::fromStdString(scene.title);
        const auto caption = QString::fromStdString(scene.caption);
        text(title,
             {frame.left() + kHeaderPadding, frame.top(), width(title, TextRole::Title), kHeader},
             TextRole::Title, ColorRole::Text);
        const double captionWidth = width(caption, TextRole::Detail);
        text(caption,
             {frame.right() - kHeaderPadding - captionWidth, frame.top(), captionWidth, kHeader},
             TextRole::Detail, ColorRole::MutedText);
        if (scene.items.empty()) {
            double y = frame.top() + kHeader + kLine / 2;
            for (const auto& note : scene.notes) {
                text(QString::fromStdString(note),
                     {frame.left() + kHeaderPadding, y, m_measurer.width(note, TextRole::Detail),
                      kLine},
                     TextRole::Detail, ColorRole::MutedText);
                y += kLine;
            }
        }
        addScene(scene, frame);
    }

    void addScene(const Scene& scene, const QRectF& frame)
    {
        const QPointF shift(frame.left() + (frame.width() - scene.bounds.width) / 2
                                - scene.bounds.x,
                            frame.top() + kHeader - scene.bounds.y);
        auto part = buildDisplayList(scene);
        const int firstItem = static_cast<int>(m_list.items.size());
        for (auto& p : part.primitives) {
            p.rect.translate(shift);
            for (auto& point : p.points)
                point += shift;
            p.item += p.item >= 0 ? firstItem : 0;
            p.edge += p.edge >= 0 ? m_firstEdge : 0;
            m_list.primitives.push_back(std::move(p));
        }
        for (auto& item : part.items) {
            item.rect.translate(shift);
            item.full.translate(shift);
            m_list.items.push_back(item);
        }
        m_firstEdge += static_cast<int>(scene.edges.size());
    }

    const Figure& m_figure;
    const FontTextMeasurer& m_measurer;
    DisplayList m_list;
    int m_firstEdge = 0;
};

} // namespace

DisplayList figureDisplayList(const Figure& figure) { return FigureBuilder(figure).build(); }

} // namespace pt2e

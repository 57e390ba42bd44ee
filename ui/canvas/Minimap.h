// The whole graph small, in the corner of its view, with what the view shows of it; a click or drag moves the view.
//
// Painted once per content, theme and size into an image; a frame costs that image and one rectangle.
#pragma once

#include "ui/canvas/PaneContent.h"
#include "ui/render/Theme.h"

#include <QImage>
#include <QWidget>

namespace pt2e::ui {

class Minimap : public QWidget
{
    Q_OBJECT
public:
    explicit Minimap(QWidget* view);

    void setContent(PaneContentPtr content);
    void setTheme(const Theme& theme);
    /// Switched off it never shows; switched on only where the view shows not much more than half of the graph.
    void setWanted(bool wanted);
    /// What the view shows of the scene; puts the map in the lower right corner of the view.
    void setSeen(const QRectF& seen);

    QRectF seenRect() const; ///< widget coordinates
    QPointF toScene(const QPointF& position) const;
    int paintCount() const { return m_paints; } ///< times the image was painted; for tests

Q_SIGNALS:
    void centerWanted(const QPointF& scenePoint);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void place();
    void paintImage();
    QSizeF scale() const; ///< pixels per scene unit, across and down

    PaneContentPtr m_content;
    const Theme* m_theme = &Theme::light();
    QRectF m_seen;
    QImage m_image;
    bool m_isWanted = true;
    int m_paints = 0;
};

} // namespace pt2e::ui

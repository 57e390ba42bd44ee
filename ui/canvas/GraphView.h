// A graph on screen: pan, zoom, selection, hover, keyboard walk. One pane of several; what it shows is given to it.
//
// Paints a display list into a cached picture of the visible part: panning moves the picture and paints the strips
// that come in, so a frame costs what is new in it.
#pragma once

#include "ui/canvas/Minimap.h"
#include "ui/render/Painter.h"
#include "ui/render/Theme.h"

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <optional>

namespace pt2e::ui {

class GraphView : public QWidget
{
    Q_OBJECT
public:
    /// Where a view looks: the scene point in the middle of the widget, and pixels per scene unit.
    struct Look
    {
        QPointF center;
        double zoom = 1;
        friend bool operator==(const Look&, const Look&) = default;
    };

    explicit GraphView(QWidget* parent = nullptr);
    ~GraphView() override;

    const PaneContentPtr& content() const { return m_content; }
    /// Null: nothing to show; `cover` is then written in the middle.
    void setContent(PaneContentPtr content);
    void setCover(const QString& title, const QString& hint);
    void setTheme(const Theme& theme);
    /// Large type: a factor on what counts as readable; zooms by the change.
    void setTypeScale(double scale);
    /// Nodes selected here, or counterparts (`isOwn` false) of nodes selected in another pane.
    void setSelectedNodes(const std::vector<NodeId>& nodes, bool isOwn);
    /// Nodes that carry a bookmark or a note.
    void setMarkedNodes(const std::vector<NodeId>& bookmarked, const std::vector<NodeId>& noted);
    /// Text for the tool tip of a node.
    void setToolTipSource(std::function<QString(const SceneItem&)> source);

    Minimap& minimap() { return *m_minimap; }

    const Look& look() const { return m_look; }
    void setLook(const Look& look);
    void fit();
    /// What a person wants to see first: all of it, or its upper part when all would be too small to read.
    void showStart();
    void zoomBy(double factor, const QPointF& anchor);
    void panBy(const QPointF& pixels);
    void ensureVisible(const std::vector<NodeId>& nodes);

    int itemAt(const QPointF& position) const; ///< widget coordinates; scene item or -1
    QRectF itemRect(int item) const; ///< widget coordinates
    int currentItem() const { return m_current; }
    const std::vector<int>& selectedItems() const { return m_highlights.selected; }
    const std::vector<int>& relatedItems() const { return m_highlights.related; }
    const std::vector<int>& bookmarkedItems() const { return m_highlights.bookmarked; }
    const std::vector<int>& notedItems() const { return m_highlights.noted; }
    /// Duration of the last paint of the picture, in milliseconds; for the benchmark.
    double lastPaintMs() const { return m_lastPaintMs; }

    static constexpr double kMinZoom = 0.002;
    static constexpr double kMaxZoom = 6;

Q_SIGNALS:
    void lookChanged(const pt2e::ui::GraphView::Look& look);
    void nodeClicked(pt2e::NodeId node, bool extend);
    void stubClicked(pt2e::NodeId node);
    void nodeDoubleClicked(pt2e::NodeId node);
    /// All that is in a collapsed module, the node that stands for it last; and the wish to see what is in it.
    void moduleClicked(const std::vector<pt2e::NodeId>& nodes, bool extend);
    void expandWanted(const std::vector<std::string>& paths);
    void groundClicked();
    void contextMenuWanted(pt2e::NodeId node,
                           const QPoint& globalPosition); ///< node may be invalid

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QPointF toScene(const QPointF& position) const;
    QPointF toWidget(const QPointF& point) const;
    void moveLook(const Look& look, bool tellOthers);
    Look clamped(Look look) const;
    void updateMinimap();
    void invalidate(); ///< the whole picture
    void refresh(); ///< brings m_picture up to date
    void paintRegion(const QRegion& region);
    void paintCover(QPainter& painter) const;
    void setHovered(int item);
    void choose(int item, bool extend);
    int neighbour(int item, int key) const;
    void open(int item); ///< double click or Enter
    bool isExpander(int item, const QPointF& position) const;
    int anchorItem() const;
    int firstItem() const;
    QRect pixelRect(int item) const;

    PaneContentPtr m_content;
    Minimap* m_minimap;
    const Theme* m_theme = &Theme::light();
    Highlights m_highlights;
    std::function<QString(const SceneItem&)> m_toolTip;
    QString m_coverTitle;
    QString m_coverHint;
    Look m_look;
    int m_current = -1; ///< where the keyboard is
    double m_typeScale = 1;

    QPixmap m_picture;
    Look m_pictureLook;
    QRegion m_dirty;
    bool m_isPictureValid = false;
    double m_lastPaintMs = 0;

    std::optional<QPointF> m_pressed;
    QPointF m_lastMouse;
    bool m_isPanning = false;
};

} // namespace pt2e::ui

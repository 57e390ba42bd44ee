// Dragging one point onto another: from then on both share one observer. Sits on a graph view: observers, and spots at
// the ends of an operator's edges once the pointer is on it, can be taken hold of; while one is dragged, each other
// place says whether it may be shared with. A click, a drag of anything else and the wheel are the view's as before.
#pragma once

#include "core/pipeline/NodeNames.h"
#include "core/pipeline/SharePoints.h"
#include "ui/canvas/GraphView.h"
#include "ui/canvas/SharePlaces.h"
#include "ui/session/Session.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace pt2e::ui {

class ShareDrag : public QObject
{
    Q_OBJECT
public:
    ShareDrag(Session& session, GraphView& view, StageKind stage, QObject* parent);
    ~ShareDrag() override;

    enum class Mark { Unknown, Possible, Shared, Impossible };

    bool isDragging() const { return m_from >= 0; }
    /// All places of what the view shows.
    const std::vector<SharePlace>& places();
    /// Where a place is in the view.
    QPointF positionOf(int place) const;
    /// Of a place while another one is dragged.
    Mark markOf(int place) const;
    /// What would happen if it was let go now, in words.
    QString hint() const { return m_hint; }
    QString toolTip(int place) const; ///< of a place that is not dragged

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Overlay;
    struct Press
    {
        int place;
        QPointF at;
    };

    bool press(QMouseEvent& event);
    bool move(QMouseEvent& event);
    bool release(QMouseEvent& event);
    bool key(QKeyEvent& event);
    void replayPress();
    void begin(int place);
    void end();
    void hover(const QPointF& position);
    void aim(int place);
    void updateHint();
    void check();
    void take(int place, const ShareCheck& check);
    void drop(int place);
    void apply(int place);
    void scrollAtEdge();
    int placeAt(const QPointF& position);
    QString nameOf(int place) const;
    static QString undoText(const Edit& edit);
    void paint(QPainter& painter);
    void paintSpot(QPainter& painter, const SharePlace& place, int index) const;
    void paintHint(QPainter& painter) const;
    void updateOverlay();

    Session& m_session;
    GraphView& m_view;
    StageKind m_stage;
    Overlay* m_overlay;
    PaneContentPtr m_content; ///< that m_places were found in
    SnapshotPtr m_snapshot; ///< that they were found with
    std::vector<SharePlace> m_places;
    std::vector<std::optional<ShareCheck>> m_checks; ///< by place, while one is dragged
    std::shared_ptr<const NodeNames> m_names;
    std::optional<Press> m_press;
    bool m_isReplaying = false;
    int m_hovered = -1; ///< scene item whose spots are shown
    int m_from = -1, m_aimed = -1;
    int m_waiting = -1; ///< let go over it before it was known whether that is possible
    QPointF m_pointer;
    QString m_hint;
    QTimer m_scroll;
};

} // namespace pt2e::ui

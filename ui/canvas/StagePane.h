// One pane: a stage's title, a word on what it holds, and its graph.
#pragma once

#include "ui/canvas/GraphView.h"
#include "ui/canvas/SceneSource.h"
#include "ui/canvas/ShareDrag.h"

#include <QFrame>

#include <optional>

class QLabel;
class QMenu;
class QToolButton;

namespace pt2e::ui {

class StagePane : public QFrame
{
    Q_OBJECT
public:
    /// A stage of the present recipe, or of the second one. `second` offers its stages; null: there is none.
    StagePane(Session& session, SceneSource& source, StageKind stage, SecondRecipe* second,
              bool isSecond, QWidget* parent = nullptr);

    StageKind stage() const { return m_stage; }
    bool isSecond() const { return m_isSecond; }
    GraphView& view() { return *m_view; }
    /// Null in a pane of the second recipe, which is not edited.
    ShareDrag* sharing() { return m_sharing; }

    void updateContent();
    void updateSelection();
    void ensureSelectionVisible();
    void updateMarks();

Q_SIGNALS:
    /// The user wants this pane to show another stage.
    void stageWanted(pt2e::StageKind stage, bool isSecond);
    /// A pane more, beside this one, that shows a stage which no pane shows yet; or this one less.
    void anotherWanted(pt2e::StageKind stage);
    void closeWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void fillMenu(QMenu& menu);
    SnapshotPtr snapshot() const; ///< whose stage it shows, as entered
    void select(const std::vector<NodeId>& nodes, bool extend);
    std::vector<NodeId> selectedHere() const;
    QString title() const; ///< the stage's, or what the file is where it has no stages
    void updateCover();
    void showMenu(NodeId node, const QPoint& at);
    QString toolTipOf(const SceneItem& item) const;
    void selectModule(const std::vector<NodeId>& nodes, bool extend);
    const SceneItem* boxOf(NodeId node) const; ///< the collapsed module it stands for, or null
    std::string nameOf(NodeId node) const;
    const std::string& noteOn(NodeId node) const; ///< empty: none
    std::optional<StageKind> stageNotShown() const;
    /// Paths of the sub-graphs that the node takes.
    std::vector<std::string> bodiesOfNode(NodeId node) const;

    Session& m_session;
    SceneSource& m_source;
    StageKind m_stage;
    SecondRecipe* m_second;
    bool m_isSecond;
    QToolButton* m_title;
    QLabel* m_caption;
    GraphView* m_view;
    ShareDrag* m_sharing;
};

} // namespace pt2e::ui

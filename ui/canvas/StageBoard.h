// The panes side by side, in step.
#pragma once

#include "ui/canvas/StagePane.h"

#include <QWidget>

#include <vector>

class QSplitter;

namespace pt2e::ui {

class StageBoard : public QWidget
{
    Q_OBJECT
public:
    StageBoard(Session& session, SceneSource& source, QWidget* parent = nullptr);

    /// Also shows the stages of that recipe that it has panes for, at the right of the others. Once.
    void setSecond(SecondRecipe& second);

    const std::vector<StagePane*>& panes() const { return m_panes; }
    StagePane* paneOf(StageKind stage, bool isSecond = false) const; ///< or nullptr
    /// The pane the keyboard is in, else the first.
    StagePane* activePane() const;
    void fitAll();
    void zoomBy(double factor);
    void setStacked(bool stacked);
    bool isStacked() const;

Q_SIGNALS:
    /// New contents are on screen.
    void shown();

private:
    void rebuild();
    void rebuildIfOthers();
    std::vector<std::pair<StageKind, bool>> wantedPanes()
        const; ///< stage, whether the second recipe's
    void show(std::size_t pane, StageKind stage, bool isSecond);
    void close(std::size_t pane);
    void updateContents();
    void updateSelection();
    void follow(GraphView* leader, const GraphView::Look& look);

    Session& m_session;
    SceneSource& m_source;
    SecondRecipe* m_second = nullptr;
    QSplitter* m_splitter;
    std::vector<StagePane*> m_panes;
    ModuleFolding m_modules; ///< collapsed in what is on screen
    bool m_isFollowing = false;
};

} // namespace pt2e::ui

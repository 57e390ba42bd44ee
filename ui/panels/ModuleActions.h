// The commands about collapsed modules and about the overview in the corner of a pane.
#pragma once

#include <QKeySequence>
#include <QObject>

#include <functional>

class QAction;
class QMenu;

namespace pt2e::ui {

class FocusBar;
class SceneSource;
class Session;
class StageBoard;
class StatusLine;

class ModuleActions : public QObject
{
    Q_OBJECT
public:
    /// Makes an action of a menu that is there while a model is open; its text is untranslated, of the context "Menu".
    using Maker = std::function<QAction*(QMenu*, const char* text, const QKeySequence& keys,
                                         const std::function<void()>& what)>;

    ModuleActions(Session& session, StageBoard& board, StatusLine& status, QObject* parent);

    void addTo(QMenu* view, QMenu* modules, const Maker& make);

private:
    void expandChosen();
    void collapseAroundChosen();
    void tellCollapsed();

    Session& m_session;
    StageBoard& m_board;
    StatusLine& m_status;
};

} // namespace pt2e::ui

// How much of the graph is collapsed into modules, and a menu to collapse and expand.
#pragma once

#include "ui/session/Session.h"

#include <QToolButton>

namespace pt2e::ui {

class SceneSource;

class ModuleButton : public QToolButton
{
    Q_OBJECT
public:
    ModuleButton(Session& session, SceneSource& source, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshModel();
    void refresh();
    void fillMenu();

    Session& m_session;
    SceneSource& m_source;
    int m_depth = 0; ///< how deep the modules of the graph are nested
    GraphPtr m_graph; ///< that m_depth is of
};

} // namespace pt2e::ui

// Where in the graph the panes look: the model, then the sub-graph that was entered; hidden at the top.
#pragma once

#include "ui/session/Session.h"

#include <QFrame>

class QHBoxLayout;

namespace pt2e::ui {

class Breadcrumb : public QFrame
{
    Q_OBJECT
public:
    explicit Breadcrumb(Session& session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void add(const QString& text, const std::string& path, bool isHere);

    Session& m_session;
    QHBoxLayout* m_steps;
    QString m_shown; ///< what the steps were made for
};

} // namespace pt2e::ui

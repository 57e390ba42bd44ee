// The module tree. Choosing a module selects its nodes; plus and minus expand and collapse it in the panes.
#pragma once

#include "ui/models/OutlineModel.h"
#include "ui/session/Session.h"

#include <QFrame>

class QLabel;
class QTreeView;

namespace pt2e::ui {

class OutlinePanel : public QFrame
{
    Q_OBJECT
public:
    explicit OutlinePanel(Session& session, QWidget* parent = nullptr);
    const OutlineModel& model() const { return *m_model; }
    QTreeView& tree() { return *m_tree; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    ModuleFolding expandedAround(const QModelIndex& module) const;
    void refresh();
    void expandSome();
    void follow();
    void retranslate();

    Session& m_session;
    OutlineModel* m_model;
    QTreeView* m_tree;
    QLabel* m_title;
    QLabel* m_none;
    bool m_isFollowing = false;
    bool m_isOutdated = false; ///< another model came while nobody looked
};

} // namespace pt2e::ui

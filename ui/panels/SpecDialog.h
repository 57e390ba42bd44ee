// One point's annotation with everything a spec can say, and what would be wrong with it before it is applied.
#pragma once

#include "core/pipeline/EditCheck.h"
#include "ui/session/Session.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QLabel;
class QPushButton;

namespace pt2e::ui {

class SpecForm;

class SpecDialog : public QDialog
{
    Q_OBJECT
public:
    /// `current`: what the point has now.
    SpecDialog(Session& session, NamedPoint point, const Spec& current, QWidget* parent);

    /// What the fields say, or the first of them that says nothing.
    Result<Edit> edit() const;

Q_SIGNALS:
    void chosen(const pt2e::Edit& edit);

private:
    void build();
    QStringList points() const;
    void fill(const Spec& current);
    void check();
    void show(const std::vector<EditConflict>& conflicts);

    Session& m_session;
    NamedPoint m_point;
    SpecForm* m_fields = nullptr;
    QCheckBox* m_implicit;
    QLabel* m_found;
    QPushButton* m_apply = nullptr;
    QTimer m_check;
};

} // namespace pt2e::ui

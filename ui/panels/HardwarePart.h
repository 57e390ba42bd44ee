// What a kind of hardware does not allow in the recipe as it stands, by constraint and operator, and what mends it.
#pragma once

#include "core/pipeline/HardwareProfile.h"
#include "ui/session/Session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace pt2e::ui {

class HardwarePart : public QWidget
{
    Q_OBJECT
public:
    explicit HardwarePart(Session& session, QWidget* parent = nullptr);

    /// While changes of the rules wait to be applied nothing can be mended.
    void setBlocked(bool isBlocked);

private:
    void build();
    void look();
    void show(SnapshotPtr snapshot, std::vector<Violation> violations);
    QString noteText() const;
    void updateButton();
    std::vector<Violation> chosen() const;
    void selectChosen();
    void mend();

    Session& m_session;
    QComboBox* m_profile;
    QLabel* m_note;
    QTreeWidget* m_tree;
    QPushButton* m_mend;
    SnapshotPtr m_snapshot; ///< that m_violations were found in
    std::vector<Violation> m_violations;
    bool m_isBlocked = false;
};

} // namespace pt2e::ui

// Known illnesses of the quantized model, with the numbers that show them; a row selects its nodes, and its edits are
// made by a button.
#pragma once

#include "core/analysis/Diagnosis.h"
#include "ui/panels/NodeTable.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace pt2e::ui {

class TablesPanel;

class DiagnosisPage
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    explicit DiagnosisPage(Session& session, QWidget* parent = nullptr);
    /// As the tab "diagnosis".
    static void addTo(TablesPanel& tables, Session& session);

    NodeTable& table() { return *m_table; }

    QString title() const override;
    std::vector<Table> shownTables() const override { return {m_table->table()}; }
    void setWords(const QString& words) override { m_table->setWords(words); }
    void selectRows() override { m_table->selectRows(); }
    bool showTable(const QString&) override { return false; }

Q_SIGNALS:
    void titleChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void show(const std::vector<Diagnosis>& diagnoses);
    void mend();
    /// Those whose rows are selected.
    std::vector<const Diagnosis*> chosen() const;
    void refreshFoot();
    QString textOf(const Diagnosis& diagnosis) const; ///< what mends it, and where
    void retranslate();

    Session& m_session;
    std::vector<Diagnosis> m_diagnoses;
    SnapshotPtr m_filled;
    NodeTable* m_table;
    QLabel* m_note;
    QPushButton* m_mend;
};

} // namespace pt2e::ui

// Known illnesses of the quantized model, with the numbers that show them; a row selects its nodes, and what mends it is
// made by a button. What only runs show is there once a comparison has run.
#pragma once

#include "core/analysis/Diagnosis.h"
#include "ui/panels/SingleTablePage.h"
#include "ui/session/Comparison.h"

class QLabel;
class QPushButton;

namespace pt2e::ui {

class DiagnosisPage : public SingleTablePage
{
    Q_OBJECT
public:
    DiagnosisPage(Session& session, Comparison& comparison, QWidget* parent = nullptr);

    QString title() const override;

protected:
    void retranslate() override;

private:
    void refresh();
    void show(const std::vector<Diagnosis>& diagnoses);
    void mend();
    /// Those whose rows are selected.
    std::vector<const Diagnosis*> chosen() const;
    /// Those of them that the recipe can mend.
    std::vector<const Diagnosis*> mendable() const;
    void refreshFoot();
    QString emptyText() const;
    QString textOf(const Diagnosis& diagnosis) const; ///< what mends it, and where

    Comparison& m_comparison;
    std::vector<Diagnosis> m_diagnoses;
    SnapshotPtr m_filled;
    std::shared_ptr<const CompareReport> m_report; ///< of m_filled
    QLabel* m_note;
    QPushButton* m_mend;
};

} // namespace pt2e::ui

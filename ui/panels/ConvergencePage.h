// How good the model's outputs are after 1, 2, 4 … batches of calibration, as a curve and a table; run by a button, on
// the data that the comparison is about.
#pragma once

#include "core/analysis/OutputConvergence.h"
#include "ui/panels/SingleTablePage.h"
#include "ui/session/Comparison.h"

class QLabel;
class QPushButton;

namespace pt2e::ui {

class ConvergenceChart;

class ConvergencePage : public SingleTablePage
{
    Q_OBJECT
public:
    ConvergencePage(Session& session, Comparison& comparison, QWidget* parent = nullptr);

    QString title() const override;
    /// Null before a run; grows while one is going on.
    const std::shared_ptr<const OutputConvergence>& found() const { return m_found; }
    bool isStale() const;
    bool isRunning() const;
    void run();
    void cancel();

protected:
    void retranslate() override;

private:
    bool canRun() const;
    void refresh();
    void show(const OutputConvergence& found);
    QString noteText() const;

    Comparison& m_comparison;
    std::shared_ptr<const OutputConvergence> m_found;
    std::shared_ptr<const ConvertedGraph> m_about;
    QString m_error;
    QPushButton* m_start;
    QLabel* m_note;
    ConvergenceChart* m_chart;
};

} // namespace pt2e::ui

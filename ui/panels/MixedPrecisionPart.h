// The search for the groups that have to stay float: target, what was tried on the way, result, and its edits.
#pragma once

#include "core/view/Tables.h"
#include "ui/session/SensitivityRun.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace pt2e::ui {

class TradeChart;

class MixedPrecisionPart : public QWidget
{
    Q_OBJECT
public:
    MixedPrecisionPart(Session& session, SensitivityRun& run, QWidget* parent = nullptr);

    TradeChart& chart() { return *m_chart; }
    /// Of the search that is shown; none without one.
    std::vector<Table> tables() const;
    void refresh();
    void retranslate();

private:
    void choose(int dot);
    void fillChart();
    QString resultText() const;
    void showMetric();
    /// The target in the unit of the metric: shares are shown in percent.
    double factor() const;
    std::shared_ptr<const MixedPrecisionReport> search() const;

    Session& m_session;
    SensitivityRun& m_run;
    SensitivityMetric m_metric = SensitivityMetric::Sqnr; ///< of the target that is shown
    QLabel* m_title;
    QDoubleSpinBox* m_target;
    QPushButton* m_find;
    TradeChart* m_chart;
    QLabel* m_result;
    QPushButton* m_apply;
};

} // namespace pt2e::ui

// Which part of the quantization costs the most: bars that grow while the groups are scored, what costs most on top, and
// the search for the groups that have to stay float. A bar selects its nodes in all panes.
#pragma once

#include "ui/charts/CostBars.h"
#include "ui/panels/NodeTable.h"
#include "ui/panels/Section.h"
#include "ui/session/SensitivityRun.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace pt2e::ui {

class MixedPrecisionPart;
class TablesPanel;

class SensitivityPanel
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    SensitivityPanel(Session& session, SensitivityRun& run, QWidget* parent = nullptr);
    /// With what it shows, as the tab "sensitivity".
    static SensitivityPanel* addTo(TablesPanel& tables, Session& session, Comparison& comparison);

    SensitivityRun& run() { return m_run; }
    CostBars& bars() { return *m_bars; }
    MixedPrecisionPart& mixedPrecision() { return *m_mixed; }

    /// CSV where the name ends so, else JSON. What goes wrong is told by SensitivityRun::failed.
    void saveScoresTo(const QString& path);
    void loadScoresFrom(const QString& path);

    QString title() const override;
    std::vector<Table> shownTables() const override;
    void setWords(const QString& words) override;
    void selectRows() override;
    bool showTable(const QString&) override { return false; }

Q_SIGNALS:
    void titleChanged();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QHBoxLayout* buildHead();
    void refresh();
    void refreshHead();
    void fillBars();
    void fillChoices();
    void choose(int row);
    void saveScores();
    void loadScores();
    QString progressText() const;
    QString detailsOf(const GroupResult& result) const;
    /// What may be seen: nothing while results are hidden.
    std::shared_ptr<const SensitivityReport> report() const;
    void retranslate();

    Session& m_session;
    SensitivityRun& m_run;
    QString m_words;
    std::vector<std::size_t> m_groups; ///< by row: number of the group
    QComboBox* m_mode;
    QComboBox* m_metric;
    QPushButton* m_start;
    QLabel* m_progress;
    QLabel* m_stale;
    QToolButton* m_scores;
    QStackedWidget* m_stack;
    EmptyPage m_startPage;
    QWidget* m_results = nullptr;
    CostBars* m_bars;
    MixedPrecisionPart* m_mixed = nullptr;
};

/// "34.02 dB", "99.60 %".
QString metricText(const SensitivityScore& score, SensitivityMetric metric);
/// "SQNR", "same class" … as people read it.
QString metricTitle(SensitivityMetric metric);

} // namespace pt2e::ui

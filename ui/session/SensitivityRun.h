// Sensitivity of the groups of points, and the search for those that have to stay float: run on the batch lane, shown as
// results come, kept until the model is another one, marked stale by the next change of the recipe.
#pragma once

#include "core/analysis/MixedPrecision.h"
#include "ui/session/Comparison.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <mutex>

namespace pt2e::ui {

class SensitivityRun : public QObject
{
    Q_OBJECT
public:
    static const QString kTag; ///< of both kinds of jobs
    /// On the data that the comparison is about.
    SensitivityRun(Session& session, Comparison& comparison, QObject* parent = nullptr);

    SensitivityMode mode() const { return m_mode; }
    void setMode(SensitivityMode mode); ///< shows the scores of that mode that are known
    SensitivityMetric metric() const { return m_metric; }
    void setMetric(SensitivityMetric metric);

    /// Of this mode: null before a run. Grows while one is going on.
    const std::shared_ptr<const SensitivityReport>& report() const;
    /// What the numbers of the report's groups mean; null as long as there is no report.
    const std::shared_ptr<const pt2e::Sensitivity>& groups() const { return m_shownGroups; }
    bool isComplete() const { return report() && report()->results.size() == report()->wanted; }
    bool isStale() const;
    bool canRun() const;
    bool isRunning() const { return m_session.jobs().isRunning(kTag); }
    bool isSearching() const { return isRunning() && m_isSearching; }
    void run(); ///< what was scored before is not scored again
    void cancel();
    /// Seconds that the run will still take at its present speed; negative: not known.
    double secondsLeft() const;

    /// Null before a search.
    const std::shared_ptr<const MixedPrecisionReport>& search() const { return m_search; }
    /// What the numbers of its groups mean.
    const std::shared_ptr<const pt2e::Sensitivity>& searchGroups() const { return m_searchGroups; }
    void find(double target); ///< in the unit of the metric
    /// Whether the search's edits can be made: it met its target and the recipe is still the one it was about.
    bool canApply() const;
    void apply(); ///< as one undoable edit

    /// Selects those of the nodes that the prepared graph has.
    void select(const std::vector<NodeId>& nodes);

    SensitivityStore store() const;
    void addToStore(const SensitivityStore& store); ///< scores of an earlier time

Q_SIGNALS:
    void changed(); ///< results, mode, or whether they are stale
    void started();
    void failed(const QString& message);

private:
    struct Shared; ///< store and the last analysis: a cancelled job leaves what it did there
    void begin(SensitivityMode mode, const std::shared_ptr<const pt2e::Sensitivity>& groups);
    void show(const SensitivityReport& report);
    void forget();

    Session& m_session;
    Comparison& m_comparison;
    std::shared_ptr<Shared> m_shared;
    SensitivityMode m_mode = SensitivityMode::OneOn;
    SensitivityMetric m_metric = SensitivityMetric::Sqnr;
    std::array<std::shared_ptr<const SensitivityReport>, kSensitivityModes.size()> m_reports;
    std::shared_ptr<const pt2e::Sensitivity> m_shownGroups;
    std::shared_ptr<const MixedPrecisionReport> m_search;
    std::shared_ptr<const pt2e::Sensitivity> m_searchGroups;
    bool m_isSearching = false;
    QElapsedTimer m_clock; ///< since the first score of this run
    std::size_t m_atStart = 0; ///< scores there were then
};

} // namespace pt2e::ui

// The comparison of float, simulated int8 and XNNPACK: run on the batch lane, kept until the model is another one,
// marked stale by the next change of the recipe.
#pragma once

#include "core/analysis/Compare.h"
#include "core/analysis/EvaluationData.h"
#include "ui/session/Session.h"

#include <QObject>

#include <memory>
#include <mutex>

namespace pt2e::ui {

/// The data a report is about, sample by sample; jobs read from it on their lanes.
struct ComparedSamples
{
    ComparedSamples(ModelPtr model, std::shared_ptr<const DataSet> data, DataFormat dataFormat)
        : reader(std::move(model), std::move(data)),
          format(std::move(dataFormat))
    {}
    std::mutex mutex;
    SampleReader reader; ///< while the mutex is held
    const DataFormat format;
};

class Comparison : public QObject
{
    Q_OBJECT
public:
    explicit Comparison(Session& session, QObject* parent = nullptr);

    /// Null before the first comparison.
    const std::shared_ptr<const CompareReport>& report() const { return m_report; }
    /// What the report is about, one by one; null as long as report() is.
    const std::shared_ptr<ComparedSamples>& samples() const { return m_samples; }
    bool isStale() const;
    bool canRun() const;
    bool isRunning() const { return m_session.jobs().isRunning(Session::kCompareTag); }
    /// What is judged on; with another model it is what that one offers again.
    const EvaluationChoice& choice() const { return m_choice; }
    void setChoice(EvaluationChoice choice); ///< and runs on it
    void restoreChoice(EvaluationChoice choice); ///< a project's; runs nothing
    /// On the first kOwnSamples samples.
    void run() { start(kOwnSamples); }
    void runOnAll() { start(0); }
    /// Samples that the data have, where the report is about fewer; else 0.
    std::int64_t samplesInAll() const;
    /// Where the first of the nodes that is an operator ran, and why not in int8; empty if nothing is known.
    /// The nodes are ones of the converted graph.
    QString placeOf(const std::vector<NodeId>& nodes) const;
    int partitionCount() const;

Q_SIGNALS:
    void started();
    void changed(); ///< another report, or the report became stale or current again
    void choiceChanged(); ///< the user chose other data
    void failed(const QString& message);
    void told(const QString& message); ///< something was left out; the rest was compared

private:
    void start(std::int64_t samples);

    Session& m_session;
    EvaluationChoice m_choice;
    std::shared_ptr<const CompareReport> m_report;
    std::shared_ptr<ComparedSamples> m_samples;
    bool m_isPart = false; ///< the data have more samples
    std::shared_ptr<const ConvertedGraph> m_compared; ///< what the report is about
};

} // namespace pt2e::ui

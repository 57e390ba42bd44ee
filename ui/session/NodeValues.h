// The selected node's values in the three runs, measured by a job: on request, and by itself once a comparison has been
// made. GUI thread.
#pragma once

#include "core/analysis/ValueProbe.h"
#include "ui/session/Comparison.h"

#include <QObject>

namespace pt2e::ui {

class NodeValues : public QObject
{
    Q_OBJECT
public:
    NodeValues(Session& session, Comparison& comparison, QObject* parent = nullptr);
    ~NodeValues() override;

    /// The selected node is one that can be measured, if not now then once the stages have run.
    bool isMeasurable() const;
    /// From now on each selected node is measured.
    void measure();
    bool isMeasuring() const { return m_session.jobs().isRunning(kTag); }
    /// Of the selected node; null before it is measured.
    const std::shared_ptr<const ValueReport>& report() const { return m_report; }
    const QString& problem() const { return m_problem; } ///< why there is none; may be empty

    static const QString kTag;

Q_SIGNALS:
    void changed();

private:
    void refresh();
    void start(NodeId node, SnapshotPtr snapshot);

    struct Shared; ///< the programs, used by one job at a time
    Session& m_session;
    Comparison& m_comparison;
    bool m_isWanted = false;
    bool m_couldMeasure = false; ///< when last looked
    std::shared_ptr<Shared> m_shared;
    std::shared_ptr<const ValueReport> m_report;
    QString m_problem;
    NodeId m_node; ///< what m_report or the running job is about …
    std::shared_ptr<const ConvertedGraph> m_converted; ///< … and in which graph
    std::shared_ptr<ComparedSamples> m_samples; ///< … on which data
};

} // namespace pt2e::ui

// The comparison of float, simulated int8 and XNNPACK: run on the batch lane, kept until the model is another one,
// marked stale by the next change of the recipe.
#pragma once

#include "core/analysis/Compare.h"
#include "ui/session/Session.h"

#include <QObject>

#include <memory>

namespace pt2e::ui {

class Comparison : public QObject
{
    Q_OBJECT
public:
    explicit Comparison(Session& session, QObject* parent = nullptr);

    /// Null before the first comparison.
    const std::shared_ptr<const CompareReport>& report() const { return m_report; }
    bool isStale() const;
    bool canRun() const;
    void run();
    /// Where the first of the nodes that is an operator ran, and why not in int8; empty if nothing is known.
    /// The nodes are ones of the converted graph.
    QString placeOf(const std::vector<NodeId>& nodes) const;
    int partitionCount() const;

Q_SIGNALS:
    void changed(); ///< another report, or the report became stale or current again
    void failed(const QString& message);

private:
    Session& m_session;
    std::shared_ptr<const CompareReport> m_report;
    std::shared_ptr<const ConvertedGraph> m_compared; ///< what the report is about
};

} // namespace pt2e::ui

// Client of pt2e-layout: Graphviz in a process of its own, which may be slow, crash or be killed without harm.
#pragma once

#include "core/base/JobContext.h"
#include "core/view/DotGraph.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <vector>

class QProcess;

namespace pt2e {

/// Starts the helper on first use and keeps it alive. Not thread-safe: one client per thread.
class LayoutClient
{
public:
    static constexpr int kTimeLimitMs = 10000;

    /// program: where pt2e-layout is; empty: beside the running program.
    explicit LayoutClient(QString program = {});
    ~LayoutClient();

    /// Places by `dot`. After the time limit, a cancel or a crash the helper is killed and an error returned; the next
    /// call starts a new one.
    Result<DotLayout> layout(const DotGraph& graph, const JobContext& context,
                             int timeLimitMs = kTimeLimitMs);
    /// DOT text, written by libcgraph.
    Result<QByteArray> write(const DotGraph& graph, const JobContext& context,
                             int timeLimitMs = kTimeLimitMs);
    /// Reads DOT text with libcgraph: node and edge names and labels; positions where the text has them.
    Result<DotGraph> read(const QByteArray& dot, const JobContext& context,
                          int timeLimitMs = kTimeLimitMs);

    /// Of the running helper; 0 if none runs.
    qint64 helperProcess() const;

private:
    Result<QByteArray> ask(const QByteArray& verb, const QByteArray& body,
                           const JobContext& context, int timeLimitMs);
    void stop();
    QString m_program;
    std::unique_ptr<QProcess> m_process;
};

} // namespace pt2e

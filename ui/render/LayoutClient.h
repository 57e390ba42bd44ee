// Client of pt2e-layout: Graphviz in a process of its own, which may be slow, crash or be killed without harm.
#pragma once

#include "core/base/JobContext.h"
#include "core/view/Scene.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <vector>

class QProcess;

namespace pt2e {

/// A graph by sizes alone.
struct DotNode
{
    std::string label; ///< only in written DOT; the layout goes by the size
    double width = 0; ///< scene units (1 unit = 1 pt)
    double height = 0;
    std::string shape = "box"; ///< box, ellipse, hexagon, triangle, invtriangle, note
    std::string style; ///< "", "dashed", "bold", "filled", …
    int cluster = -1; ///< index into DotGraph::clusters
    PointF at; ///< centre, y down; written as pos
};
struct DotEdge
{
    int from = 0;
    int to = 0;
    std::string style;
};
struct DotGraph
{
    std::string title;
    std::vector<std::string> clusters;
    std::vector<DotNode> nodes;
    std::vector<DotEdge> edges;
    bool hasPositions = false;
};
struct DotLayout
{
    std::vector<PointF>
        centers; ///< per node, y down, the upper left corner of the picture is (0, 0)
    double width = 0;
    double height = 0;
};

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

private:
    Result<QByteArray> ask(const QByteArray& verb, const QByteArray& body,
                           const JobContext& context, int timeLimitMs);
    void stop();
    QString m_program;
    std::unique_ptr<QProcess> m_process;
};

} // namespace pt2e

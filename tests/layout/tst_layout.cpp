// pt2e-layout through its client: places, DOT both ways, and what happens when the helper is slow, broken or killed.
#include "ui/render/LayoutClient.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <set>
#include <thread>

using namespace pt2e;

namespace {

DotGraph chain(int count)
{
    DotGraph graph;
    graph.title = "a chain, 100 %";
    graph.clusters = {"left side", ""};
    for (int i = 0; i < count; ++i) {
        DotNode node;
        node.label = "node " + std::to_string(i) + "\n量化 \"quoted\" <b> \\n %41";
        node.width = 100;
        node.height = 40;
        node.cluster = i % 3 - 1;
        node.style = i % 2 == 0 ? "" : "dashed";
        node.at = {50.5, 60.0 * i};
        graph.nodes.push_back(node);
        if (i > 0)
            graph.edges.push_back({i - 1, i, i % 2 == 0 ? "bold" : ""});
    }
    graph.hasPositions = true;
    return graph;
}

/// Dense enough to keep dot busy for far longer than a test waits.
DotGraph slow()
{
    DotGraph graph;
    for (int i = 0; i < 1500; ++i) {
        DotNode node;
        node.width = node.height = 30;
        graph.nodes.push_back(node);
        for (int k = 1; k <= 6 && i > 0; ++k)
            graph.edges.push_back({(i * 7 * k) % i, i, ""});
    }
    return graph;
}

} // namespace

class TestLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void messagesRoundTrip();
    void badMessagesNameTheLine();
    void placesDoNotOverlap();
    void dotRoundTrip();
    void badDotIsAnError();
    void timeLimit();
    void cancel();
    void killedHelperIsStartedAgain();
    void missingHelper();
    void helperRefusesGarbage();
};

void TestLayout::messagesRoundTrip()
{
    const auto graph = chain(7);
    const auto read = decodeGraph(encode(graph));
    QVERIFY(read.has_value());
    QCOMPARE(*read, graph);
    const DotLayout layout{{{1.5, -2}, {1e-3, 4e6}}, 10, 20.25};
    QCOMPARE(*decodeLayout(encode(layout)), layout);
}

void TestLayout::badMessagesNameTheLine()
{
    for (const char* text : {"graph % 0\nnode 1 x\n", "graph % 0\nedge 0 1 %\n",
                             "graph % 0\nwhat\n", "graph % 0\nnode 1 1 1 1 5 box % %\n"}) {
        const auto read = decodeGraph(text);
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().where, std::string("line 2"));
    }
    QVERIFY(!decodeLayout("at 1\n").has_value());
}

void TestLayout::placesDoNotOverlap()
{
    LayoutClient client;
    auto graph = chain(20);
    graph.edges.push_back({0, 19, ""});
    const auto layout = client.layout(graph, {});
    QVERIFY2(layout.has_value(), layout ? "" : layout.error().message().c_str());
    for (std::size_t i = 0; i < 20; ++i) {
        const auto& a = layout->centers[i];
        QVERIFY(a.x >= 49 && a.y >= 19 && a.x <= layout->width - 49 && a.y <= layout->height - 19);
        for (std::size_t k = i + 1; k < 20; ++k)
            QVERIFY(std::abs(a.x - layout->centers[k].x) >= 100
                    || std::abs(a.y - layout->centers[k].y) >= 40);
        if (i > 0)
            QVERIFY(a.y > layout->centers[i - 1].y);
    }
    // The same question again, of the same helper: the same answer.
    QCOMPARE(*client.layout(graph, {}), *layout);
    QCOMPARE(client.layout({}, {})->centers.size(), std::size_t{0});
}

void TestLayout::dotRoundTrip()
{
    LayoutClient client;
    const auto graph = chain(6);
    const auto dot = client.write(graph, {});
    QVERIFY2(dot.has_value(), dot ? "" : dot.error().message().c_str());
    const auto read = client.read(*dot, {});
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QCOMPARE(read->title, graph.title);
    QCOMPARE(read->nodes.size(), graph.nodes.size());
    // Clusters come first in the text, so the order of the nodes is another one: compare by label.
    const auto byLabel = [](const DotGraph& g) {
        std::map<std::string, const DotNode*> nodes;
        for (const auto& node : g.nodes)
            nodes[node.label] = &node;
        return nodes;
    };
    const auto edgesOf = [](const DotGraph& g) {
        std::set<std::tuple<std::string, std::string, std::string>> edges;
        for (const auto& e : g.edges)
            edges.emplace(g.nodes[static_cast<std::size_t>(e.from)].label,
                          g.nodes[static_cast<std::size_t>(e.to)].label, e.style);
        return edges;
    };
    QCOMPARE(edgesOf(*read), edgesOf(graph));
    const auto nodes = byLabel(*read);
    for (const auto& [label, node] : byLabel(graph)) {
        QVERIFY2(nodes.contains(label), label.c_str());
        QCOMPARE(nodes.at(label)->style, node->style);
        QCOMPARE(nodes.at(label)->cluster, node->cluster);
        QVERIFY(std::abs(nodes.at(label)->width - 100) < 0.1);
    }
}

void TestLayout::badDotIsAnError()
{
    LayoutClient client;
    for (const char* text : {"digraph {", "no graph", "", "digraph { a -> }", "\"\\"}) {
        const auto read = client.read(text, {});
        QVERIFY2(!read.has_value(), text);
        QCOMPARE(read.error().code, ErrorCode::BadInput);
    }
    const auto good = client.read("digraph g { a -> b; a [pos=\"10,20\"] }", {});
    QVERIFY(good.has_value());
    QCOMPARE(good->nodes.size(), std::size_t{2});
}

void TestLayout::timeLimit()
{
    LayoutClient client;
    QElapsedTimer clock;
    clock.start();
    const auto layout = client.layout(slow(), {}, 300);
    QVERIFY(!layout.has_value());
    QVERIFY(layout.error().message().find("time limit") != std::string::npos);
    QVERIFY(clock.elapsed() < 10000);
    QVERIFY(client.layout(chain(3), {}).has_value()); // a new helper
}

void TestLayout::cancel()
{
    LayoutClient client;
    std::stop_source stop;
    JobContext context;
    context.stop = stop.get_token();
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    QElapsedTimer clock;
    clock.start();
    const auto layout = client.layout(slow(), context);
    const auto elapsed = clock.elapsed();
    later.join();
    QVERIFY(!layout.has_value());
    QCOMPARE(layout.error().code, ErrorCode::Cancelled);
    QVERIFY2(elapsed < 10000, qPrintable(QString::number(elapsed)));
}

void TestLayout::killedHelperIsStartedAgain()
{
    LayoutClient client;
    QVERIFY(client.layout(chain(3), {}).has_value());
    QVERIFY(client.helperProcess() > 0);
    QProcess::execute(QStringLiteral("kill"),
                      {QStringLiteral("-SEGV"), QString::number(client.helperProcess())});
    // The client may notice at once or at the next question; after that it works again.
    if (!client.layout(chain(3), {}).has_value())
        QVERIFY(client.layout(chain(3), {}).has_value());
}

void TestLayout::missingHelper()
{
    LayoutClient client(QStringLiteral("/nonexistent/pt2e-layout"));
    const auto layout = client.layout(chain(3), {});
    QVERIFY(!layout.has_value());
    QVERIFY(layout.error().message().find("could not be started") != std::string::npos);
}

void TestLayout::helperRefusesGarbage()
{
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/pt2e-layout");
    for (const char* input : {"garbage\n", "layout x\n", "layout 99999999999999\n",
                              "layout 10\nshort", "layout 0 0\n", "\n"}) {
        QProcess process;
        process.start(program, {});
        process.write(input);
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(5000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    }
    QProcess process;
    process.start(program, {});
    process.write("dance 0\n");
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(5000));
    QVERIFY(process.readAllStandardOutput().startsWith("error "));
}

QTEST_GUILESS_MAIN(TestLayout)
#include "tst_layout.moc"

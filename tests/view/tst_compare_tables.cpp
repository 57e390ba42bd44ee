// A comparison's tables and its HTML: infinities are words, nothing of the user's gets out of its place.
#include "core/view/CompareHtml.h"
#include "core/view/CompareTables.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace pt2e;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

CompareReport oddReport()
{
    CompareReport report;
    report.data = "a <b> & \"c\"";
    OutputComparison output;
    output.name = "out<1>";
    output.simulated.sqnrDb = kInfinity;
    output.simulated.worstDb = kInfinity;
    output.xnnpack.sqnrDb = -kInfinity;
    output.xnnpack.worstDb = -kInfinity;
    output.xnnpack.maxAbs = kInfinity;
    output.kernels.sqnrDb = NAN;
    output.steps = StepError{0.5, 0, 0, 0, 10};
    report.outputs.push_back(output);
    NodeError node;
    node.name = "conv2d";
    node.target = "aten.conv2d.default";
    node.alone = output.simulated;
    node.alone->count = 4;
    node.kernels = TensorError{};
    report.nodes.nodes.push_back(node);
    report.problems.push_back({Severity::Warning, "data-left-out", "", "x<y>.png", "a & b"});
    report.batchHashes = {"00ff"};
    return report;
}

Snapshot emptySnapshot()
{
    Snapshot snapshot;
    auto model = std::make_shared<Model>();
    model->name = "m<n>";
    snapshot.model = std::move(model);
    return snapshot;
}

} // namespace

class TestCompareTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void infinitiesAreWords()
    {
        const Table table = compareOutputTable(oddReport());
        QCOMPARE(table.rows.size(), std::size_t(3));
        QCOMPARE(table.rows[0].cells[3].text, std::string("exact"));
        QCOMPARE(*table.rows[0].cells[3].number, kInfinity);
        QCOMPARE(table.rows[1].cells[3].text, std::string("n/a"));
        QCOMPARE(table.rows[1].cells[7].text, std::string("infinite"));
        QCOMPARE(table.rows[2].cells[3].text, std::string("not a number"));
        QCOMPARE(table.rows[2].cells[9].text, std::string("equal"));
        const Table nodes = compareOperatorTable(oddReport());
        QCOMPARE(nodes.rows[0].cells[2].text, std::string("exact"));
        QCOMPARE(nodes.rows[0].cells[5].text, std::string("-")); // not computed
        QCOMPARE(nodes.rows[0].cells[6].text, std::string("n/a")); // nothing finite in it
        for (const Table& one : {table, nodes}) {
            for (const std::string& text : {tableAsText(one), tableAsCsv(one), tableAsJson(one)}) {
                QVERIFY2(text.find("inf ") == std::string::npos
                             && text.find("\"inf\"") == std::string::npos
                             && text.find("nan") == std::string::npos,
                         text.c_str());
            }
        }
    }

    void htmlEscapes()
    {
        CompareReport report = oddReport();
        Classifier classifier({0, 1}, {"<one>", "two"});
        const float scores[] = {1, 0, 0, 1}, other[] = {0, 1, 0, 1};
        const Tensor a = Tensor::fromValues<float>(DType::Float32, {2, 2}, scores);
        const Tensor b = Tensor::fromValues<float>(DType::Float32, {2, 2}, other);
        QVERIFY(classifier.add({0, 1}, {&a, &a, &b}));
        report.classified = classifier.result();
        const std::string html = compareHtml(emptySnapshot(), report);
        for (const char* raw : {"<b> &", "<1>", "<n>", "x<y", "<one>", "a & b", "nan", ">inf<"})
            QVERIFY2(html.find(raw) == std::string::npos, raw);
        for (const char* wanted : {"a &lt;b&gt; &amp; &quot;c&quot;", "out&lt;1&gt;", "m&lt;n&gt;",
                                   "x&lt;y&gt;.png", "&lt;one&gt;", "a &amp; b"})
            QVERIFY2(html.find(wanted) != std::string::npos, wanted);
        QVERIFY(html.find("Flipped samples (1 rows)") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestCompareTables)
#include "tst_compare_tables.moc"

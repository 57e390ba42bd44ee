// Every scenario from exported to converted against what torchao made of it: names, orders, users, hashes.
#include "core/ir/Lint.h"
#include "core/ir/Text.h"
#include "tests/support/Scenarios.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

QString joined(const std::vector<std::string>& lines)
{
    QString text;
    for (const std::string& line : lines)
        text += QString::fromStdString(line) + u'\n';
    return text;
}

QString quoted(const std::string& text) { return QString::fromStdString(text); }

std::vector<std::string> groupLines(const Graph& graph, const SharingGroups& sharing)
{
    std::vector<std::string> lines;
    for (const auto& group : sharing.groups()) {
        if (isNone(*sharing.specAt(group.front())))
            continue;
        std::string line;
        for (const Point& point : group)
            line += (line.empty() ? "" : " ") + pointText(graph, point);
        lines.push_back(line);
    }
    return lines;
}

} // namespace

class TestScenarios : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_scenarios = loadScenarios();
        QCOMPARE(m_scenarios.size(), std::size_t(36));
    }
    void wholeWay_data();
    void wholeWay();

private:
    void compareConverted(const Scenario& scenario, const FoldedGraph& folded,
                          const AnnotationTable& annotations, const PreparedGraph& prepared);
    std::vector<Scenario> m_scenarios;
};

void TestScenarios::wholeWay_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_scenarios.size(); ++i)
        QTest::newRow(m_scenarios[i].name.c_str()) << static_cast<int>(i);
}

void TestScenarios::wholeWay()
{
    QFETCH(int, index);
    const Scenario& scenario = m_scenarios[static_cast<std::size_t>(index)];
    const GraphPtr exported = scenario.exported();
    QVERIFY(lint(*exported));
    QCOMPARE(quoted(printGraph(*exported)), quoted(scenario.text("exported")));

    QuantizerSettings settings = scenario.settings();
    const bool isCustom = scenario.flavor == "custom";
    if (isCustom)
        settings.flavor = QuantizerFlavor::None;
    const auto folded = foldForAnnotation(exported, settings, {});
    QVERIFY2(folded, folded ? "" : folded.error().message().c_str());
    QCOMPARE(quoted(printGraph(*folded->graph)), quoted(scenario.text("annotated graph")));
    QCOMPARE(joined(attributeHashes(*folded->graph)), joined(scenario.sections.at("folded")));

    const auto said = annotate(*folded->graph, settings);
    QVERIFY2(said, said ? "" : said.error().message().c_str());
    const AnnotationTable annotations =
        isCustom ? scenario.customAnnotations(*folded->graph) : *said;
    QCOMPARE(joined(annotationLines(*folded->graph, annotations)),
             joined(scenario.sections.at("annotations")));

    const auto prepared = insertObservers(folded->graph, annotations, {});
    if (scenario.has("error")) {
        QVERIFY(!prepared);
        QCOMPARE(prepared.error().code, ErrorCode::BadInput);
        QVERIFY(prepared.error().message().find(scenario.text("error")) != std::string::npos);
        return;
    }
    QVERIFY2(prepared, prepared ? "" : prepared.error().message().c_str());
    QCOMPARE(joined(groupLines(*folded->graph, prepared->sharing)),
             joined(scenario.sections.at("groups")));
    QCOMPARE(quoted(printGraph(*prepared->graph)), quoted(scenario.text("prepared")));
    compareConverted(scenario, *folded, annotations, *prepared);
}

void TestScenarios::compareConverted(const Scenario& scenario, const FoldedGraph& folded,
                                     const AnnotationTable& annotations,
                                     const PreparedGraph& prepared)
{
    const auto qparamsOf = [&](ObserverId id) { return recordedQParams(prepared, id); };
    const auto converted = convert(prepared, annotations, folded.scopeOf, qparamsOf, {}, {});
    QVERIFY2(converted, converted ? "" : converted.error().message().c_str());
    QCOMPARE(quoted(printGraph(*converted->graph)), quoted(scenario.text("converted")));
    QCOMPARE(joined(attributeHashes(*converted->graph)), joined(scenario.sections.at("frozen")));
    QVERIFY(lint(*converted->graph));
}

QTEST_GUILESS_MAIN(TestScenarios)
#include "tst_scenarios.moc"

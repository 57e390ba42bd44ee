// Programs that are not plain float32 ones (tests/data/pt2/other-forms): recognised, named, run as PyTorch ran them.
#include "core/data/Npz.h"
#include "core/engine/Engine.h"
#include "core/ir/Text.h"
#include "core/pipeline/Save.h"
#include "tests/support/Cases.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <cmath>

using namespace pt2e;
using namespace pt2e::test;

namespace {

std::string dataPath(const std::string& file)
{
    return qEnvironmentVariable("PT2E_TEST_DATA").toStdString() + "/pt2/other-forms/" + file;
}

ModelPtr model(const std::string& path)
{
    const auto opened = openModel({path, {}, 8, 2, 0}, {});
    return opened ? *opened : nullptr;
}

/// The first output of the graph for the file's example inputs, as doubles.
std::vector<double> run(const ModelPtr& opened, const GraphPtr& graph)
{
    const auto program = makeReferenceProgram(graph);
    if (!program)
        qFatal("%s", program.error().message().c_str());
    const auto report = (*program)->run(opened->examples.front(), {}, {});
    if (!report)
        qFatal("%s", report.error().message().c_str());
    return report->outputs.front().tensor()->toDoubles().value();
}

std::vector<double> recorded(const std::string& name)
{
    const auto arrays = readArrays(dataPath(name + ".npz"));
    return arrays ? arrays->front().second.toDoubles().value() : std::vector<double>{};
}

void compare(const std::vector<double>& got, const std::vector<double>& expected, double within)
{
    QCOMPARE(got.size(), expected.size());
    QVERIFY(!got.empty());
    for (std::size_t i = 0; i < got.size(); ++i)
        QVERIFY2(std::abs(got[i] - expected[i]) <= within,
                 qPrintable(QStringLiteral("%1: %2, not %3").arg(i).arg(got[i]).arg(expected[i])));
}

} // namespace

class TestProgramForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void namedPrintedAndRun_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("kind");
        const auto add = [](const char* name, const char* text, ProgramKind kind) {
            QTest::newRow(name) << QString::fromLatin1(text) << static_cast<int>(kind);
        };
        add("torchao-int8", "converted program (int8, 6 q / 9 dq)", ProgramKind::Converted);
        add("x86-uint8", "converted program (uint8, int8, 2 q / 4 dq)", ProgramKind::Converted);
        add("qat-int8", "converted program (int8, 6 q / 9 dq)", ProgramKind::Converted);
        add("qat-fake", "QAT program with fake quantization (8 fake_quantize)",
            ProgramKind::FakeQuantized);
        add("eager-fake", "QAT program with fake quantization (3 fake_quantize)",
            ProgramKind::FakeQuantized);
        add("half", "float program in float16", ProgramKind::Float);
        add("bfloat16", "float program in bfloat16", ProgramKind::Float);
    }

    void namedPrintedAndRun()
    {
        QFETCH(QString, text);
        QFETCH(int, kind);
        const std::string name = QTest::currentDataTag();
        const ModelPtr opened = model(dataPath(name + ".pt2"));
        QVERIFY(opened);
        QCOMPARE(QString::fromStdString(opened->form.text()), text);
        QCOMPARE(static_cast<int>(opened->form.kind), kind);
        QCOMPARE(printGraph(*opened->exported) + "\n", readText(dataPath(name + ".txt")));
        compare(run(opened, opened->exported), recorded(name), 1e-6);
    }

    /// The stages are not made of what is quantized already, and the file says so.
    void quantizedProgramsAreLeftAlone()
    {
        for (const char* name : {"torchao-int8", "x86-uint8", "qat-fake"}) {
            const ModelPtr opened = model(dataPath(std::string(name) + ".pt2"));
            QVERIFY(opened);
            const auto isIt = [](const Diagnostic& d) { return d.code == "already-quantized"; };
            QVERIFY(std::any_of(opened->diagnostics.begin(), opened->diagnostics.end(), isIt));
            Pipeline pipeline(opened);
            QVERIFY(!pipeline.run({}, StageKind::Exported, {})->error);
            const SnapshotPtr refused = pipeline.run({}, StageKind::Converted, {});
            QVERIFY(refused->error && !refused->annotated);
            QCOMPARE(refused->error->code, ErrorCode::BadInput);
            QVERIFY(refused->error->message().find("nothing left to quantize")
                    != std::string::npos);
        }
    }

    /// torchao quantizes what has no dtype guard in half and bfloat16, too; add is left out, with a reason.
    void lowPrecisionIsQuantizedAsThere_data()
    {
        QTest::addColumn<QString>("dtype");
        QTest::newRow("half") << QStringLiteral("float16");
        QTest::newRow("bfloat16") << QStringLiteral("bfloat16");
    }

    void lowPrecisionIsQuantizedAsThere()
    {
        QFETCH(QString, dtype);
        const std::string name = QTest::currentDataTag();
        const ModelPtr opened = model(dataPath(name + ".pt2"));
        QVERIFY(opened);
        Recipe recipe;
        recipe.calibration.source = CalibrationChoice::Source::Examples;
        const SnapshotPtr snapshot = Pipeline(opened).run(recipe, StageKind::Converted, {});
        QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
        const Graph& graph = *snapshot->annotated->folded.graph;
        const auto& reasons = snapshot->annotated->unannotated;
        const auto add = std::find_if(reasons.begin(), reasons.end(), [&](const WhyNot& why) {
            return graph.node(why.node).name == "add";
        });
        QVERIFY(add != reasons.end());
        QCOMPARE(add->reason.key, ReasonKey::NotFloat32);
        QCOMPARE(add->reason.parameters, (std::vector<std::string>{"relu", dtype.toStdString()}));
        compare(run(opened, snapshot->converted->graph), recorded(name + "-int8"), 1e-3);
    }

    void ourOwnFilesAreRecognised()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("ours.pt2")).toStdString();
        const auto residual = openModel({"residual", {}, 8, 2, 0}, {});
        QVERIFY(residual);
        QCOMPARE((*residual)->form.text(), std::string("float program"));
        const SnapshotPtr snapshot = Pipeline(*residual).run({}, StageKind::Converted, {});
        QVERIFY(snapshot->converted);
        QVERIFY(saveConverted(path, *snapshot));
        const ModelPtr converted = model(path);
        QVERIFY(converted);
        QCOMPARE(converted->form.text(), std::string("converted program (int8, 4 q / 7 dq)"));
        QVERIFY(saveAnnotated(path, *snapshot));
        const ModelPtr annotated = model(path);
        QVERIFY(annotated);
        QCOMPARE(annotated->form.kind, ProgramKind::Annotated);
        QVERIFY(!annotated->form.isQuantized());
    }
};

QTEST_GUILESS_MAIN(TestProgramForms)
#include "tst_program_forms.moc"

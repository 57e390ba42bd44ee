// Programs with something the reader cannot know (tests/data/pt2/odd): a custom operator, an operator and a dtype that
// do not exist, an opaque sub-graph. They open and show; what cannot run says so; the rest works. And sub-graphs that
// are known: print, draw and tables look into them.
#include "tests/support/RunPt2e.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using pt2e::test::Answer;
using pt2e::test::runPt2e;

namespace {

QString odd(const QString& name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/pt2/odd/") + name;
}

QString loopCase(const QString& file)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/cases/while_loop/") + file;
}

QStringList words(const char* text) { return QString::fromUtf8(text).split(u' '); }

} // namespace

class TestCliOdd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void opensAndShows_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("op"); // as info lists it
        QTest::addColumn<QByteArray>("call"); // as print shows it
        QTest::newRow("custom op") << "custom_op.pt2" << QByteArray("workshop.wobble.default")
                                   << QByteArray("torch.ops.workshop.wobble.default](args = "
                                                 "(%relu, 0.25)");
        QTest::newRow("unknown op")
            << "unknown_op.pt2" << QByteArray("aten.frobnicate.default")
            << QByteArray("torch.ops.aten.frobnicate.default](args = (%relu,)");
        QTest::newRow("unknown dtype")
            << "unknown_dtype.pt2" << QByteArray("dtype #97 is not known")
            << QByteArray("torch.ops.aten.sigmoid.default](args = (%relu,)");
        QTest::newRow("opaque sub-graph")
            << "opaque_body.pt2" << QByteArray("frobnicate")
            << QByteArray("torch.ops.higher_order.frobnicate](args = (%body_graph_0, [%relu], [])");
    }
    void opensAndShows()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, call);
        const Answer info = runPt2e({QStringLiteral("info"), odd(file)});
        QVERIFY2(info.code == 0, info.err.constData());
        QVERIFY2(info.out.contains(op), info.out.constData());
        const Answer print = runPt2e({QStringLiteral("print"), odd(file)});
        QVERIFY2(print.code == 0, print.err.constData());
        QVERIFY2(print.out.contains(call), print.out.constData());
        const Answer dump = runPt2e(words("dump --stage exported") << odd(file));
        QVERIFY2(dump.code == 0, dump.err.constData());
        QVERIFY(dump.out.contains("\"nodes\""));
        const QString figure = m_folder.filePath(file + QStringLiteral(".svg"));
        const Answer draw =
            runPt2e(words("draw --stages exported,annotated,prepared -o") << figure << odd(file));
        QVERIFY2(draw.code == 0, draw.err.constData());
        QVERIFY(QFile(figure).size() > 1000);
    }

    /// Annotation and observers need no values; calibration stops at the node and says why.
    void saysWhatCannotRun_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("custom op") << "custom_op.pt2"
                                   << QByteArray("node 'wobble': workshop.wobble.default: cannot "
                                                 "be run: only operators of aten");
        QTest::newRow("unknown op")
            << "unknown_op.pt2" << QByteArray("node 'sigmoid': aten.frobnicate.default: LibTorch");
        QTest::newRow("opaque sub-graph")
            << "opaque_body.pt2"
            << QByteArray("node 'map_impl': frobnicate: is a higher-order operator that is not "
                          "known here; it cannot be run");
    }
    void saysWhatCannotRun()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, why);
        const Answer dump = runPt2e(words("dump --batches 1") << odd(file));
        QVERIFY2(dump.err.contains(why) || dump.out.contains(why), dump.err.constData());
        for (const char* part : {"\"exported\"", "\"prepared\"", "activation_post_process_0",
                                 "\"stage\": \"calibrate\""})
            QVERIFY2(dump.out.contains(part), part);
        QVERIFY(!dump.out.contains("\"converted\": {\n"));
        const Answer run = runPt2e(words("quantize --batches 1 -o")
                                   << m_folder.filePath(QStringLiteral("no.pt2")) << odd(file));
        QCOMPARE(run.code, 3);
        QVERIFY2(run.err.contains(why), run.err.constData());
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("no.pt2"))));
        const Answer tables = runPt2e(words("tables --table annotations --batches 1") << odd(file));
        QVERIFY2(tables.out.contains("conv2d"), tables.err.constData());
    }

    /// A dtype that only stands in the description of a value does not keep the program from running.
    void unknownDTypeRuns()
    {
        const Answer tables = runPt2e(words("tables --table observers --batches 1")
                                      << odd(QStringLiteral("unknown_dtype.pt2")));
        QVERIFY2(tables.code == 0, tables.err.constData());
        QVERIFY2(tables.out.contains("scale="), tables.out.constData());
        QVERIFY2(tables.err.contains("tensor_values.sigmoid: dtype #97"), tables.err.constData());
    }

    void mapRuns()
    {
        const Answer tables = runPt2e(words("tables --table observers --batches 2")
                                      << odd(QStringLiteral("map_body.pt2")));
        QVERIFY2(tables.code == 0, tables.err.constData());
        QVERIFY2(tables.out.contains("scale="), tables.out.constData());
    }

    void looksIntoSubgraphs()
    {
        const QStringList data = {loopCase(QStringLiteral("model.pt2")),
                                  QStringLiteral("--calibration"),
                                  loopCase(QStringLiteral("calib.npz"))};
        const Answer print =
            runPt2e(words("print --stage converted --body while_loop_body_graph_0") << data);
        QVERIFY2(print.code == 0, print.err.constData());
        QVERIFY2(print.out.contains("quantize_per_channel.default](args = (%arg3_1, %_scale_0"),
                 print.out.constData());
        const Answer condition =
            runPt2e(words("print --stage converted --body while_loop_cond_graph_0") << data);
        QVERIFY(condition.out.contains("aten.lt.Scalar"));
        const Answer observers = runPt2e(words("tables --table observers") << data);
        QVERIFY2(observers.out.contains("while_loop_body_graph_0/activation_post_process_2"),
                 observers.out.constData());
        const QString figure = m_folder.filePath(QStringLiteral("body.svg"));
        const Answer draw =
            runPt2e(words("draw --body while_loop_body_graph_0 -o") << figure << data);
        QVERIFY2(draw.code == 0, draw.err.constData());
        QFile file(figure);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("tanh") && !svg.contains("getitem"));
        const Answer none = runPt2e(words("print --body nothing") << data);
        QCOMPARE(none.code, 3);
        QVERIFY2(none.err.contains("no such sub-graph; there are while_loop_cond_graph_0, "
                                   "while_loop_body_graph_0"),
                 none.err.constData());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliOdd)
#include "tst_cli_odd.moc"

// pt2e compare and pt2e run: what they print, write and answer.
#include "core/data/Npz.h"
#include "tests/support/RunPt2e.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <algorithm>
#include <cmath>

using namespace pt2e;

using pt2e::test::Answer;
using pt2e::test::runPt2e;

namespace {

QString caseFile(const char* name, const char* file)
{
    return QStringLiteral("%1/cases/%2/%3")
        .arg(qEnvironmentVariable("PT2E_TEST_DATA"), QString::fromUtf8(name),
             QString::fromUtf8(file));
}

/// The rows of the table with this id, as {column: text}.
QJsonArray rowsOf(const QByteArray& json, const char* id)
{
    for (const QJsonValue& table : QJsonDocument::fromJson(json).array()) {
        if (table[u"table"].toString() == QString::fromUtf8(id))
            return table[u"rows"].toArray();
    }
    return {};
}

QJsonObject rowWhere(const QJsonArray& rows, const char* column, const char* text)
{
    for (const QJsonValue& row : rows) {
        if (row[QString::fromUtf8(column)].toString() == QString::fromUtf8(text))
            return row.toObject();
    }
    return {};
}

} // namespace

class TestCliCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void compareSaysWhereAndHowClose();
    void comparePrintsText();
    void compareEvaluationFile();
    void compareBeside();
    void compareBesideFile();
    void runMatchesPython();
    void runEngines();
    void bench();
};

void TestCliCompare::compareSaysWhereAndHowClose()
{
    const Answer answer =
        runPt2e({QStringLiteral("compare"), QStringLiteral("cat_pool"), QStringLiteral("--json"),
                 QStringLiteral("--threads"), QStringLiteral("1")});
    QCOMPARE(answer.code, 0);
    const QJsonArray placement = rowsOf(answer.out, "partitions");
    QCOMPARE(rowWhere(placement, "node", "cat")[u"kernel"].toString(),
             QStringLiteral("concatenate qs8"));
    QCOMPARE(rowWhere(placement, "node", "max_pool2d")[u"runs on"].toString(),
             QStringLiteral("XNNPACK int8"));
    QCOMPARE(rowWhere(placement, "node", "conv2d")[u"kernel"].toString(),
             QStringLiteral("convolution_2d qcint8"));
    const QJsonArray outputs = rowsOf(answer.out, "comparison");
    QCOMPARE(outputs.size(), 5);
    QVERIFY(outputs[0][u"SQNR dB"].toString().toDouble() > 30);
    const QJsonArray setup = rowsOf(answer.out, "setup");
    QCOMPARE(rowWhere(setup, "what", "threads")[u"value"].toString(), QStringLiteral("1"));
    QVERIFY(rowWhere(setup, "what", "XNNPACK")[u"value"].toString().startsWith(u"20"));
    QVERIFY(!rowWhere(setup, "what", "LibTorch")[u"value"].toString().isEmpty());
}

void TestCliCompare::comparePrintsText()
{
    const Answer answer = runPt2e(
        {QStringLiteral("compare"), QStringLiteral("residual"), QStringLiteral("--per-tensor")});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.out.contains("2 random batches after the 8 of calibration"));
    QVERIFY(answer.out.contains("convolution_2d qint8"));
    QVERIFY(answer.out.contains("fused into add"));
    QVERIFY(!answer.out.contains("aten."));
}

void TestCliCompare::compareEvaluationFile()
{
    const Answer answer =
        runPt2e({QStringLiteral("compare"), caseFile("mlp", "model.pt2"),
                 QStringLiteral("--calibration"), caseFile("mlp", "calib.npz"),
                 QStringLiteral("--eval"), caseFile("mlp", "eval.npz"), QStringLiteral("--json")});
    QCOMPARE(answer.code, 0);
    QVERIFY(
        rowWhere(rowsOf(answer.out, "setup"), "what", "compared on")[u"value"].toString().contains(
            QStringLiteral("eval.npz")));
    const Answer missing = runPt2e({QStringLiteral("compare"), QStringLiteral("stem"),
                                    QStringLiteral("--eval"), QStringLiteral("nowhere.npz")});
    QCOMPARE(missing.code, 3);
    QVERIFY(missing.err.contains("nowhere.npz"));
}

void TestCliCompare::compareBeside()
{
    const QStringList arguments{QStringLiteral("compare"),  QStringLiteral("cat_pool"),
                                QStringLiteral("--beside"), QStringLiteral("executorch"),
                                QStringLiteral("--times"),  QStringLiteral("--threads"),
                                QStringLiteral("1")};
    const Answer answer = runPt2e(arguments + QStringList{QStringLiteral("--json")});
    QCOMPARE(answer.code, 0);
    const QJsonArray differences = rowsOf(answer.out, "recipe-differences");
    const QJsonObject cat = rowWhere(differences, "place", "cat");
    QCOMPARE(cat[u"what"].toString(), QStringLiteral("operator"));
    QVERIFY(cat[u"torchao"].toString().contains(u"source_fn_stack"));
    QCOMPARE(cat[u"executorch"].toString(), QStringLiteral("quantized: cat"));
    QVERIFY(!rowWhere(differences, "place", "max_pool2d").isEmpty());
    QVERIFY(rowWhere(differences, "place", "conv2d").isEmpty());
    const QJsonArray summary = rowsOf(answer.out, "recipes");
    const QJsonObject quantized = rowWhere(summary, "what", "operators quantized");
    QCOMPARE(quantized[u"torchao"].toString(), QStringLiteral("7"));
    QCOMPARE(quantized[u"difference"].toString(), QStringLiteral("+2"));
    // Times are measured, and the outputs are those that compare gives each recipe alone.
    QVERIFY(rowWhere(summary, "what", "time in int8, ms")[u"executorch"].toString().toDouble() > 0);
    const Answer alone =
        runPt2e({QStringLiteral("compare"), QStringLiteral("cat_pool"), QStringLiteral("--json"),
                 QStringLiteral("--quantizer"), QStringLiteral("executorch"),
                 QStringLiteral("--threads"), QStringLiteral("1")});
    QCOMPARE(rowWhere(summary, "what", "SQNR of add simulated, dB")[u"executorch"].toString(),
             rowsOf(alone.out, "comparison")[0][u"SQNR dB"].toString());
    const Answer text = runPt2e(arguments);
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains("where torchao and executorch differ"));
    const Answer csv = runPt2e(arguments + QStringList{QStringLiteral("--csv")});
    QVERIFY(csv.out.contains("place,op,what,torchao,executorch"));
}

void TestCliCompare::compareBesideFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("recipe.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "pt2e.recipe", "version": 1,
                   "quantizer": {"flavor": "torchao", "global": {"per_channel": true}},
                   "edits": [{"at": "relu_1", "spec": null}]})");
    file.close();
    const Answer answer = runPt2e({QStringLiteral("compare"), QStringLiteral("residual"),
                                   QStringLiteral("--beside"), path, QStringLiteral("--json")});
    QVERIFY2(answer.code == 0, answer.err.constData());
    const QJsonArray rows = rowsOf(answer.out, "recipe-differences");
    QVERIFY(!rows.isEmpty());
    // The addition that it was fused with runs elsewhere; nothing else has changed.
    for (const QJsonValue& row : rows)
        QVERIFY2(
            row[u"place"].toString().startsWith(u"relu_1")
                || (row[u"place"].toString() == u"add" && row[u"what"].toString() == u"runs on"),
            answer.out.constData());
    QVERIFY(rowWhere(rows, "place", "relu_1").contains(u"recipe.json"));
    // No time was asked for, so there is none.
    QVERIFY(rowWhere(rowsOf(answer.out, "recipes"), "what", "time in int8, ms").isEmpty());
    QCOMPARE(runPt2e({QStringLiteral("compare"), QStringLiteral("residual"),
                      QStringLiteral("--beside"), QStringLiteral("nowhere.json")})
                 .code,
             3);
    QCOMPARE(
        runPt2e({QStringLiteral("compare"), QStringLiteral("residual"), QStringLiteral("--beside"),
                 path, QStringLiteral("--html"), folder.filePath(QStringLiteral("a.html"))})
            .code,
        2);
}

void TestCliCompare::runMatchesPython()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("out.npz"));
    const Answer answer =
        runPt2e({QStringLiteral("run"), caseFile("mlp", "model.pt2"), QStringLiteral("--inputs"),
                 caseFile("mlp", "eval.npz"), QStringLiteral("-o"), path});
    QCOMPARE(answer.code, 0);
    const auto ours = readArrays(path.toStdString());
    const auto recorded = readArrays(caseFile("mlp", "eval_out.npz").toStdString());
    QVERIFY(ours.has_value() && recorded.has_value());
    QCOMPARE(ours->size(), std::size_t(2));
    for (const auto& [name, tensor] : *ours) {
        const std::string wanted = "fp32_" + name;
        const auto it = std::find_if(recorded->begin(), recorded->end(),
                                     [&](const auto& entry) { return entry.first == wanted; });
        QVERIFY2(it != recorded->end(), name.c_str());
        const auto a = tensor.toDoubles();
        const auto b = it->second.toDoubles();
        QCOMPARE(a->size(), b->size());
        for (std::size_t i = 0; i < a->size(); ++i)
            QVERIFY(std::fabs((*a)[i] - (*b)[i]) <= 1e-5 * (1 + std::fabs((*b)[i])));
    }
}

void TestCliCompare::runEngines()
{
    const QTemporaryDir folder;
    const QString reference = folder.filePath(QStringLiteral("reference.npz"));
    const QString xnnpack = folder.filePath(QStringLiteral("xnnpack.npz"));
    // A float model: all of it runs on XNNPACK, and gives the same but for the order of sums.
    QCOMPARE(runPt2e({QStringLiteral("run"), caseFile("mlp", "model.pt2"), QStringLiteral("-o"),
                      reference})
                 .code,
             0);
    const Answer answer =
        runPt2e({QStringLiteral("run"), caseFile("mlp", "model.pt2"), QStringLiteral("--engine"),
                 QStringLiteral("xnnpack"), QStringLiteral("-o"), xnnpack});
    QCOMPARE(answer.code, 0);
    QVERIFY2(answer.err.contains("0 operators in int8, 2 in float in 1 partitions, 0 on LibTorch"),
             answer.err.constData());
    const auto a = readArrays(reference.toStdString());
    const auto b = readArrays(xnnpack.toStdString());
    QVERIFY(a.has_value() && b.has_value());
    QCOMPARE(a->size(), b->size());
    for (std::size_t i = 0; i < a->size(); ++i) {
        const auto x = (*a)[i].second.toDoubles();
        const auto y = (*b)[i].second.toDoubles();
        QCOMPARE(x->size(), y->size());
        for (std::size_t k = 0; k < x->size(); ++k)
            QVERIFY(std::fabs((*x)[k] - (*y)[k]) <= 1e-5 * (1 + std::fabs((*x)[k])));
    }
    QCOMPARE(runPt2e({QStringLiteral("run"), QStringLiteral("stem"), QStringLiteral("--engine"),
                      QStringLiteral("other"), QStringLiteral("-o"), xnnpack})
                 .code,
             2);
    QCOMPARE(runPt2e({QStringLiteral("run"), QStringLiteral("stem")}).code, 2);
}

void TestCliCompare::bench()
{
    const Answer answer =
        runPt2e({QStringLiteral("bench"), QStringLiteral("stem"), QStringLiteral("--rounds"),
                 QStringLiteral("3"), QStringLiteral("--warm-up"), QStringLiteral("1"),
                 QStringLiteral("--operators"), QStringLiteral("--threads"), QStringLiteral("1"),
                 QStringLiteral("--json")});
    QVERIFY2(answer.code == 0, answer.err.constData());
    const QJsonArray times = rowsOf(answer.out, "times");
    QCOMPARE(times.size(), 3);
    for (const char* engine : {"float on LibTorch", "float on XNNPACK", "int8 on XNNPACK"})
        QVERIFY(rowWhere(times, "engine", engine)[u"median"].toString().toDouble() > 0);
    const QJsonArray setup = rowsOf(answer.out, "setup");
    QCOMPARE(rowWhere(setup, "what", "XNNPACK threads")[u"value"].toString(), QStringLiteral("1"));
    QVERIFY(rowWhere(setup, "what", "LibTorch")[u"value"].toString().contains(u"1 threads"));
    const QJsonObject speedUp = rowWhere(rowsOf(answer.out, "result"), "what",
                                         "int8 is faster than the faster float engine by");
    QVERIFY(speedUp[u"value"].toString().contains(u"(float on "));
    QVERIFY(!rowsOf(answer.out, "operators").isEmpty());
    // A converted program: no float to compare with.
    const QTemporaryDir folder;
    const QString converted = folder.filePath(QStringLiteral("converted.pt2"));
    QCOMPARE(runPt2e({QStringLiteral("quantize"), QStringLiteral("stem"), QStringLiteral("-o"),
                      converted})
                 .code,
             0);
    const Answer alone = runPt2e({QStringLiteral("bench"), converted, QStringLiteral("--rounds"),
                                  QStringLiteral("2"), QStringLiteral("--json")});
    QVERIFY2(alone.code == 0, alone.err.constData());
    QCOMPARE(rowsOf(alone.out, "times").size(), 1);
    QCOMPARE(runPt2e({QStringLiteral("bench"), QStringLiteral("stem"), QStringLiteral("--rounds"),
                      QStringLiteral("0")})
                 .code,
             2);
}

QTEST_GUILESS_MAIN(TestCliCompare)
#include "tst_cli_compare.moc"

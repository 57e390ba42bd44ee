// pt2e compare on labelled data, its HTML report, and bad data on the command line.
#include "core/data/Npz.h"
#include "tests/support/RunPt2e.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace pt2e;
using namespace pt2e::test;

namespace {

const QString kFashion = QStringLiteral("/usr/share/datasets/fashion-mnist/");

QJsonArray rowsOf(const QByteArray& json, const char* id)
{
    for (const QJsonValue& table : QJsonDocument::fromJson(json).array()) {
        if (table[u"table"].toString() == QString::fromUtf8(id))
            return table[u"rows"].toArray();
    }
    return {};
}

double numberOf(const QJsonValue& row, const char* column)
{
    return row[QString::fromUtf8(column)].toString().split(u' ').first().toDouble();
}

QString pictures(const QString& name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/pictures/") + name;
}

} // namespace

class TestCliAccuracy : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    void shippedModelOnItsImages();
    void allImages();
    void foldersAndRecipes();
    void badData();
    void sampleIsAFile();
};

void TestCliAccuracy::shippedModelOnItsImages()
{
    const QString report = m_folder.filePath(QStringLiteral("report.html"));
    QElapsedTimer timer;
    timer.start();
    const Answer answer = runPt2e({QStringLiteral("compare"), QStringLiteral("fashion_cnn"),
                                   QStringLiteral("--json"), QStringLiteral("--html"), report});
    QVERIFY2(answer.code == 0, answer.err.constData());
    qInfo("1,000 images in %lld ms", timer.elapsed());
    const QJsonArray accuracy = rowsOf(answer.out, "accuracy");
    QCOMPARE(accuracy.size(), 3);
    for (const QJsonValue& row : accuracy) {
        QCOMPARE(row[u"samples"].toString(), QStringLiteral("1000"));
        QVERIFY2(numberOf(row, "accuracy") >= 88, qPrintable(row[u"accuracy"].toString()));
        const double low = numberOf(row, "95 % interval");
        QVERIFY(low < numberOf(row, "accuracy") && low > numberOf(row, "accuracy") - 3);
    }
    const QJsonArray differences = rowsOf(answer.out, "differences");
    QCOMPARE(differences.size(), 3);
    for (const QJsonValue& row : differences) {
        QVERIFY(numberOf(row, "same class") > 95);
        QVERIFY(numberOf(row, "McNemar p") > 0 && numberOf(row, "McNemar p") <= 1);
    }
    QCOMPARE(rowsOf(answer.out, "confusion-XNNPACK").size(), 10);
    int all = 0;
    for (const QJsonValue& row : rowsOf(answer.out, "confusion-XNNPACK")) {
        for (const auto& [name, value] : row.toObject().toVariantMap().asKeyValueRange())
            all += name == QStringLiteral("label") ? 0 : value.toInt();
    }
    QCOMPARE(all, 1000);
    QCOMPARE(rowsOf(answer.out, "batches").size(), 32);
    QVERIFY(rowsOf(answer.out, "operators").size() > 8);

    QFile file(report);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray html = file.readAll();
    // One file by itself, and well formed.
    for (const char* outside : {"<script", "http://", "https://", "<link", "<img", "url("})
        QVERIFY2(!html.contains(outside), outside);
    QVERIFY(html.contains("prefers-color-scheme: dark"));
    QCOMPARE(html.count("<svg"), 4);
    QCOMPARE(html.count("</svg>"), 4);
    const qsizetype from = html.indexOf("<body>"), end = html.indexOf("</html>");
    QXmlStreamReader reader(html.mid(from, end - from));
    while (!reader.atEnd())
        reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

void TestCliAccuracy::allImages()
{
    const Answer answer =
        runPt2e({QStringLiteral("compare"), QStringLiteral("fashion_cnn"), QStringLiteral("--csv"),
                 QStringLiteral("--samples"), QStringLiteral("0"), QStringLiteral("--batch-size"),
                 QStringLiteral("100"), QStringLiteral("--operator-batches"), QStringLiteral("0")});
    QVERIFY2(answer.code == 0, answer.err.constData());
    QVERIFY(answer.out.contains("# Accuracy\r\n") || answer.out.contains("# Accuracy\n"));
    QVERIFY(answer.out.contains(",10000,"));
    QVERIFY(!answer.out.contains("# Operators"));
    const qsizetype at = answer.out.indexOf("float,");
    const QByteArray line = answer.out.mid(at, answer.out.indexOf('\n', at) - at);
    // "float,9187,10000,…"
    QVERIFY2(line.split(',').at(1).toInt() >= 9000, line.constData());
}

void TestCliAccuracy::foldersAndRecipes()
{
    // Pictures by class, resized to the network's size; the same from a recipe.
    for (const char* place : {"0-a/1.png", "0-a/2.png", "1-b/3.png"}) {
        const QString path = m_folder.filePath(QStringLiteral("set/") + QString::fromUtf8(place));
        QDir().mkpath(QFileInfo(path).path());
        QVERIFY(QFile::copy(pictures(QStringLiteral("rgb.png")), path));
    }
    QFile broken(m_folder.filePath(QStringLiteral("set/1-b/4.png")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("nonsense");
    broken.close();
    const QString set = m_folder.filePath(QStringLiteral("set"));
    const QStringList common{QStringLiteral("compare"),
                             QStringLiteral("fashion_cnn"),
                             QStringLiteral("--calibration"),
                             set,
                             QStringLiteral("--eval"),
                             set,
                             QStringLiteral("--json"),
                             QStringLiteral("--mean"),
                             QStringLiteral("0.5"),
                             QStringLiteral("--std"),
                             QStringLiteral("0.5"),
                             QStringLiteral("--resize"),
                             QStringLiteral("30")};
    const Answer answer = runPt2e(common);
    QVERIFY2(answer.code == 0, answer.err.constData());
    QVERIFY2(answer.err.contains("1-b/4.png: is neither a PNG nor a JPEG picture"),
             answer.err.constData());
    QCOMPARE(rowsOf(answer.out, "accuracy").first()[u"samples"].toString(), QStringLiteral("3"));
    QCOMPARE(rowsOf(answer.out, "confusion-float").size(), 10);
}

void TestCliAccuracy::badData()
{
    const auto compared = [](const QStringList& more) {
        return runPt2e(QStringList{QStringLiteral("compare"), QStringLiteral("fashion_cnn")}
                       + more);
    };
    const QString labels = m_folder.filePath(QStringLiteral("few.csv"));
    QFile file(labels);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("1\n2\n");
    file.close();
    const Answer few = compared(
        {QStringLiteral("--eval"), kFashion + QStringLiteral("t10k-images-idx3-ubyte.gz"),
         QStringLiteral("--samples"), QStringLiteral("10"), QStringLiteral("--labels"), labels});
    QCOMPARE(few.code, 3);
    QVERIFY2(few.err.contains("few.csv: holds 2 labels") && few.err.contains("10000 samples"),
             few.err.constData());
    QDir().mkpath(m_folder.filePath(QStringLiteral("empty")));
    const Answer empty =
        compared({QStringLiteral("--eval"), m_folder.filePath(QStringLiteral("empty"))});
    QCOMPARE(empty.code, 3);
    QVERIFY2(empty.err.contains("empty: is a folder without PNG or JPEG"), empty.err.constData());
    const Answer alone = compared({QStringLiteral("--calibration"), QStringLiteral("random"),
                                   QStringLiteral("--raw-shape"), QStringLiteral("1xx")});
    QCOMPARE(alone.code, 3);
    QVERIFY2(alone.err.contains("--raw-shape 1xx"), alone.err.constData());
    // A bad batch: named, the others are used.
    const QString npz = m_folder.filePath(QStringLiteral("mixed.npz"));
    std::vector<float> values(784, 0.25f), holes(784, 0.0f);
    holes[5] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY(
        writeNpz(npz.toStdString(),
                 {{"b0_i0", Tensor::fromValues<float>(DType::Float32, {1, 1, 28, 28}, values)},
                  {"b1_i0", Tensor::fromValues<float>(DType::Float32, {1, 1, 28, 28}, holes)},
                  {"b2_i0", Tensor::fromValues<float>(DType::Float32, {1, 1, 14, 56}, values)}}));
    const Answer mixed = compared({QStringLiteral("--eval"), npz, QStringLiteral("--json")});
    QVERIFY2(mixed.code == 0, mixed.err.constData());
    QVERIFY2(mixed.err.contains("mixed.npz: batch 1: 1 of 784 values"), mixed.err.constData());
    QVERIFY2(mixed.err.contains("mixed.npz: array 'b2_i0': has shape 1×1×14×56"),
             mixed.err.constData());
    // What is run keeps its numbers, so nothing is left out there.
    const Answer run =
        runPt2e({QStringLiteral("run"), QStringLiteral("fashion_cnn"), QStringLiteral("--inputs"),
                 npz, QStringLiteral("-o"), m_folder.filePath(QStringLiteral("out.npz"))});
    QCOMPARE(run.code, 3);
    QVERIFY2(run.err.contains("array 'b2_i0': has shape"), run.err.constData());
    QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("out.npz"))));
}

void TestCliAccuracy::sampleIsAFile()
{
    const QString path = m_folder.filePath(QStringLiteral("fashion.pt2"));
    const Answer written = runPt2e(
        {QStringLiteral("sample"), QStringLiteral("fashion_cnn"), QStringLiteral("-o"), path});
    QVERIFY2(written.code == 0, written.err.constData());
    QVERIFY(QFileInfo(path).size() < 1000000);
    const Answer list = runPt2e({QStringLiteral("sample"), QStringLiteral("--list")});
    QVERIFY(list.out.contains("fashion_cnn"));
    const Answer info = runPt2e({QStringLiteral("info"), path});
    QCOMPARE(info.code, 0);
}

QTEST_GUILESS_MAIN(TestCliAccuracy)
#include "tst_cli_accuracy.moc"

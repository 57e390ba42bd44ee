// pt2e sensitivity: tables, resume, targets, recipes that are written.
#include "tests/support/RunPt2e.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace pt2e::test;

namespace {

Answer sensitivity(const QStringList& arguments)
{
    return runPt2e(QStringList{QStringLiteral("sensitivity")} + arguments);
}

QStringList words(const char* text) { return QString::fromUtf8(text).split(u' '); }

QJsonArray rowsOf(const QByteArray& json, const char* id)
{
    for (const QJsonValue& table : QJsonDocument::fromJson(json).array()) {
        if (table[u"table"].toString() == QString::fromUtf8(id))
            return table[u"rows"].toArray();
    }
    return {};
}

double decibel(const QJsonValue& row) { return row[u"SQNR dB"].toString().toDouble(); }

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestCliSensitivity : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private Q_SLOTS:
    /// The last row is the model as it is calibrated: what sensitivity calls everything quantized.
    void qualityByBatches()
    {
        const Answer answer =
            runPt2e(words("tables residual --batches 6 --table convergence --json"));
        QVERIFY2(answer.code == 0, answer.err.constData());
        const QJsonObject table = QJsonDocument::fromJson(answer.out).object();
        QCOMPARE(table[u"table"].toString(), QStringLiteral("convergence"));
        const QJsonArray rows = table[u"rows"].toArray();
        QStringList batches;
        for (const QJsonValue& row : rows)
            batches << row[u"batches"].toString();
        QCOMPARE(batches, QStringList({"1", "2", "4", "6"}));
        QVERIFY(rows.last()[u"scales moved"].toString().startsWith("0 / "));
        QVERIFY(answer.err.contains("calibrated on 6 random batches"));
        const Answer whole = sensitivity(words("residual --batches 6 --json"));
        const QByteArray shown = rows.last()[u"SQNR dB"].toString().toUtf8();
        QVERIFY2(!shown.isEmpty() && whole.out.contains(shown), whole.out.constData());
    }

    void diagnosesOfRuns()
    {
        const Answer well = runPt2e(words("tables residual --table diagnosis --json"));
        QVERIFY2(well.code == 0, well.err.constData());
        QVERIFY(QJsonDocument::fromJson(well.out)[u"rows"].toArray().isEmpty());
        const Answer labels =
            runPt2e(words("tables residual --table diagnosis --labels nothing.csv"));
        QCOMPARE(labels.code, 3);
        QVERIFY(labels.err.contains("--eval"));
    }

    void worstFirst()
    {
        const Answer answer = sensitivity(words("residual --json"));
        QVERIFY2(answer.code == 0, answer.err.constData());
        const QJsonArray rows = rowsOf(answer.out, "sensitivity");
        QVERIFY(rows.size() >= 4);
        for (qsizetype i = 1; i < rows.size(); ++i)
            QVERIFY(decibel(rows[i - 1]) <= decibel(rows[i]));
        const Answer off = sensitivity(words("residual --json --mode one-off"));
        const QJsonArray best = rowsOf(off.out, "sensitivity");
        QCOMPARE(best.size(), rows.size());
        for (qsizetype i = 1; i < best.size(); ++i)
            QVERIFY(decibel(best[i - 1]) >= decibel(best[i]));
        const Answer weights = sensitivity(words("residual --csv --mode weights --metric mse"));
        QVERIFY2(weights.code == 0, weights.err.constData());
        QVERIFY(weights.out.contains("group,SQNR dB"));
    }

    void everythingQuantizedIsWhatCompareSays()
    {
        const Answer mine =
            sensitivity(words("fashion_cnn --samples 64 --json --metric accuracy --mode weights"));
        QVERIFY2(mine.code == 0, mine.err.constData());
        const Answer compare =
            runPt2e(words("compare fashion_cnn --samples 64 --operator-batches 0 --json"));
        QVERIFY2(compare.code == 0, compare.err.constData());
        QString accuracy;
        for (const QJsonValue& row : rowsOf(mine.out, "sensitivity-setup")) {
            if (row[u"what"].toString() == QStringLiteral("everything quantized"))
                accuracy = row[u"value"].toString();
        }
        QString simulated;
        for (const QJsonValue& row : rowsOf(compare.out, "accuracy")) {
            if (row[u"run"].toString() == QStringLiteral("simulated"))
                simulated = row[u"accuracy"].toString();
        }
        QVERIFY(!accuracy.isEmpty());
        QCOMPARE(accuracy.split(u' ').first().toDouble(), simulated.split(u' ').first().toDouble());
    }

    void targetWritesARecipe()
    {
        const QString recipe = m_folder.filePath(QStringLiteral("found.json"));
        const QStringList arguments = words("residual --json --target 50 -o") + QStringList{recipe};
        const Answer answer = sensitivity(arguments);
        QVERIFY2(answer.code == 0, answer.err.constData());
        const QJsonArray path = rowsOf(answer.out, "mixed-precision");
        QVERIFY(path.size() > 1);
        QVERIFY(decibel(path.last()) >= 50);
        const Answer check = runPt2e({QStringLiteral("recipe"), QStringLiteral("check"), recipe,
                                      QStringLiteral("residual")});
        QVERIFY2(check.code == 0, (check.out + check.err).constData());
        // What the recipe gives, judged by itself: the same.
        const Answer again = sensitivity({QStringLiteral("residual"), QStringLiteral("--json"),
                                          QStringLiteral("--recipe"), recipe});
        QVERIFY2(again.code == 0, again.err.constData());
        QString quantized;
        for (const QJsonValue& row : rowsOf(again.out, "sensitivity-setup")) {
            if (row[u"what"].toString() == QStringLiteral("everything quantized"))
                quantized = row[u"value"].toString();
        }
        QCOMPARE(quantized.toDouble(), decibel(path.last()));
    }

    void aTargetOutOfReachIsANo()
    {
        const QString recipe = m_folder.filePath(QStringLiteral("none.json"));
        const Answer answer = sensitivity(words("residual --target 500 -o") + QStringList{recipe});
        QCOMPARE(answer.code, 1);
        QVERIFY(answer.err.contains("is not met"));
        QVERIFY(answer.out.contains("Mixed precision"));
        QVERIFY(!QFile::exists(recipe));
    }

    void resume_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("json") << "scores.json";
        QTest::newRow("csv") << "scores.csv";
    }
    void resume()
    {
        QFETCH(QString, file);
        const QString path = m_folder.filePath(file);
        const QStringList arguments = words("residual --csv --resume") + QStringList{path};
        const Answer first = sensitivity(arguments);
        QVERIFY2(first.code == 0, first.err.constData());
        const QByteArray scores = contentOf(path);
        QVERIFY(scores.contains("everything quantized"));
        const Answer second = sensitivity(arguments);
        QCOMPARE(second.out, first.out);
        QCOMPARE(contentOf(path), scores);
        const Answer other =
            sensitivity(words("residual --per-tensor --csv --resume") + QStringList{path});
        QVERIFY2(other.code == 0, other.err.constData());
        QVERIFY(other.out != first.out);
        QVERIFY(contentOf(path).size() > scores.size());
    }

    void cancelKeepsWhatIsDone()
    {
        const QString path = m_folder.filePath(QStringLiteral("cancelled.json"));
        QProcess process;
        process.setReadChannel(QProcess::StandardError);
        process.start(program(),
                      words("sensitivity mobilenet_v2 --progress --resume") + QStringList{path});
        QByteArray err;
        while (!err.contains("sensitivity 9/") && process.waitForReadyRead(60000))
            err += process.readAllStandardError();
        QVERIFY2(err.contains("sensitivity 9/"), err.constData());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitCode(), 130);
        const QByteArray known = contentOf(path);
        const qsizetype before = known.count("one-on: ");
        QVERIFY(before >= 9);
        QVERIFY(before < 60);
        const Answer rest = sensitivity(words("mobilenet_v2 --csv --resume") + QStringList{path});
        QVERIFY2(rest.code == 0, rest.err.constData());
        const QByteArray all = contentOf(path);
        QVERIFY(all.count("one-on: ") > before);
        for (const QByteArray& line : known.split('\n')) {
            if (line.contains("\"key\""))
                QVERIFY(all.contains(line.left(line.lastIndexOf('}'))));
        }
    }

    void wrongUse()
    {
        QCOMPARE(sensitivity(words("residual --mode both")).code, 2);
        QCOMPARE(sensitivity(words("residual -o x.json")).code, 2);
        const Answer noLabels = sensitivity(words("residual --metric accuracy"));
        QCOMPARE(noLabels.code, 3);
        QVERIFY(noLabels.err.contains("the data have no labels"));
        const Answer labels = sensitivity(words("residual --labels x.csv"));
        QCOMPARE(labels.code, 3);
        const QString bad = m_folder.filePath(QStringLiteral("bad.json"));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        const Answer store = sensitivity(words("residual --resume") + QStringList{bad});
        QCOMPARE(store.code, 3);
        QVERIFY(store.err.contains("no scores of sensitivity"));
        QCOMPARE(contentOf(bad), QByteArray("{}"));
    }
};

QTEST_GUILESS_MAIN(TestCliSensitivity)
#include "tst_cli_sensitivity.moc"

// What the program says of ops that stay float, of two quantizers side by side, and of programs that are quantized already.
#include "core/data/Npz.h"
#include "tests/support/RunPt2e.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using pt2e::test::Answer;
using pt2e::test::runPt2e;

namespace {

QString dataFile(const QString& name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + u'/' + name;
}

QString form(const char* name)
{
    return dataFile(QStringLiteral("pt2/other-forms/") + QString::fromUtf8(name));
}

QJsonArray rowsOf(const Answer& answer)
{
    return QJsonDocument::fromJson(answer.out).object()[QStringLiteral("rows")].toArray();
}

Answer unannotated(const QStringList& more)
{
    return runPt2e(QStringList{QStringLiteral("tables"), QStringLiteral("cat_pool"),
                               QStringLiteral("--table"), QStringLiteral("unannotated")}
                   + more);
}

} // namespace

class TestCliReasons : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void reasonsAreData()
    {
        const QJsonArray rows = rowsOf(unannotated({QStringLiteral("--json")}));
        QCOMPARE(rows.size(), 2);
        const QJsonObject pool = rows[1].toObject();
        QCOMPARE(pool[QStringLiteral("name")].toString(), QStringLiteral("max_pool2d"));
        QCOMPARE(pool[QStringLiteral("reason key")].toString(),
                 QStringLiteral("follows-unannotated"));
        QCOMPARE(pool[QStringLiteral("root")].toString(), QStringLiteral("cat"));
    }

    void twoQuantizersSideBySide()
    {
        const Answer answer = unannotated(
            {QStringLiteral("--against"), QStringLiteral("executorch"), QStringLiteral("--json")});
        QCOMPARE(answer.code, 0);
        const QJsonArray rows = rowsOf(answer);
        QCOMPARE(rows.size(), 2);
        const QJsonObject cat = rows[0].toObject();
        QCOMPARE(cat[QStringLiteral("torchao key")].toString(),
                 QStringLiteral("cat-without-source"));
        QCOMPARE(cat[QStringLiteral("torchao root")].toString(), QStringLiteral("cat"));
        QCOMPARE(cat[QStringLiteral("executorch")].toString(), QStringLiteral("quantized: cat"));
        QCOMPARE(cat[QStringLiteral("executorch root")].toString(), QStringLiteral("-"));
        const Answer wrong = runPt2e({QStringLiteral("tables"), QStringLiteral("cat_pool"),
                                      QStringLiteral("--table"), QStringLiteral("sharing"),
                                      QStringLiteral("--against"), QStringLiteral("executorch")});
        QCOMPARE(wrong.code, 2);
    }

    /// The other quantizer gets the recipe's own settings; a recipe as the other side its own.
    void listsOfARecipeCount()
    {
        const QString lists = write("lists.json", R"({"format": "pt2e.recipe", "version": 1,
            "quantizer": {"flavor": "torchao", "module_type": [["torch.nn.Conv2d", null]]}})");
        const QString recipe = QStringLiteral("--recipe"), against = QStringLiteral("--against"),
                      json = QStringLiteral("--json"), executorch = QStringLiteral("executorch");
        for (const QStringList& more :
             {QStringList{recipe, lists, against, executorch}, QStringList{against, lists}}) {
            const Answer answer = unannotated(more + QStringList{json});
            QVERIFY2(answer.code == 0, answer.err.constData());
            int left = 0;
            const QString there = more.last() == lists ? lists : executorch;
            for (const QJsonValue& row : rowsOf(answer)) {
                const QJsonObject cells = row.toObject();
                if (cells[QStringLiteral("op")].toString() == QLatin1String("conv2d")) {
                    QVERIFY2(cells[there].toString().contains(
                                 QStringLiteral("which has a setting of its own")),
                             qPrintable(cells[there].toString()));
                    ++left;
                }
            }
            QVERIFY(left > 0);
        }
        const Answer missing = unannotated({against, QStringLiteral("nowhere.json")});
        QCOMPARE(missing.code, 3);
    }

    void coverageOfNothing()
    {
        const Answer answer = runPt2e({QStringLiteral("tables"),
                                       dataFile(QStringLiteral("why-not/source_partitions.pt2")),
                                       QStringLiteral("--table"), QStringLiteral("coverage")});
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.out.contains("0 % (none!)"), answer.out.constData());
        QVERIFY2(answer.err.contains("none of 4 ops is quantized"), answer.err.constData());
    }

    void quantizedPrograms()
    {
        const QString file = form("torchao-int8.pt2");
        const Answer info = runPt2e({QStringLiteral("info"), file});
        QVERIFY2(info.out.contains("form        converted program (int8, 6 q / 9 dq)"),
                 info.out.constData());
        const Answer json =
            runPt2e({QStringLiteral("info"), form("qat-fake.pt2"), QStringLiteral("--json")});
        QCOMPARE(QJsonDocument::fromJson(json.out)
                     .object()[QStringLiteral("form")]
                     .toObject()[QStringLiteral("kind")]
                     .toString(),
                 QStringLiteral("fake_quantized"));
        const Answer tables = runPt2e({QStringLiteral("tables"), form("x86-uint8.pt2")});
        QCOMPARE(tables.code, 0);
        QVERIFY2(tables.out.startsWith("converted program (uint8, int8, 2 q / 4 dq)\n"),
                 tables.out.constData());
        QVERIFY2(tables.out.contains("quantize_per_tensor"), tables.out.constData());
        QVERIFY2(tables.out.contains("(n=4)"), tables.out.constData());
        const Answer fake = runPt2e({QStringLiteral("tables"), form("eager-fake.pt2")});
        QVERIFY2(fake.out.contains("-128..127"), fake.out.constData());
        for (const QStringList& arguments :
             {QStringList{QStringLiteral("tables"), file, QStringLiteral("--table"),
                          QStringLiteral("observers")},
              QStringList{QStringLiteral("print"), file, QStringLiteral("--stage"),
                          QStringLiteral("converted")},
              QStringList{QStringLiteral("quantize"), file, QStringLiteral("-o"),
                          m_folder.filePath(QStringLiteral("no.pt2"))}}) {
            const Answer refused = runPt2e(arguments);
            QCOMPARE(refused.code, 3);
            QVERIFY2(refused.err.contains("nothing left to quantize"), refused.err.constData());
        }
        const QString figure = m_folder.filePath(QStringLiteral("figure.svg"));
        QCOMPARE(runPt2e({QStringLiteral("draw"), file, QStringLiteral("-o"), figure}).code, 0);
        QVERIFY(QFileInfo::exists(figure));
    }

    void quantizedProgramsRun()
    {
        const QString out = m_folder.filePath(QStringLiteral("out.npz"));
        for (const char* name : {"torchao-int8", "x86-uint8", "qat-fake", "half"}) {
            const QString base = form(name);
            const Answer ran = runPt2e({QStringLiteral("run"), base + QStringLiteral(".pt2"),
                                        QStringLiteral("--threads"), QStringLiteral("1"),
                                        QStringLiteral("-o"), out});
            QVERIFY2(ran.code == 0, ran.err.constData());
            const Answer same = runPt2e({QStringLiteral("diff"), out, base + QStringLiteral(".npz"),
                                         QStringLiteral("--tolerance"), QStringLiteral("1e-6")});
            QVERIFY2(same.code == 0, (same.out + same.err).constData());
        }
    }

    void diffOfRuns()
    {
        const Answer other =
            runPt2e({QStringLiteral("diff"), form("torchao-int8.npz"), form("x86-uint8.npz")});
        QCOMPARE(other.code, 1);
        QVERIFY2(other.out.contains("run\tb0_o0\t"), other.out.constData());
        const Answer shapes =
            runPt2e({QStringLiteral("diff"), form("torchao-int8.npz"), form("eager-fake.npz")});
        QCOMPARE(shapes.code, 1);
        QVERIFY2(shapes.out.contains("run\tb0_o0\tshape\t"), shapes.out.constData());
    }

private:
    QString write(const char* name, const QByteArray& text)
    {
        QFile file(m_folder.filePath(QString::fromUtf8(name)));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        return file.fileName();
    }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliReasons)
#include "tst_cli_reasons.moc"

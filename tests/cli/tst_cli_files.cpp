// pt2e quantize and pt2e diff: what is written, what reads back, what differs.
#include "core/data/Npz.h"
#include "tests/support/RunPt2e.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <sys/stat.h>

using pt2e::test::Answer;
using pt2e::test::runPt2e;

namespace {

QString dataFile(const char* name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + u'/' + QString::fromUtf8(name);
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Digits of reals cut away: scales are compared elsewhere, in the regime of the machine.
QByteArray withoutReals(const QByteArray& text)
{
    QString shorter = QString::fromUtf8(text);
    shorter.replace(QRegularExpression(QStringLiteral("\\d+\\.\\d+(e-?\\d+)?")),
                    QStringLiteral("#"));
    return shorter.toUtf8();
}

} // namespace

class TestCliFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    /// The graph is that of Python's own export, save and load of its converted module.
    void quantizeWritesWhatPythonWould()
    {
        const QString written = m_folder.filePath(QStringLiteral("out.pt2"));
        const QStringList quantize = {QStringLiteral("quantize"),
                                      dataFile("cases/notebook_residual/model.pt2"),
                                      QStringLiteral("--calibration"),
                                      dataFile("cases/notebook_residual/calib.npz"),
                                      QStringLiteral("--threads"),
                                      QStringLiteral("1"),
                                      QStringLiteral("-o"),
                                      written};
        const Answer answer = runPt2e(quantize);
        QVERIFY2(answer.code == 0, answer.err.constData());
        const QByteArray bytes = contentOf(written);
        QVERIFY(!bytes.isEmpty());
        QVERIFY(bytes.contains("quantization_annotation"));
        QCOMPARE(runPt2e(quantize).code, 0);
        QVERIFY2(contentOf(written) == bytes, "the same input gave other bytes");

        const Answer printed = runPt2e({QStringLiteral("print"), written, QStringLiteral("--stage"),
                                        QStringLiteral("exported")});
        QCOMPARE(printed.code, 0);
        QCOMPARE(withoutReals(printed.out),
                 withoutReals(contentOf(dataFile("cli/notebook_residual-converted.txt"))));
        QCOMPARE(runPt2e({QStringLiteral("diff"), written, written}).code, 0);
    }

    /// The written program computes what Python's converted module does.
    void writtenProgramRuns()
    {
        const QString written = m_folder.filePath(QStringLiteral("out.pt2"));
        const QString outputs = m_folder.filePath(QStringLiteral("out.npz"));
        const Answer run =
            runPt2e({QStringLiteral("run"), written, QStringLiteral("--threads"),
                     QStringLiteral("1"), QStringLiteral("--inputs"),
                     dataFile("cases/notebook_residual/eval.npz"), QStringLiteral("-o"), outputs});
        QVERIFY2(run.code == 0, run.err.constData());
        const auto recorded =
            pt2e::readArrays(dataFile("cases/notebook_residual/eval_out.npz").toStdString());
        QVERIFY(recorded);
        pt2e::NamedTensors wanted;
        for (const auto& [name, tensor] : *recorded) {
            if (name.starts_with("torchao_b"))
                wanted.emplace_back(name.substr(std::string_view("torchao_").size()), tensor);
        }
        QCOMPARE(wanted.size(), std::size_t(2));
        const QString expected = m_folder.filePath(QStringLiteral("expected.npz"));
        QVERIFY(pt2e::writeNpz(expected.toStdString(), wanted));
        const Answer same = runPt2e({QStringLiteral("diff"), outputs, expected,
                                     QStringLiteral("--tolerance"), QStringLiteral("1e-5")});
        QVERIFY2(same.code == 0, (same.out + same.err).constData());
    }

    void annotationsOnlyLeavesTheModel()
    {
        const QString model = dataFile("cases/notebook_residual/model.pt2");
        const QString written = m_folder.filePath(QStringLiteral("annotated.pt2"));
        QCOMPARE(runPt2e({QStringLiteral("quantize"), model, QStringLiteral("--annotations-only"),
                          QStringLiteral("-o"), written})
                     .code,
                 0);
        QVERIFY(contentOf(written).contains("quantization_annotation"));
        const Answer same = runPt2e({QStringLiteral("diff"), model, written});
        QVERIFY2(same.code == 0, (same.out + same.err).constData());
    }

    void aFailureLeavesNoFile()
    {
        const QString written = m_folder.filePath(QStringLiteral("none.pt2"));
        const Answer answer = runPt2e({QStringLiteral("quantize"), dataFile("cases/gru/model.pt2"),
                                       QStringLiteral("-o"), written});
        QCOMPARE(answer.code, 3);
        QVERIFY(answer.err.contains("annotate"));
        QVERIFY(!QFile::exists(written));
    }

    void anOutputThatIsALinkOrAPipe()
    {
        const QStringList dump = {QStringLiteral("dump"), QStringLiteral("residual"),
                                  QStringLiteral("--stage"), QStringLiteral("exported"),
                                  QStringLiteral("-o")};
        const QString target = m_folder.filePath(QStringLiteral("target.json"));
        const QString link = m_folder.filePath(QStringLiteral("link.json"));
        QVERIFY(QFile(target).open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(QStringLiteral("target.json"), link));
        QCOMPARE(runPt2e(dump + QStringList{link}).code, 0);
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(contentOf(target).contains("pt2e.stages"));

        // As /dev/null would be: what is no file is written to and stays what it is.
        const QString pipe = m_folder.filePath(QStringLiteral("pipe"));
        QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const QString got = m_folder.filePath(QStringLiteral("got"));
        QProcess reader;
        reader.setStandardOutputFile(got);
        reader.start(QStringLiteral("cat"), {pipe});
        QVERIFY(reader.waitForStarted());
        QCOMPARE(runPt2e(dump + QStringList{pipe}).code, 0);
        QVERIFY(reader.waitForFinished());
        QCOMPARE(contentOf(got), contentOf(target));
        struct stat info = {};
        QCOMPARE(stat(QFile::encodeName(pipe).constData(), &info), 0);
        QVERIFY(S_ISFIFO(info.st_mode));
        // And a folder is said to be one.
        const Answer folder = runPt2e(dump + QStringList{m_folder.path()});
        QCOMPARE(folder.code, 3);
        QVERIFY2(folder.err.contains("is a folder"), folder.err.constData());
    }

    void diffOfModels()
    {
        const QString a = sample(QStringLiteral("0"));
        const Answer other = runPt2e({QStringLiteral("diff"), a, sample(QStringLiteral("1"))});
        QCOMPARE(other.code, 1);
        QVERIFY2(other.out.contains("tensors\tconv.weight\tsha256\t"), other.out.constData());
        QVERIFY(!other.out.contains("graph\t"));
        const Answer converted =
            runPt2e({QStringLiteral("diff"), a, m_folder.filePath(QStringLiteral("out.pt2"))});
        QCOMPARE(converted.code, 1);
        QVERIFY(converted.out.contains("graph\tbatch_norm\tpresent\ttrue\t<missing>\n"));
    }

    void diffOfDumps()
    {
        const QString a = dump(QStringLiteral("0"));
        const QString b = dump(QStringLiteral("1"));
        QCOMPARE(runPt2e({QStringLiteral("diff"), a, a}).code, 0);
        const Answer different = runPt2e({QStringLiteral("diff"), a, b});
        QCOMPARE(different.code, 1);
        QVERIFY2(different.out.contains("observers\tactivation_post_process_0\tscale\t"),
                 different.out.constData());
        const QString early = m_folder.filePath(QStringLiteral("early.json"));
        QCOMPARE(runPt2e({QStringLiteral("dump"), QStringLiteral("stem"), QStringLiteral("--stage"),
                          QStringLiteral("exported"), QStringLiteral("-o"), early})
                     .code,
                 0);
        // Either way round.
        QCOMPARE(runPt2e({QStringLiteral("diff"), a, early}).code, 1);
        QCOMPARE(runPt2e({QStringLiteral("diff"), early, a}).code, 1);
    }

    void diffOfWrongThings()
    {
        const QString a = dump(QStringLiteral("0"));
        QCOMPARE(runPt2e({QStringLiteral("diff"), a, QStringLiteral("stem")}).code, 2);
        QCOMPARE(runPt2e({QStringLiteral("diff"), a, dataFile("nowhere.json")}).code, 3);
        const QString broken = m_folder.filePath(QStringLiteral("broken.json"));
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": ");
        file.close();
        const Answer answer = runPt2e({QStringLiteral("diff"), a, broken});
        QCOMPARE(answer.code, 3);
        QVERIFY(answer.err.contains("broken.json: no JSON at byte"));
    }

private:
    QString sample(const QString& seed)
    {
        const QString path = m_folder.filePath(QStringLiteral("stem%1.pt2").arg(seed));
        runPt2e({QStringLiteral("sample"), QStringLiteral("stem"), QStringLiteral("--seed"), seed,
                 QStringLiteral("-o"), path});
        return path;
    }
    QString dump(const QString& seed)
    {
        const QString path = m_folder.filePath(QStringLiteral("stem%1.json").arg(seed));
        runPt2e({QStringLiteral("dump"), QStringLiteral("stem"), QStringLiteral("--seed"), seed,
                 QStringLiteral("-o"), path});
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliFiles)
#include "tst_cli_files.moc"

// Damaged and hostile files: each read in a child with 1 GiB of memory and 10 seconds; each ends with exit code
// 0 or 3 and a message that says where and what, never with a signal.
#include "tests/pt2/ChildReader.h"
#include "tests/pt2/HostileFiles.h"
#include "tests/pt2/ZipBuilder.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <random>

namespace {

const QStringList kSamples{QStringLiteral("torch-2.14.1/mobile_core_aten.pt2"),
                           QStringLiteral("torch-2.14.1/cond.pt2"),
                           QStringLiteral("torch-2.14.1/while_loop.pt2"),
                           QStringLiteral("torch-2.14.1/scalars.pt2"),
                           QStringLiteral("torch-2.14.1/item_unbacked.pt2"),
                           QStringLiteral("torch-2.14.1/two_models.pt2"),
                           QStringLiteral("torch-2.6.0/transformer_tied.pt2"),
                           QStringLiteral("torch-2.6.0/dtypes.pt2"),
                           QStringLiteral("torch-2.6.0/nested_inputs.pt2"),
                           QStringLiteral("hand-made/hand_28.pt2")};

void flipBits(QByteArray& bytes, std::mt19937& random)
{
    if (bytes.isEmpty())
        return;
    const unsigned flips = 1 + random() % 8;
    for (unsigned i = 0; i < flips; ++i) {
        const qsizetype at = qsizetype(random() % std::size_t(bytes.size()));
        bytes[at] = char(bytes[at] ^ char(1u << (random() % 8)));
    }
}

/// Damages the content of one record (of an inner zip's record, if it is one) and puts all together again with
/// right checksums, so that what lies behind the checksum is reached.
QByteArray damagedInside(const QByteArray& zip, std::mt19937& random)
{
    QList<ZipPart> parts = zipParts(zip);
    QList<qsizetype> candidates;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const QByteArray& name = parts[i].name;
        if (name.endsWith(".json") || name.endsWith(".pt") || name.endsWith(".pkl"))
            candidates << i;
    }
    if (candidates.isEmpty())
        return zip;
    QByteArray& data = parts[candidates[qsizetype(random() % std::size_t(candidates.size()))]].data;
    if (data.startsWith("PK\3\4"))
        data = damagedInside(data, random);
    else
        flipBits(data, random);
    return buildZip(parts);
}

} // namespace

class TestHostile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(zipParts(sample(QStringLiteral("hand-made/hand_new_ex.pt2"))).size() > 8);
    }

    void truncated_data()
    {
        QTest::addColumn<QString>("name");
        QCOMPARE(kSamples.size(), 10);
        for (const QString& name : kSamples)
            QTest::newRow(qPrintable(name)) << name;
    }
    void truncated()
    {
        QFETCH(QString, name);
        const QByteArray whole = sample(name);
        QVERIFY(whole.size() > 1000);
        QCOMPARE(readInChild(whole).exitCode, 0);
        for (qsizetype length = 0; length < whole.size(); length += 64) {
            const ChildResult result = readInChild(whole.first(length));
            QVERIFY2(result.problem().isEmpty(),
                     qPrintable(QStringLiteral("%1 bytes: %2").arg(length).arg(result.problem())));
            QCOMPARE(result.exitCode, 3);
        }
    }

    void bitFlips_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("inside");
        for (const QString& name : kSamples) {
            QTest::newRow(qPrintable(name)) << name << false;
            QTest::newRow(qPrintable(name + QStringLiteral(", checksums mended"))) << name << true;
        }
    }
    void bitFlips()
    {
        QFETCH(QString, name);
        QFETCH(bool, inside);
        const QByteArray whole = sample(name);
        const unsigned first = 100u * unsigned(kSamples.indexOf(name));
        int refused = 0;
        for (unsigned seed = first; seed < first + 100; ++seed) {
            std::mt19937 random(seed);
            QByteArray damaged = whole;
            if (inside)
                damaged = damagedInside(whole, random);
            else
                flipBits(damaged, random);
            const ChildResult result = readInChild(damaged);
            QVERIFY2(result.problem().isEmpty(),
                     qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(result.problem())));
            refused += result.exitCode == 3 ? 1 : 0;
        }
        QVERIFY(refused > 0);
    }

    void handMade_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        for (const HostileFile& file : handMadeFiles())
            QTest::newRow(file.name) << file.bytes << file.expected;
    }
    void handMade()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        QVERIFY(!bytes.isEmpty());
        const ChildResult result = readInChild(bytes);
        QVERIFY2(result.problem().isEmpty(), qPrintable(result.problem()));
        if (expected.isEmpty()) {
            QVERIFY2(result.exitCode == 0, qPrintable(result.message));
        } else {
            QCOMPARE(result.exitCode, 3);
            QVERIFY2(result.message.contains(expected), qPrintable(result.message));
            QVERIFY(result.message.startsWith(QStringLiteral("file.pt2: ")));
        }
    }

    /// Every key of the program taken away, one after the other.
    void missingKeys()
    {
        const QByteArray name = "models/model.json";
        QByteArray json;
        for (const ZipPart& part : zipParts(sample(QStringLiteral("hand-made/hand_new_ex.pt2")))) {
            if (part.name.endsWith(name))
                json = part.data;
        }
        int keys = 0;
        for (qsizetype at = json.indexOf("\": "); at >= 0; at = json.indexOf("\": ", at + 1)) {
            QByteArray changed = json;
            changed[at - 1] = changed[at - 1] == '~' ? '#' : '~'; // another name instead
            const ChildResult result = readInChild(withWholeJson(changed));
            QVERIFY2(result.problem().isEmpty(),
                     qPrintable(QString::fromUtf8(json.mid(at - 20, 30)) + result.problem()));
            ++keys;
        }
        QVERIFY(keys > 100);
    }

    /// The real program: 200 runs.
    void program()
    {
        const QString pt2e = qEnvironmentVariable("PT2E_BIN_DIR") + QStringLiteral("/pt2e");
        QVERIFY(QFile::exists(pt2e));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("damaged.pt2"));
        int refused = 0;
        for (unsigned run = 0; run < 200; ++run) {
            std::mt19937 random(5000 + run);
            QByteArray bytes = sample(kSamples[qsizetype(run % 10)]);
            if (run % 4 == 0)
                bytes.truncate(qsizetype(random() % std::size_t(bytes.size())));
            else if (run % 4 == 1)
                bytes = damagedInside(bytes, random);
            else if (run % 4 == 2)
                flipBits(bytes, random);
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
            file.close();
            QProcess process;
            QStringList arguments{QStringLiteral("info"), path};
            if (run % 10 == 5) // holds two programs
                arguments << QStringLiteral("--model") << QStringLiteral("dec");
            if (run % 3 == 0)
                arguments << QStringLiteral("--json");
            process.start(pt2e, arguments);
            QVERIFY2(process.waitForFinished(60000), qPrintable(process.errorString()));
            const QByteArray errors = process.readAllStandardError();
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            const int code = process.exitCode();
            QVERIFY2(code == 0 || code == 3, errors.constData());
            QVERIFY(code == 0 ? !process.readAllStandardOutput().isEmpty()
                              : errors.contains("damaged.pt2"));
            refused += code == 3 ? 1 : 0;
        }
        QVERIFY(refused > 50 && refused < 200);
    }

    void infoNeedsNoTorch()
    {
        const QString pt2e = qEnvironmentVariable("PT2E_BIN_DIR") + QStringLiteral("/pt2e");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LD_DEBUG"), QStringLiteral("libs"));
        process.setProcessEnvironment(environment);
        process.start(
            pt2e, {QStringLiteral("info"), qEnvironmentVariable("PT2E_TEST_DATA")
                                               + QStringLiteral("/pt2/torch-2.14.1/mobile.pt2")});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const QByteArray loads = process.readAllStandardError();
        QVERIFY(loads.contains("libz.so")); // the loader does tell
        QVERIFY(!loads.contains("libtorch") && !loads.contains("libpt2e_torch"));
    }
};

QTEST_GUILESS_MAIN(TestHostile)
#include "tst_pt2_hostile.moc"

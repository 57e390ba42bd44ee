// What fuzzing found worth keeping, through the same function that libFuzzer calls: it must come back.
#include <QDir>
#include <QFile>
#include <QtTest/QtTest>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

class TestFuzzCorpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFileComesBack()
    {
        const QDir folder(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/fuzz/")
                          + QStringLiteral(PT2E_FUZZ_CORPUS));
        const QStringList files = folder.entryList(QDir::Files);
        QVERIFY2(files.size() >= 10, qPrintable(folder.path()));
        for (const QString& name : files) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray bytes = file.readAll();
            // Ends in an abort where something is wrong.
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                                   static_cast<std::size_t>(bytes.size()));
        }
    }
};

QTEST_GUILESS_MAIN(TestFuzzCorpus)
#include "FuzzCorpus.moc"

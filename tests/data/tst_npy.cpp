// NumPy's files: what NumPy wrote is read, what we write is what NumPy writes, what is damaged or hostile is refused.
#include "core/data/Npy.h"
#include "core/data/Npz.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <random>

using namespace pt2e;

namespace {

QString arrayPath(const QString& name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + "/arrays/" + name;
}

QByteArray fileBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::span<const std::byte> bytesOf(const QByteArray& bytes)
{
    return std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size())));
}

Result<Tensor> read(const QByteArray& bytes) { return readNpy(bytesOf(bytes)); }

/// A .npy file with the given header text, version 1.
QByteArray npy(const QByteArray& header, const QByteArray& data)
{
    QByteArray file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    return file + header + data;
}

QStringList arrayFiles(const QString& pattern)
{
    return QDir(arrayPath("")).entryList({pattern}, QDir::Files);
}

std::vector<double> ramp()
{
    std::vector<double> values;
    for (int i = 0; i < 24; ++i)
        values.push_back(i);
    return values;
}

} // namespace

class TestNpy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numpysOwnFiles_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList files = arrayFiles("plain_*.npy");
        QCOMPARE(files.size(), 17);
        for (const QString& name : files)
            QTest::newRow(qPrintable(name)) << name;
    }
    void numpysOwnFiles()
    {
        QFETCH(QString, name);
        const QByteArray file = fileBytes(arrayPath(name));
        const auto tensor = read(file);
        QVERIFY2(tensor, tensor ? "" : tensor.error().message().c_str());
        QVERIFY(tensor->isContiguous());
        const auto written = writeNpy(*tensor);
        QVERIFY(written);
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(written->data()),
                            static_cast<qsizetype>(written->size())),
                 file);
    }

    void valuesAreRight()
    {
        for (const char* type :
             {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"}) {
            const auto tensor = read(fileBytes(arrayPath(QString("plain_%1.npy").arg(type))));
            QVERIFY2(tensor, type);
            QCOMPARE(tensor->shape(), (std::vector<std::int64_t>{2, 3, 4}));
            QCOMPARE(*tensor->toDoubles(), ramp());
        }
        const auto flags = read(fileBytes(arrayPath("plain_b1.npy")));
        QCOMPARE(flags->dtype(), DType::Bool);
        QCOMPARE((*flags->toDoubles())[3], 1.0);
        QCOMPARE((*flags->toDoubles())[4], 0.0);
        QCOMPARE(*read(fileBytes(arrayPath("plain_scalar.npy")))->toDoubles(),
                 std::vector<double>{2.5});
        QCOMPARE(read(fileBytes(arrayPath("plain_empty.npy")))->shape(),
                 (std::vector<std::int64_t>{3, 0, 2}));
    }

    void otherOrdersAndVersions()
    {
        for (const char* name :
             {"odd_big_f4", "odd_big_i2", "odd_fortran", "odd_version2", "odd_version3"}) {
            const auto tensor = read(fileBytes(arrayPath(QString("%1.npy").arg(name))));
            QVERIFY2(tensor, name);
            QVERIFY2(tensor->isContiguous(), name);
            QCOMPARE(*tensor->toDoubles(), ramp());
        }
        // Each half of a complex number is swapped for itself.
        const auto big = read(fileBytes(arrayPath("odd_big_c8.npy")));
        const auto little = read(fileBytes(arrayPath("plain_c8.npy")));
        QVERIFY(big && little);
        QCOMPARE(*sha256(*big), *sha256(*little));
    }

    void typesThatNumpyLacksAreWidened()
    {
        const std::uint16_t halves[] = {0x3f80, 0xc040}; // bfloat16 1 and -3
        const Tensor tensor = Tensor::fromValues<std::uint16_t>(DType::BFloat16, {2}, halves);
        const auto written = writeNpy(tensor);
        QVERIFY(written);
        const auto back = readNpy(*written);
        QVERIFY(back);
        QCOMPARE(back->dtype(), DType::Float32);
        QCOMPARE(*back->toDoubles(), (std::vector<double>{1, -3}));
    }

    void badArraysAreRefused_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("part");
        const QByteArray four(4, '\0');
        const QByteArray type = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
        const auto row = [&](const char* name, const QByteArray& file, const QString& part) {
            QTest::newRow(name) << file << part;
        };
        for (const QString& name : arrayFiles("bad_*.npy"))
            row(qPrintable(name), fileBytes(arrayPath(name)), ".npy header: ");
        row("nothing", {}, "not a .npy array");
        row("magic", "\x93NUMPX\x01", "not a .npy array");
        row("only magic", QByteArray("\x93NUMPY\x01\x00", 8), "cut off");
        row("version", QByteArray("\x93NUMPY\x09\x00\x04\x00{}  ", 14), "version 9");
        row("header longer than file", npy(QByteArray(60, ' '), {}).left(40), "cut off");
        row("giant header", QByteArray("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + four,
            "4294967295 bytes");
        row("too few bytes", npy(type + "(2,)}", four), "4 bytes of data, its header promises 8");
        row("too many bytes", npy(type + "(1,)}", four + four),
            "8 bytes of data, its header promises 4");
        row("overflow", npy(type + "(4611686018427387904, 4)}", four), "more than 2^63");
        row("overflow of bytes", npy(type + "(4611686018427387904,)}", four), "more than 2^63");
        row("overflow beside zero",
            npy(type + "(9223372036854775807, 9223372036854775807, 0)}", {}), "more than 2^63");
        row("number out of range", npy(type + "(99999999999999999999,)}", four), "size");
        row("negative", npy(type + "(-1,)}", four), "size");
        row("no tuple", npy(type + "[1]}", four), "not a tuple");
        row("expression", npy(type + "(1+0,)}", four), "',' or ')'");
        row("call", npy(type + "exit()}", four), "not a tuple");
        row("no comma", npy("{'descr': '<f4' 'shape': (1,)}", four), "',' or '}'");
        row("open", npy(type + "(1,)", four), "',' or '}'");
        row("open text", npy("{'descr: ", four), "does not end");
        row("text behind", npy(type + "(1,)} + x", four), "text after");
        row("missing key", npy("{'descr': '<f4', 'shape': (1,)}", four), "are needed");
        row("twice", npy(type + "(1,), 'shape': (1,)}", four), "stands twice");
        row("unknown key", npy(type + "(1,), 'x': 1}", four), "unknown key 'x'");
        row("order", npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", four),
            "neither True nor False");
        row("type", npy("{'descr': '<f3', 'fortran_order': False, 'shape': (1,)}", four),
            "unsupported type");
        row("empty type", npy("{'descr': '', 'fortran_order': False, 'shape': (1,)}", four),
            "unsupported type");
        row("bool", npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1,)}", "\x02"),
            "neither 0 nor 1");
        QByteArray deep = type + "(";
        for (int i = 0; i < 65; ++i)
            deep += "1,";
        row("rank", npy(deep + ")}", four), "64 dimensions");
    }
    void badArraysAreRefused()
    {
        QFETCH(QByteArray, file);
        QFETCH(QString, part);
        const auto tensor = read(file);
        QVERIFY(!tensor);
        const QString message = QString::fromStdString(tensor.error().message());
        QVERIFY2(message.contains(part), qPrintable(message));
        QCOMPARE(tensor.error().code, ErrorCode::BadInput);
    }

    void everyCutIsRefused()
    {
        const QByteArray file = fileBytes(arrayPath("plain_f4.npy"));
        for (qsizetype length = 0; length < file.size(); ++length)
            QVERIFY(!read(file.left(length)));
    }

    void flippedBitsNeverCrash()
    {
        const QByteArray whole = fileBytes(arrayPath("deflated.npz"));
        const QByteArray array = fileBytes(arrayPath("odd_fortran.npy"));
        QTemporaryDir folder;
        std::mt19937 random(1);
        int refused = 0;
        for (int round = 0; round < 2000; ++round) {
            QByteArray damaged = round % 4 == 0 ? whole : array;
            for (int flip = 0; flip < 3; ++flip) {
                const auto at =
                    static_cast<qsizetype>(random() % static_cast<unsigned>(damaged.size()));
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
            }
            if (round % 4 == 0) {
                QFile file(folder.filePath("damaged.npz"));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(damaged);
                file.close();
                refused += readArrays(file.fileName().toStdString()) ? 0 : 1;
            } else {
                refused += read(damaged) ? 0 : 1;
            }
        }
        QVERIFY(refused > 500);
    }

    void archives()
    {
        for (const char* name : {"batches.npz", "deflated.npz"}) {
            const auto arrays = readArrays(arrayPath(name).toStdString());
            QVERIFY2(arrays, arrays ? "" : arrays.error().message().c_str());
            QCOMPARE(arrays->size(), std::size_t(24));
            QCOMPARE((*arrays)[3].first, std::string("b1_i1"));
            QCOMPARE(*(*arrays)[3].second.toDoubles(),
                     (std::vector<double>{11, 12, 13, 14, 15, 16}));
        }
        QVERIFY(readArrays(arrayPath("none.npz").toStdString())->empty());
        const auto one = readArrays(arrayPath("plain_f4.npy").toStdString());
        QCOMPARE(one->size(), std::size_t(1));
        QCOMPARE(one->front().first, std::string());
    }

    void archivesComeBack()
    {
        const auto arrays = readArrays(arrayPath("batches.npz").toStdString());
        QVERIFY(arrays);
        QTemporaryDir folder;
        const std::string path = folder.filePath("again.npz").toStdString();
        QVERIFY(writeNpz(path, *arrays));
        const auto again = readArrays(path);
        QVERIFY2(again, again ? "" : again.error().message().c_str());
        QCOMPARE(again->size(), arrays->size());
        for (std::size_t i = 0; i < arrays->size(); ++i) {
            QCOMPARE((*again)[i].first, (*arrays)[i].first);
            QCOMPARE(*sha256((*again)[i].second), *sha256((*arrays)[i].second));
        }
        // The same arrays, the same bytes.
        const QByteArray first = fileBytes(QString::fromStdString(path));
        QVERIFY(writeNpz(path, *arrays));
        QCOMPARE(fileBytes(QString::fromStdString(path)), first);
        QVERIFY(writeNpz(path, {}));
        QVERIFY(readArrays(path)->empty());
    }

    void wrongFilesAreNamed()
    {
        const auto message = [](const QString& path) {
            const auto arrays = readArrays(path.toStdString());
            return arrays ? QString("read") : QString::fromStdString(arrays.error().message());
        };
        QVERIFY(message(arrayPath("")).contains("is a folder"));
        QVERIFY(message(arrayPath("make_arrays.py")).endsWith("is neither a .npz nor a .npy file"));
        QVERIFY(message("/nowhere/x.npz").startsWith("/nowhere/x.npz: "));
        const QString object = arrayPath("bad_object.npy");
        QVERIFY(message(object).startsWith(object + ": .npy header: Python objects are not read"));
        QVERIFY(!writeNpz("/nowhere/x.npz", {}));
    }
};

QTEST_GUILESS_MAIN(TestNpy)
#include "tst_npy.moc"

// Data read batch by batch: IDX, raw, pictures, folders, labels; and what is bad in them.
#include "core/data/DataSet.h"
#include "core/data/Gzip.h"
#include "core/data/Idx.h"
#include "core/data/Labels.h"
#include "core/data/Npz.h"
#include "tests/data/DataTest.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <zlib.h>

using namespace pt2e;

namespace {

const char* const kFashion = "/usr/share/datasets/fashion-mnist/";

std::string pictures(const QString& name)
{
    return (qEnvironmentVariable("PT2E_TEST_DATA") + "/pictures/" + name).toStdString();
}

/// count pictures of 2×3 bytes: 0, 1, 2, …
QByteArray idx(int count)
{
    QByteArray bytes("\0\0\x08\x03", 4);
    for (const int size : {count, 2, 3})
        bytes += QByteArray("\0\0\0", 3) + static_cast<char>(size);
    for (int i = 0; i < count * 6; ++i)
        bytes += static_cast<char>(i);
    return bytes;
}

QByteArray gzipped(const QByteArray& plain)
{
    QByteArray packed(plain.size() + 100, '\0');
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

std::vector<double> valuesOf(const Value& value) { return *value.tensor()->toDoubles(); }

} // namespace

class TestDataSets : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const QString& name, const QByteArray& bytes)
    {
        const QString path = m_folder.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(path));
        return path.toStdString();
    }
    void copyPicture(const QString& from, const QString& to)
    {
        QFile file(QString::fromStdString(pictures(from)));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no picture %s", qPrintable(from));
        write(to, file.readAll());
    }

private Q_SLOTS:
    void idxOfAllTypes()
    {
        const QByteArray shorts("\0\0\x0b\x01\0\0\0\x02\xff\xfe\x01\x00", 12);
        const auto file = readPlainFile(write("shorts.idx", shorts));
        const auto array = readIdx(*file);
        QVERIFY2(array, qPrintable(messageOf(array)));
        QCOMPARE(array->dtype(), DType::Int16);
        QCOMPARE(*array->toDoubles(), (std::vector<double>{-2, 256}));
        const QByteArray real("\0\0\x0d\x01\0\0\0\x01\x3f\xc0\0\0", 12);
        QCOMPARE(readIdx(*readPlainFile(write("real.idx", real)))->toDoubles()->front(), 1.5);
        const QByteArray wide("\0\0\x0e\x01\0\0\0\x01\x3f\xf8\0\0\0\0\0\0", 16);
        QCOMPARE(readIdx(*readPlainFile(write("wide.idx", wide)))->toDoubles()->front(), 1.5);
    }

    void idxBatches()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({2, 1, 2, 3})}});
        const std::string path = write("five.idx.gz", gzipped(idx(5)));
        const auto data = openData({path, {}}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        QCOMPARE((*data)->description(), std::string("five.idx.gz, 5 samples"));
        QCOMPARE((*data)->batchCount(), 3);
        const auto last = (*data)->read(2);
        QVERIFY2(last, qPrintable(messageOf(last)));
        // Filled up to the graph's two, of which one counts.
        QCOMPARE(last->samples, (std::vector<Whole>{4}));
        QCOMPARE(last->inputs[0].tensor()->shape(), (std::vector<Whole>{2, 1, 2, 3}));
        QCOMPARE(valuesOf(last->inputs[0])[1], double(25.0f / 255.0f));
        QCOMPARE(valuesOf(last->inputs[0])[7], double(25.0f / 255.0f));

        DataFormat format;
        format.mean = {0.5};
        format.std = {0.25};
        format.batchSize = 3;
        const GraphPtr open = graphWith({{"x", tensorMeta({SymInt("s0"), 6})}});
        const auto three = openData({path, format, 4}, *open);
        QVERIFY2(three, qPrintable(messageOf(three)));
        QCOMPARE((*three)->description(), std::string("five.idx.gz, the first 4 of 5 samples"));
        QCOMPARE((*three)->batchCount(), 2);
        QCOMPARE((*(*three)->read(1)).inputs[0].tensor()->shape(), (std::vector<Whole>{1, 6}));
        QCOMPARE(valuesOf((*(*three)->read(0)).inputs[0])[2],
                 double((2.0f / 255.0f - 0.5f) / 0.25f));
        QVERIFY((*(*three)->read(0)).hash != (*(*data)->read(0)).hash);
        QCOMPARE((*(*data)->read(1)).hash, (*(*openData({path, {}}, *graph))->read(1)).hash);

        // Bytes for an input of bytes, or of integers, stay as they are.
        const GraphPtr whole = graphWith({{"x", tensorMeta({1, 2, 3}, DType::Int64)}});
        const auto integers = openData({path, {}}, *whole);
        QVERIFY2(integers, qPrintable(messageOf(integers)));
        QCOMPARE(valuesOf((*(*integers)->read(1)).inputs[0])[0], 6.0);
    }

    void idxPicturesAreResized()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({1, 3, 4, 6})}});
        const auto data = openData({write("two.idx", idx(2)), {}}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        const auto batch = (*data)->read(0);
        QCOMPARE(batch->inputs[0].tensor()->shape(), (std::vector<Whole>{1, 3, 4, 6}));
        QCOMPARE(valuesOf(batch->inputs[0])[0], valuesOf(batch->inputs[0])[48]);
    }

    void rawFiles()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({SymInt("s0"), 1, 2, 2})}});
        const float values[] = {0, 1, 2, 3, 4, 5, 6, std::numeric_limits<float>::quiet_NaN()};
        const std::string path =
            write("floats.raw", QByteArray(reinterpret_cast<const char*>(values), sizeof values));
        DataFormat format;
        format.rawShape = {2, 2};
        const auto data = openData({path, format}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        QCOMPARE((*data)->sampleCount(), 2);
        // The sample with the NaN is left out, the other stays.
        const auto batch = (*data)->read(0);
        QVERIFY2(batch, qPrintable(messageOf(batch)));
        QCOMPARE(batch->samples, (std::vector<Whole>{0}));
        QCOMPARE(batch->inputs[0].tensor()->shape(), (std::vector<Whole>{1, 1, 2, 2}));
        QCOMPARE(valuesOf(batch->inputs[0]), (std::vector<double>{0, 1, 2, 3}));
        QCOMPARE(batch->problems.size(), std::size_t(1));
        QVERIFY(batch->problems[0].place.ends_with("floats.raw: sample 1"));
        QCOMPARE(batch->problems[0].message, std::string("has a NaN"));

        format.rawDtype = DType::UInt8;
        QCOMPARE((*openData({path, format}, *graph))->sampleCount(), 8);
        format.rawShape = {3};
        QVERIFY(
            messageOf(openData({path, format}, *graph)).contains("no whole samples of shape 3"));
        format.rawShape = {4};
        format.rawDtype = DType::Int32;
        const GraphPtr bytes = graphWith({{"x", tensorMeta({SymInt("s0"), 4}, DType::UInt8)}});
        const QString cannotHold = messageOf((*openData({path, format}, *bytes))->read(0));
        QVERIFY2(cannotHold.contains("cannot hold"), qPrintable(cannotHold));
    }

    void npyOfSamples()
    {
        const std::string folder = qEnvironmentVariable("PT2E_TEST_DATA").toStdString();
        const GraphPtr graph = graphWith({{"x", tensorMeta({SymInt("s0"), 3, 4})}});
        DataFormat format;
        format.batchSize = 2;
        const auto data = openData({folder + "/arrays/plain_f4.npy", format}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        QCOMPARE((*data)->batchCount(), 1);
        QCOMPARE((*(*data)->read(0)).samples, (std::vector<Whole>{0, 1}));
    }

    void foldersOfPictures()
    {
        copyPicture("rgb.png", "classes/boot/b.png");
        copyPicture("gray.png", "classes/boot/a.PNG");
        copyPicture("rgb.jpg", "classes/coat/c.jpg");
        copyPicture("gray.jpeg", "classes/shirt/d.jpeg");
        write("classes/shirt/notes.txt", "not a picture");
        write("classes/.hidden/e.png", "not looked at");
        QDir().mkpath(m_folder.filePath("classes/empty"));
        const std::string path = m_folder.filePath("classes").toStdString();
        const GraphPtr graph = graphWith({{"x", tensorMeta({SymInt("s0"), 3, 8, 8})}});
        const auto data = openData({path, {}}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        QCOMPARE((*data)->classNames(), (std::vector<std::string>{"boot", "coat", "shirt"}));
        QCOMPARE((*data)->labels(), (std::vector<Whole>{0, 0, 1, 2}));
        QCOMPARE((*data)->description(), std::string("pictures in classes, 4 samples"));
        const auto batch = (*data)->read(0);
        QVERIFY2(batch, qPrintable(messageOf(batch)));
        QCOMPARE(batch->inputs[0].tensor()->shape(), (std::vector<Whole>{4, 3, 8, 8}));
        const auto flat = openData({path + "/boot", {}}, *graph);
        QCOMPARE((*flat)->sampleCount(), 2);
        QVERIFY((*flat)->labels().empty());
        const auto single = openData({path + "/boot/b.png", {}}, *graph);
        QCOMPARE((*single)->sampleCount(), 1);
    }

    /// One picture of three cannot be read: the others stay, with their labels.
    void unreadablePictureIsLeftOut()
    {
        copyPicture("rgb.png", "some/a/1.png");
        write("some/a/2.png", "not a picture at all");
        copyPicture("rgb.jpg", "some/b/3.jpg");
        const GraphPtr graph = graphWith({{"x", tensorMeta({1, 3, 8, 8})}});
        const auto data = openData({m_folder.filePath("some").toStdString(), {}}, *graph);
        const auto batches = collectBatches(**data);
        QVERIFY2(batches, qPrintable(messageOf(batches)));
        QCOMPARE(batches->batches.size(), std::size_t(2));
        QCOMPARE(batches->problems.size(), std::size_t(1));
        QVERIFY(batches->problems[0].place.ends_with("some/a/2.png"));
        QCOMPARE(batches->problems[0].message, std::string("is neither a PNG nor a JPEG picture"));
        QCOMPARE((*(*data)->read(2)).samples, (std::vector<Whole>{2}));
    }

    /// Files of arrays: what is bad is named, the rest is kept.
    void badBatchesAreLeftOut()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({2, 3})}});
        const Whole six[] = {1, 2, 3, 4, 5, 6};
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float holes[] = {1, nan, 3, 4, nan, 6};
        const std::string path = m_folder.filePath("mixed.npz").toStdString();
        QVERIFY(writeNpz(path, {{"b0_i0", floats({2, 3})},
                                {"b1_i0", floats({3, 2})},
                                {"b2_i0", Tensor::fromValues<Whole>(DType::Int64, {2, 3}, six)},
                                {"b3_i0", Tensor::fromValues<float>(DType::Float32, {2, 3}, holes)},
                                {"b4_i0", floats({2, 3}, 7)}}));
        const auto data = openData({path, {}}, *graph);
        const auto batches = collectBatches(**data);
        QVERIFY2(batches, qPrintable(messageOf(batches)));
        QCOMPARE(batches->batches.size(), std::size_t(2));
        QCOMPARE(batches->hashes.size(), std::size_t(2));
        QCOMPARE(batches->hashes[0], *hashOf(Values{{floats({2, 3})}}));
        QCOMPARE(valuesOf(batches->batches[1][0])[0], 7.0);
        QCOMPARE(batches->problems.size(), std::size_t(3));
        const auto& problems = batches->problems;
        QVERIFY(problems[0].place.ends_with("mixed.npz: array 'b1_i0'"));
        QCOMPARE(problems[0].message, std::string("has shape 3×2, input 'x' needs 2×3"));
        QCOMPARE(problems[1].message, std::string("has dtype int64, input 'x' needs float32"));
        QVERIFY(problems[2].place.ends_with("mixed.npz: batch 3"));
        QCOMPARE(problems[2].message, std::string("2 of 6 values for input 'x' are NaN"));
        // What is run as it is may have them.
        QCOMPARE(collectBatches(**openData({path, {}, 0, true}, *graph))->batches.size(),
                 std::size_t(3));
        const auto withNaN = collectBatches(**openData({path, {}, 0, true}, *graph));
        QCOMPARE(withNaN->problems.back().code, std::string("nan-in-data"));
        QVERIFY(!readBatches(path, *graph));
    }

    void truncatedArchiveInAFolder()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({2, 3})}});
        QDir().mkpath(m_folder.filePath("npz"));
        const QString good = m_folder.filePath("npz/a.npz");
        QVERIFY(writeNpz(good.toStdString(), {{"b0_i0", floats({2, 3})}}));
        QFile file(good);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const std::string cut = write("npz/b.npz", bytes.left(bytes.size() - 40));
        const auto data = openData({m_folder.filePath("npz").toStdString(), {}}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        const auto batches = collectBatches(**data);
        QCOMPARE(batches->batches.size(), std::size_t(1));
        QCOMPARE(batches->problems.size(), std::size_t(1));
        QCOMPARE(batches->problems[0].place, cut);
        QVERIFY(!batches->problems[0].message.empty());
        const QString alone = messageOf(openData({cut, {}}, *graph));
        QVERIFY2(alone.contains("npz/b.npz: "), qPrintable(alone));
    }

    void badData_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const QByteArray whole = idx(2);
        QTest::newRow("cut off") << whole.left(20)
                                 << "has 4 bytes of elements where its header "
                                    "promises 12: it is cut off";
        QTest::newRow("too long") << whole + "x"
                                  << "has 13 bytes of elements";
        QTest::newRow("header") << whole.left(7) << "cut off in its header (3 axes)";
        QTest::newRow("huge") << QByteArray(
            "\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16)
                              << "more elements than a file can hold";
        QTest::newRow("compressed, cut off") << gzipped(whole).left(25) << "is cut off";
        QByteArray damaged = gzipped(whole);
        damaged[14] = static_cast<char>(~damaged[14]);
        QTest::newRow("compressed, damaged") << damaged << "damaged";
        QTest::newRow("text") << QByteArray("hello") << "not a .npz, .npy or IDX file";
        QTest::newRow("empty") << QByteArray() << "";
    }
    void badData()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        const GraphPtr graph = graphWith({{"x", tensorMeta({1, 1, 2, 3})}});
        const std::string path = write("bad.idx", bytes);
        const QString message = messageOf(openData({path, {}}, *graph));
        QVERIFY2(message.contains(part) && message.contains("bad.idx: "), qPrintable(message));
    }

    void badRequests()
    {
        const std::string path = write("ok.idx", idx(2));
        const GraphPtr two = graphWith({{"x", tensorMeta({1, 2, 3})}, {"y", tensorMeta({2})}});
        QVERIFY(messageOf(openData({path, {}}, *two)).contains("this one has 2 inputs"));
        const GraphPtr open = graphWith({{"x", tensorMeta({1, 1, SymInt("s0"), 3})}});
        QVERIFY(messageOf(openData({path, {}}, *open)).contains("size s0 is open"));
        const GraphPtr one = graphWith({{"x", tensorMeta({1, 1, 2, 3})}});
        DataFormat format;
        format.mean = {1, 2};
        QVERIFY(messageOf(openData({path, format}, *one)).contains("each of the 1 channels"));
        format.mean = {};
        format.std = {0};
        QVERIFY(messageOf(openData({path, format}, *one)).contains("larger than 0"));
        format = {};
        format.batchSize = 2;
        QVERIFY(messageOf(openData({path, format}, *one)).contains("a batch size of 2 is wanted"));
        QDir().mkpath(m_folder.filePath("nothing"));
        const QString empty =
            messageOf(openData({m_folder.filePath("nothing").toStdString(), {}}, *one));
        QVERIFY2(empty.contains("nothing: is a folder without PNG or JPEG"), qPrintable(empty));
        QVERIFY(messageOf(openData({"/no/such/file", {}}, *one)).contains("/no/such/file: "));
        // Not a picture, and of another size.
        const GraphPtr flat = graphWith({{"x", tensorMeta({1, 7})}});
        const auto data = openData({path, {}}, *flat);
        QVERIFY(messageOf(collectBatches(**data)).contains("needs 7 a sample"));
    }

    void labels()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({1, 1, 2, 3})}});
        const auto data = openData({write("three.idx", idx(3)), {}, 2}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        const std::string binary =
            write("l.idx.gz", gzipped(QByteArray("\0\0\x08\x01\0\0\0\x03\x07\x01\x02", 11)));
        QVERIFY((*data)->readLabels(binary));
        QCOMPARE((*data)->labels(), (std::vector<Whole>{7, 1, 2}));
        QVERIFY((*data)->readLabels(
            write("a.csv", "file,class\r\na.png,4\r\n\"b.png\",\"5\"\r\n\nc,6")));
        QCOMPARE((*data)->labels(), (std::vector<Whole>{4, 5, 6}));
        QVERIFY((*data)->readLabels(write("b.csv", "0\n1\n9\n")));
        QCOMPARE((*data)->labels(), (std::vector<Whole>{0, 1, 9}));
        const auto check = [&](const char* text, const QString& part) {
            const QString message = messageOf((*data)->readLabels(write("bad.csv", text)));
            QVERIFY2(message.contains(part) && message.contains("bad.csv"), qPrintable(message));
            QCOMPARE((*data)->labels(), (std::vector<Whole>{0, 1, 9}));
        };
        check("0\n1\n", "holds 2 labels, the data (three.idx, the first 2 of 3 samples) have 3");
        check("0\nx\n2\n", "line 2: its last column is no class number");
        check("0\n-1\n2\n", "line 2");
        check("title\n", "holds no labels");
        check("", "");
        const QString array = messageOf((*data)->readLabels(write("bad.csv.idx", idx(1))));
        QVERIFY2(array.contains("labels are one integer a sample"), qPrintable(array));
    }

    void fashionMnist()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({SymInt("s0"), 1, 28, 28})}});
        const std::string folder = kFashion;
        const auto data = openData({folder + "t10k-images-idx3-ubyte.gz", {}, 1000}, *graph);
        QVERIFY2(data, qPrintable(messageOf(data)));
        const auto labelled = (*data)->readLabels(folder + "t10k-labels-idx1-ubyte.gz");
        QVERIFY2(labelled, qPrintable(messageOf(labelled)));
        QCOMPARE((*data)->labels().size(), std::size_t(10000));
        QCOMPARE((*data)->labels()[0], Whole(9));
        QCOMPARE((*data)->batchCount(), 32);
        const auto last = (*data)->read(31);
        QCOMPARE(last->inputs[0].tensor()->shape(), (std::vector<Whole>{8, 1, 28, 28}));
        QCOMPARE(last->samples.back(), Whole(999));
    }

    void dataInMemory()
    {
        Batches batches;
        batches.description = "two";
        batches.batches = {{{floats({2, 3})}}, {{floats({3, 3})}}};
        const auto data = dataOf(batches);
        QCOMPARE(data->sampleCount(), Whole(5));
        QCOMPARE((*data->read(1)).samples, (std::vector<Whole>{2, 3, 4}));
    }
};

QTEST_GUILESS_MAIN(TestDataSets)
#include "tst_data_sets.moc"

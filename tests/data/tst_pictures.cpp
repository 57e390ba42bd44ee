// Pictures: what Pillow and torch make of the same files (record_pictures.py), and files that cannot be read.
#include "core/data/Npz.h"
#include "core/data/Picture.h"
#include "core/data/Samples.h"
#include "tests/data/DataTest.h"

#include <QFile>
#include <QTest>

using namespace pt2e;

namespace {

std::string pictures(const QString& name)
{
    return (qEnvironmentVariable("PT2E_TEST_DATA") + "/pictures/" + name).toStdString();
}

const Tensor& expected(const std::string& name)
{
    static const NamedTensors all = *readArrays(pictures("expected.npz"));
    for (const auto& [known, tensor] : all) {
        if (known == name)
            return tensor;
    }
    qFatal("nothing is recorded for %s", name.c_str());
}

QString differenceOf(const Picture& picture, const Tensor& wanted)
{
    const std::vector<Whole> shape{picture.height, picture.width, picture.channels};
    if (shape != wanted.shape())
        return QString("shape %1x%2x%3").arg(shape[0]).arg(shape[1]).arg(shape[2]);
    const auto values = wanted.values<std::uint8_t>();
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        if (picture.pixels[i] != (*values)[i])
            return QString("byte %1: %2 instead of %3")
                .arg(i)
                .arg(picture.pixels[i])
                .arg((*values)[i]);
    }
    return {};
}

QByteArray bytesOf(const QString& name)
{
    QFile file(QString::fromStdString(pictures(name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no picture %s", qPrintable(name));
    return file.readAll();
}

Result<Picture> decoded(const QByteArray& bytes)
{
    return readPicture(
        std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
}

} // namespace

class TestPictures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filesAreDecoded_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"rgb.png", "gray.png", "palette.png", "rgba.png", "bits.png",
                                 "rgb.jpg", "gray.jpeg", "progressive.jpg"})
            QTest::newRow(name) << QString(name);
    }
    void filesAreDecoded()
    {
        QFETCH(QString, name);
        const auto picture = readPictureFile(pictures(name));
        QVERIFY2(picture, qPrintable(messageOf(picture)));
        const QString difference = differenceOf(*picture, expected(name.toStdString()));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void resizedAsPillowDoes()
    {
        const Picture rgb = *readPictureFile(pictures("rgb.png"));
        const Picture gray = *readPictureFile(pictures("gray.png"));
        for (const auto& [width, height] :
             {std::pair(5, 4), {40, 31}, {23, 8}, {11, 17}, {1, 1}, {22, 16}}) {
            const std::string size = " " + std::to_string(width) + " " + std::to_string(height);
            QCOMPARE(differenceOf(resized(rgb, width, height), expected("rgb" + size)), QString());
            QCOMPARE(differenceOf(resized(gray, width, height), expected("gray" + size)),
                     QString());
        }
        QCOMPARE(differenceOf(withChannels(rgb, 1), expected("luma")), QString());
        QCOMPARE(withChannels(gray, 3).pixels[5], gray.pixels[1]);
        for (const auto& [side, height, width] :
             {std::tuple(12, 9, 11), {20, 20, 20}, {13, 10, 8}}) {
            const std::string name = "cut " + std::to_string(side) + " " + std::to_string(height)
                                     + " " + std::to_string(width);
            QCOMPARE(differenceOf(centerCropped(resizedShorterSide(rgb, side), width, height),
                                  expected(name)),
                     QString());
        }
    }

    /// ToTensor and Normalize, bit by bit.
    void inputsAreTorchvisions()
    {
        const SampleForm form{"x", 1, {3, 9, 11}, DType::Float32};
        DataFormat format;
        format.resize = 12;
        format.mean = {0.485, 0.456, 0.406};
        format.std = {0.229, 0.224, 0.225};
        const auto writer = SampleWriter::make(form, format);
        QVERIFY2(writer, qPrintable(messageOf(writer)));
        std::vector<std::byte> bytes(writer->byteCount());
        QVERIFY(writer->write(*readPictureFile(pictures("rgb.png")), bytes));
        const auto values = expected("input").values<float>();
        QCOMPARE(values->size_bytes(), bytes.size());
        for (std::size_t i = 0; i < values->size(); ++i) {
            float value = 0;
            std::memcpy(&value, &bytes[i * sizeof value], sizeof value);
            QVERIFY2(value == (*values)[i], qPrintable(QString("element %1").arg(i)));
        }
    }

    void unreadableFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        const QByteArray png = bytesOf("rgb.png");
        const QByteArray jpeg = bytesOf("rgb.jpg");
        QByteArray broken = png;
        broken[png.size() / 2] = static_cast<char>(~broken[png.size() / 2]);
        QTest::newRow("text") << QByteArray("hello") << "neither a PNG nor a JPEG";
        QTest::newRow("nothing") << QByteArray() << "neither a PNG nor a JPEG";
        QTest::newRow("png cut off") << png.left(png.size() / 2) << "PNG picture that can be read";
        QTest::newRow("png header only") << png.left(20) << "PNG picture that can be read";
        QTest::newRow("png damaged") << broken << "PNG picture that can be read";
        QTest::newRow("jpeg cut off") << jpeg.left(jpeg.size() / 2) << "JPEG picture that can be";
        QTest::newRow("jpeg header only") << jpeg.left(30) << "JPEG picture that can be read";
        QTest::newRow("jpeg of four inks") << bytesOf("cmyk.jpg") << "in CMYK";
    }
    void unreadableFiles()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        const QString message = messageOf(decoded(bytes));
        QVERIFY2(message.contains(part), qPrintable(message));
    }

    /// Every prefix of the files: an error or a picture, never a crash.
    void everyPrefix()
    {
        for (const char* name : {"rgba.png", "palette.png", "rgb.jpg", "progressive.jpg"}) {
            const QByteArray whole = bytesOf(name);
            for (qsizetype size = 0; size < whole.size() - 16; size += 7)
                QVERIFY2(!decoded(whole.left(size)), name);
        }
    }
};

QTEST_GUILESS_MAIN(TestPictures)
#include "tst_pictures.moc"

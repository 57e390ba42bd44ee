#include "core/tensor/Tensor.h"

#include <QtTest/QtTest>

#include <array>
#include <limits>

using namespace pt2e;

class TestTensor : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesRoundTrip();
    void hashesAreSha256();
    void viewsBecomeContiguous();
    void viewsThatDoNotFitAreRefused();
    void halfAndBFloat16Read();
    void lazyStorageLoadsOnceAndKeepsItsError();
};

void TestTensor::namesRoundTrip()
{
    for (int i = 0; i <= static_cast<int>(DType::Float8E8M0FNU); ++i) {
        const auto dtype = static_cast<DType>(i);
        QVERIFY(dtypeFromName(dtypeName(dtype)) == dtype);
        QVERIFY(elementSize(dtype) > 0);
    }
    QVERIFY(!dtypeFromName("int9"));
    QCOMPARE(shapeText({SymInt(4), SymInt(std::string("s77")), SymInt(16)}),
             std::string("4×s77×16"));
}

void TestTensor::hashesAreSha256()
{
    const auto hash = [](std::string_view text) {
        return sha256(std::as_bytes(std::span(text.data(), text.size())));
    };
    // FIPS 180-4 examples, and lengths around the padding's boundaries.
    QCOMPARE(hash(""),
             std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(hash("abc"),
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    QCOMPARE(hash(std::string(64, 'a')),
             std::string("ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"));
}

void TestTensor::viewsBecomeContiguous()
{
    const std::array<float, 6> values{0, 1, 2, 3, 4, 5};
    const Tensor matrix = Tensor::fromValues<float>(DType::Float32, {2, 3}, values);
    QVERIFY(matrix.isContiguous());
    const Tensor transposed(matrix.storage(), DType::Float32, {3, 2}, {1, 3});
    QVERIFY(!transposed.isContiguous());
    const Tensor copy = transposed.contiguous().value();
    const std::vector<double> expected{0, 3, 1, 4, 2, 5};
    QCOMPARE(copy.toDoubles().value(), expected);
    QCOMPARE(transposed.toDoubles().value(), expected);
    QVERIFY(!transposed.bytes());
    const Tensor column(matrix.storage(), DType::Float32, {2}, {3}, 1);
    QCOMPARE(column.toDoubles().value(), (std::vector<double>{1, 4}));
    const Tensor scalar(matrix.storage(), DType::Float32, {}, {}, 5);
    QCOMPARE(scalar.toDoubles().value(), (std::vector<double>{5}));
    const Tensor empty = Tensor::fromBytes(DType::Float32, {0, 3}, {});
    QCOMPARE(empty.toDoubles().value().size(), std::size_t(0));
    QCOMPARE(empty.bytes().value().size(), std::size_t(0));
}

void TestTensor::viewsThatDoNotFitAreRefused()
{
    constexpr auto kHuge = std::numeric_limits<std::int64_t>::max();
    const auto fits = [](std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                         std::int64_t offset) {
        return Tensor::fits(24, DType::Float32, shape, strides, offset);
    };
    QVERIFY(fits({2, 3}, {3, 1}, 0));
    QVERIFY(fits({3}, {-1}, 2));
    QVERIFY(fits({0}, {kHuge}, 0));
    QVERIFY(!fits({2, 3}, {3, 1}, 1));
    QVERIFY(!fits({3}, {-1}, 1));
    QVERIFY(!fits({2}, {kHuge}, 0));
    QVERIFY(!fits({kHuge, kHuge}, {0, 0}, 0));
    QVERIFY(!fits({-1}, {1}, 0));
    QVERIFY(!fits({1}, {1}, -1));
    QVERIFY(!fits({1}, {1, 1}, 0));
    QVERIFY(!fits({1}, {1}, kHuge));
}

void TestTensor::halfAndBFloat16Read()
{
    const std::array<std::uint16_t, 5> half{0x3c00, 0xc000, 0x0001, 0x7c00, 0x7bff};
    const auto halves =
        Tensor::fromValues<std::uint16_t>(DType::Float16, {5}, half).toDoubles().value();
    QCOMPARE(halves, (std::vector<double>{1, -2, 5.9604644775390625e-08,
                                          std::numeric_limits<double>::infinity(), 65504}));
    const std::array<std::uint16_t, 2> brain{0x3fc0, 0xc2f7};
    QCOMPARE(Tensor::fromValues<std::uint16_t>(DType::BFloat16, {2}, brain).toDoubles().value(),
             (std::vector<double>{1.5, -123.5}));
}

void TestTensor::lazyStorageLoadsOnceAndKeepsItsError()
{
    int loads = 0;
    const Storage good(4, [&]() -> Result<Storage::Bytes> {
        ++loads;
        auto memory = Storage::allocate(4);
        return Storage::Bytes{memory.memory, memory.data};
    });
    QCOMPARE(good.size(), std::size_t(4));
    QCOMPARE(loads, 0);
    QVERIFY(good.bytes());
    QVERIFY(good.bytes());
    QCOMPARE(loads, 1);
    const Storage wrongSize(8, []() -> Result<Storage::Bytes> {
        auto memory = Storage::allocate(4);
        return Storage::Bytes{memory.memory, memory.data};
    });
    QVERIFY(!wrongSize.bytes());
    const Storage failing(
        8, []() -> Result<Storage::Bytes> { return badInput("weight_0", "is truncated"); });
    QCOMPARE(failing.bytes().error().message(), std::string("weight_0: is truncated"));
    QVERIFY(!failing.owner());
}

QTEST_APPLESS_MAIN(TestTensor)
#include "tst_tensor.moc"

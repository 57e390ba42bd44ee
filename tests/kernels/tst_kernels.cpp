// Operators by name. The hashes and numbers were made with torch 2.13.0, one thread.
#include "core/kernels/Kernels.h"

#include <QTest>
#include <array>
#include <cmath>

using namespace pt2e;

namespace {

using Ints = std::vector<std::int64_t>;

const Kernels& torchKernels()
{
    static const Kernels* const loaded = [] {
        auto result = kernels();
        if (!result)
            qFatal("%s", result.error().message().c_str());
        (*result)->setThreads(1);
        return *result;
    }();
    return *loaded;
}

Tensor floats(Ints shape, const std::vector<float>& values)
{
    return Tensor::fromValues<float>(DType::Float32, std::move(shape), values);
}
Tensor longs(Ints shape, const std::vector<std::int64_t>& values)
{
    return Tensor::fromValues<std::int64_t>(DType::Int64, std::move(shape), values);
}
Value list(const Ints& values)
{
    Value::List items;
    for (const std::int64_t value : values)
        items.push_back({value});
    return {items};
}
Value whole(std::int64_t value) { return {value}; }

std::vector<double> numbers(const Tensor& tensor)
{
    auto doubles = tensor.toDoubles();
    return doubles ? *doubles : std::vector<double>{};
}
QString hash(const Tensor& tensor)
{
    const auto text = sha256(tensor);
    return text ? QString::fromStdString(*text) : QString();
}
/// Calls and expects one tensor; a failure is shown.
Tensor call(const std::string& target, const Values& args, const NamedValues& kwargs = {})
{
    auto result = torchKernels().callTensor(target, args, kwargs);
    if (!result)
        qWarning("%s", result.error().message().c_str());
    return result ? *result : Tensor();
}
Values callAll(const std::string& target, const Values& args,
               std::vector<WrittenTensor>* written = nullptr)
{
    const auto kernel = torchKernels().find(target);
    if (!kernel) {
        qWarning("%s", kernel.error().message().c_str());
        return {};
    }
    auto result = (*kernel)->call(args, {}, written);
    if (!result)
        qWarning("%s", result.error().message().c_str());
    return result ? *result : Values{};
}

/// torch.manual_seed(0); torch.randn(4, 8, 16, 16)
Tensor noise()
{
    const Ints shape{4, 8, 16, 16};
    return *torchKernels().randomStream(0)->randn(shape);
}
/// The vectorized fill of AVX2 and AVX512 gives other digits than the plain one.
bool hasVectorUnits() { return torchKernels().info().cpuCapability.starts_with("AVX"); }

const std::string kQuantize = "quantized_decomposed.quantize_per_tensor.default";
const std::string kDequantize = "quantized_decomposed.dequantize_per_tensor.default";

} // namespace

class TestKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void infoNamesTheLibrary()
    {
        const TorchInfo info = torchKernels().info();
        QVERIFY2(info.version.starts_with("2."), info.version.c_str());
        QVERIFY(!info.cpuCapability.empty());
        QVERIFY(!info.blas.empty());
        QCOMPARE(info.threads, 1);
    }

    void randomStreamIsPyTorchs()
    {
        if (!hasVectorUnits())
            QSKIP("needs AVX2");
        const auto stream = torchKernels().randomStream(0);
        const Ints image{4, 8, 16, 16};
        QCOMPARE(hash(*stream->randn(image)),
                 QString("2867c1fc3182111a19618b652f4c3825ea2ab465ee864f22681f0a4b4a5d560d"));
        // One stream goes on from draw to draw, short draws (scalar path) included.
        QCOMPARE(hash(*stream->uniform(Ints{7}, -0.5, 0.25)),
                 QString("15ead3dc4f6030c6ea4e2d2f69267fbcffa07fcc7759ac3c669e2a5d6d484a86"));
        QCOMPARE(hash(*stream->normal(Ints{3, 5}, 1.0, 2.0)),
                 QString("6f1298a1ab1b3f3c932b6770a86bf69affcb607b850896af871e7d0d20fee939"));
        QCOMPARE(hash(*stream->normal(Ints{40}, 0.0, 1.0)),
                 QString("ebd8e500aae576ccbb45832dd339f1026c3dc7eac6e1f41ac54e587f0620b49b"));
        // Streams do not touch each other.
        const auto other = torchKernels().randomStream(0);
        torchKernels().randomStream(5)->randn(image);
        QCOMPARE(hash(*other->randn(image)),
                 QString("2867c1fc3182111a19618b652f4c3825ea2ab465ee864f22681f0a4b4a5d560d"));
    }

    void quantizeReferenceVector_data()
    {
        QTest::addColumn<double>("scale");
        QTest::newRow("double") << 0.1;
        QTest::newRow("float widened") << static_cast<double>(0.1f);
    }
    void quantizeReferenceVector()
    {
        QFETCH(double, scale);
        const float inf = INFINITY;
        const Tensor x =
            floats({10}, {-.05f, .05f, .15f, .25f, .35f, 12.4f, 12.5f, -13.1f, inf, -inf});
        const Values rest{{scale}, whole(3), whole(-128), whole(127), {DType::Int8}};
        Values args{{x}};
        args.insert(args.end(), rest.begin(), rest.end());
        const Tensor q = call(kQuantize, args);
        QCOMPARE(q.dtype(), DType::Int8);
        QCOMPARE(numbers(q), (std::vector<double>{3, 3, 5, 5, 7, 127, 127, -128, 127, -128}));
        args[0] = {q};
        const std::vector<double> dq{0,
                                     0,
                                     0.20000000298023224,
                                     0.20000000298023224,
                                     0.4000000059604645,
                                     12.40000057220459,
                                     12.40000057220459,
                                     -13.100000381469727,
                                     12.40000057220459,
                                     -13.100000381469727};
        QCOMPARE(numbers(call(kDequantize, args)), dq);
    }

    void quantizePerTensorIsBitEqual_data()
    {
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("quantized");
        QTest::addColumn<QString>("dequantized");
        QTest::newRow("0.03299")
            << 0.03299 << "55535bdb89e27d3a7d8d24c61fb1903bdcc5876f1549d24abd4f33315436fb22"
            << "556f6a31a6aa3848b20fca762df505952f2cf8b73a70c3756c27cea6197c9d50";
        QTest::newRow("0.1") << 0.1
                             << "6f8b94d0cffcc0da67ca433161dd3dc8bd5c644cf65c67072483793cf0719ba6"
                             << "e2b904bf5a9a7fbdafd2b7f79a9d6c818a7f7f40f5251a8acf8c2cdb75fa588e";
        QTest::newRow("1/3") << 1.0 / 3
                             << "ac699a75b387aa2551c9850ef6c88e4c8968f774873ea5e39eeb83dbe632b2cf"
                             << "7d2037e61637a92be92a0a7eaedb47fae343c8df1cc42162a19e4a0590a90180";
    }
    void quantizePerTensorIsBitEqual()
    {
        if (!hasVectorUnits())
            QSKIP("needs AVX2 for the input");
        QFETCH(double, scale);
        Values args{{noise()}, {scale}, whole(-5), whole(-128), whole(127), {DType::Int8}};
        const Tensor q = call(kQuantize, args);
        QTEST(hash(q), "quantized");
        args[0] = {q};
        QTEST(hash(call(kDequantize, args)), "dequantized");
    }

    void tensorOverloadsReadTheirScale()
    {
        const Tensor x = floats({4}, {-1.0f, 0.05f, 0.3f, 2.0f});
        const Values plain{{x},        {static_cast<double>(0.03299f)},
                           whole(-5),  whole(-128),
                           whole(127), {DType::Int8}};
        const Values tensor{
            {x},          {floats({1}, {0.03299f})}, {longs({1}, {-5})}, whole(-128), whole(127),
            {DType::Int8}};
        const Values tensor2{{x},
                             {floats({1}, {0.03299f})},
                             {longs({1}, {-5})},
                             {longs({1}, {-128})},
                             {longs({1}, {127})},
                             {DType::Int8}};
        const Tensor expected = call(kQuantize, plain);
        QCOMPARE(hash(call("quantized_decomposed.quantize_per_tensor.tensor", tensor)),
                 hash(expected));
        QCOMPARE(hash(call("quantized_decomposed.quantize_per_tensor.tensor2", tensor2)),
                 hash(expected));
    }

    void perChannelIsBitEqual()
    {
        if (!hasVectorUnits())
            QSKIP("needs AVX2 for the input");
        std::vector<float> scales;
        std::vector<std::int64_t> zeroPoints;
        const Tensor steps = call("aten.linspace.default", {{0.001}, {0.02}, whole(8)});
        const Tensor zeros = longs({8}, {-3, -2, -1, 0, 1, 2, 3, 4});
        const auto part = [](const Tensor& from, std::int64_t dim, std::int64_t end) {
            return call("aten.slice.Tensor", {{from}, whole(dim), whole(0), whole(end)});
        };
        const Tensor image = noise();
        Tensor first = call("aten.select.int", {{image}, whole(0), whole(0)});
        const Tensor weight = *part(part(first, 1, 3), 2, 3).contiguous();
        Values args{{weight}, {steps}, {zeros}, whole(0), whole(-127), whole(127), {DType::Int8}};
        const Tensor q = call("quantized_decomposed.quantize_per_channel.default", args);
        QCOMPARE(hash(q),
                 QString("eac0c7716316ffdc315a36caf85ebeebe9d7aa2ab99175f307f3d447187267c4"));
        args[0] = {q};
        QCOMPARE(hash(call("quantized_decomposed.dequantize_per_channel.default", args)),
                 QString("9285becedf3b6c8dc4e5ab307beb2a43d73d4d0a93783671a2c4e4d5f37aa8b1"));

        // Another axis; without zero points on the way back; the memory order is PyTorch's.
        const Tensor wide = *part(part(part(first, 0, 2), 1, 8), 2, 3).contiguous();
        args = {{wide}, {steps}, {zeros}, whole(1), whole(-127), whole(127), {DType::Int8}};
        const Tensor q1 = call("quantized_decomposed.quantize_per_channel.default", args);
        QCOMPARE(hash(q1),
                 QString("bedb621533f12ee8e05c08f2bfd3998da8bb82a342a2888cc81d33e17b112479"));
        QCOMPARE(q1.strides(), (Ints{24, 3, 1}));
        args[0] = {q1};
        args[2] = {};
        QCOMPARE(hash(call("quantized_decomposed.dequantize_per_channel.default", args)),
                 QString("b6b6598f7da54a39086df6b4f2305e85db8e15936074b1697d90b015cc9834ef"));
    }

    void chooseQparams()
    {
        if (!hasVectorUnits())
            QSKIP("needs AVX2 for the input");
        const auto choose = [](const std::string& name, std::int64_t low, std::int64_t high,
                               double eps, DType dtype) {
            return callAll(name, {{noise()}, whole(low), whole(high), {eps}, {dtype}});
        };
        const std::string affine = "quantized_decomposed.choose_qparams.tensor";
        const std::string symmetric = "quantized_decomposed.choose_qparams_symmetric.tensor";
        const auto check = [](const Values& got, double scale, double zeroPoint) {
            QCOMPARE(got.size(), std::size_t(2));
            QCOMPARE(got[0].tensor()->dtype(), DType::Float64);
            QCOMPARE(got[0].tensor()->shape(), Ints{1});
            QCOMPARE(numbers(*got[0].tensor()), std::vector<double>{scale});
            QCOMPARE(got[1].tensor()->dtype(), DType::Int64);
            QCOMPARE(numbers(*got[1].tensor()), std::vector<double>{zeroPoint});
        };
        check(choose(affine, -128, 127, 0x1p-12, DType::Int8), 0x1.07469a0000000p-5, -1);
        check(choose(affine, 0, 255, 1e-5, DType::UInt8), 0x1.07469a0000000p-5, 127);
        check(choose(symmetric, -128, 127, 0x1p-12, DType::Int8), 0x1.0786640000000p-5, 0);
        check(choose(symmetric, 0, 255, 1e-5, DType::UInt8), 0x1.0786640000000p-5, 128);
    }

    void valuesAreCoercedAsPythonDoes()
    {
        // A number where a tensor is wanted does not raise the dtype …
        const Tensor ints =
            Tensor::fromValues<std::int32_t>(DType::Int32, {2}, std::array<std::int32_t, 2>{1, 2});
        QCOMPARE(call("aten.add.Tensor", {{ints}, whole(1)}).dtype(), DType::Int32);
        QCOMPARE(call("aten.mul.Tensor", {{ints}, {0.5}}).dtype(), DType::Float32);
        QCOMPARE(numbers(call("aten.add.Tensor", {{ints}, whole(1)}, {{"alpha", whole(3)}})),
                 (std::vector<double>{4, 5}));
        // … an int may stand for a float, one int for a pair, a dtype for its number.
        const Tensor x = floats({1, 1, 4, 4}, std::vector<float>(16, 1.0f));
        QCOMPARE(call("aten.max_pool2d.default", {{x}, whole(2)}).shape(), (Ints{1, 1, 2, 2}));
        QCOMPARE(call("aten.to.dtype", {{x}, {DType::Float16}}).dtype(), DType::Float16);
        QCOMPARE(
            call("aten.clone.default", {{x}}, {{"memory_format", {MemoryFormat::ChannelsLast}}})
                .strides(),
            (Ints{16, 1, 4, 1}));
        QCOMPARE(call("aten.full.default", {list({2}), whole(7)}, {{"device", {Device{"cuda", 0}}}})
                     .shape(),
                 Ints{2});
        // Lists with gaps, empty lists, scalars read from tensors.
        const Values::value_type gap{Value::List{Value{}, Value{longs({2}, {1, 0})}}};
        QCOMPARE(numbers(call("aten.index.Tensor", {{floats({2, 2}, {1, 2, 3, 4})}, gap})),
                 (std::vector<double>{2, 1, 4, 3}));
        QCOMPARE(numbers(call("aten.sum.dim_IntList", {{floats({2}, {1, 2})}, list({})})),
                 std::vector<double>{3});
        QCOMPARE(numbers(call("aten.add.Scalar", {{floats({1}, {1})}, {floats({}, {2})}})),
                 std::vector<double>{3});
        QCOMPARE(
            call("aten.mul.Tensor", {{floats({1}, {2})}, {std::complex<double>(0, 2)}}).dtype(),
            DType::Complex64);
    }

    void listsAndTuplesComeBack()
    {
        const Tensor x = floats({4}, {4, 1, 3, 2});
        const Values sorted = callAll("aten.sort.default", {{x}});
        QCOMPARE(sorted.size(), std::size_t(2));
        QCOMPARE(numbers(*sorted[1].tensor()), (std::vector<double>{1, 3, 2, 0}));
        const Values parts = callAll("aten.split.Tensor", {{x}, whole(3)});
        QCOMPARE(parts.size(), std::size_t(1));
        QCOMPARE(parts[0].list()->size(), std::size_t(2));
        const Values item = callAll("aten._local_scalar_dense.default", {{floats({}, {2.5})}});
        QCOMPARE(std::get<double>(item[0].data), 2.5);
    }

    void memoryIsShared()
    {
        const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
        const Tensor row = call("aten.select.int", {{x}, whole(0), whole(1)});
        QCOMPARE(row.storage(), x.storage());
        QCOMPARE(row.offset(), 3);
        // Results outlive everything that was passed in.
        Tensor kept;
        {
            const Tensor sum = call("aten.add.Tensor", {{x}, {x}});
            kept = call("aten.t.default", {{sum}});
            QCOMPARE(kept.storage(), sum.storage());
        }
        QCOMPARE(numbers(*kept.contiguous()), (std::vector<double>{2, 8, 4, 10, 6, 12}));
        const Tensor empty = call("aten.zeros.default", {list({0, 3})});
        QCOMPARE(empty.elementCount(), 0);
        QCOMPARE(call("aten.add.Tensor", {{empty}, whole(1)}).shape(), (Ints{0, 3}));
    }

    void inputsAreNeverWritten()
    {
        const Tensor x = floats({4}, {-1, 2, -3, 4});
        const Tensor half = call("aten.slice.Tensor", {{x}, whole(0), whole(0), whole(2)});
        QCOMPARE(half.storage(), x.storage());
        std::vector<WrittenTensor> written;
        const Values result = callAll("aten.relu_.default", {{half}}, &written);
        QCOMPARE(numbers(x), (std::vector<double>{-1, 2, -3, 4}));
        QCOMPARE(numbers(*result[0].tensor()), (std::vector<double>{0, 2}));
        // The whole storage moved, so that the other views can follow.
        QCOMPARE(written.size(), std::size_t(1));
        QCOMPARE(written[0].before.storage(), x.storage());
        QCOMPARE(written[0].after.storage(), result[0].tensor()->storage());
        const Tensor moved(written[0].after.storage(), x.dtype(), x.shape(), x.strides());
        QCOMPARE(numbers(moved), (std::vector<double>{0, 2, -3, 4}));
    }

    void writesWithoutAResultAreTold()
    {
        const Tensor x = floats({2, 1, 2}, {1, 3, 5, 7});
        const Tensor mean = floats({1}, {0});
        const Tensor variance = floats({1}, {1});
        Values args{{x}, {}, {}, {mean}, {variance}, {true}, {0.5}, {1e-5}, {true}};
        std::vector<WrittenTensor> written;
        callAll("aten.batch_norm.default", args, &written);
        QCOMPARE(numbers(mean), std::vector<double>{0});
        QCOMPARE(written.size(), std::size_t(2));
        QCOMPARE(numbers(written[0].after), std::vector<double>{2});
        written.clear();
        args[5] = {false};
        callAll("aten.batch_norm.default", args, &written);
        QVERIFY(written.empty());

        callAll("aten.unsqueeze_.default", {{floats({2}, {1, 2})}, whole(0)}, &written);
        QCOMPARE(written[0].after.shape(), (Ints{1, 2}));
    }

    /// As torch.no_grad() has it: a view of a parameter requires a gradient, what is computed does not.
    void requiresGradIsPyTorchs()
    {
        const Tensor plain = floats({2, 1}, {1, 2});
        const Tensor parameter = plain.withRequiresGrad(true);
        QVERIFY(call("aten.t.default", {{parameter}}).requiresGrad());
        QVERIFY(call("aten.contiguous.default", {{parameter}}).requiresGrad());
        QVERIFY(!call("aten.t.default", {{plain}}).requiresGrad());
        QVERIFY(!call("aten.add.Tensor", {{parameter}, {parameter}}).requiresGrad());
        // Parameters can be written, too: the old value stays.
        QCOMPARE(numbers(call("aten.add_.Tensor", {{parameter}, whole(1)})),
                 (std::vector<double>{2, 3}));
        QCOMPARE(numbers(parameter), (std::vector<double>{1, 2}));
    }

    void errorsSayWhereAndWhat_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("part");
        const int unsupported = static_cast<int>(ErrorCode::Unsupported);
        QTest::newRow("no such op") << "aten.nonsense.default" << unsupported << "no such operator";
        QTest::newRow("no such overload")
            << "aten.add.nonsense" << unsupported << "no such operator";
        QTest::newRow("not a name") << "add" << unsupported << "operator name";
        QTest::newRow("namespace") << "mylib.add.default" << unsupported << "cannot be run";
        QTest::newRow("file") << "aten.from_file.default" << unsupported << "cannot be run";
    }
    void errorsSayWhereAndWhat()
    {
        QFETCH(QString, target);
        QFETCH(int, code);
        QFETCH(QString, part);
        const auto kernel = torchKernels().find(target.toStdString());
        QVERIFY(!kernel);
        QCOMPARE(static_cast<int>(kernel.error().code), code);
        const QString message = QString::fromStdString(kernel.error().message());
        QVERIFY2(message.startsWith(target + ": ") && message.contains(part), qPrintable(message));
    }

    void badCallsAreErrors_data()
    {
        QTest::addColumn<QString>("part");
        QTest::addColumn<int>("which");
        QTest::newRow("shapes") << "size" << 0;
        QTest::newRow("too many") << "takes 3 arguments, 4 were given" << 1;
        QTest::newRow("missing") << "argument 'other' is missing" << 2;
        QTest::newRow("unknown keyword") << "no argument 'beta'" << 3;
        QTest::newRow("kind") << "argument 'other': expected Tensor, got str" << 4;
        QTest::newRow("twice") << "given twice" << 5;
    }
    void badCallsAreErrors()
    {
        QFETCH(QString, part);
        QFETCH(int, which);
        const Value x{floats({2}, {1, 2})};
        const std::vector<std::pair<Values, NamedValues>> calls{{{x, {floats({3}, {1, 2, 3})}}, {}},
                                                                {{x, x, {1.0}, x}, {}},
                                                                {{x}, {}},
                                                                {{x, x}, {{"beta", x}}},
                                                                {{x, {std::string("a")}}, {}},
                                                                {{x, x}, {{"other", x}}}};
        const auto& [args, kwargs] = calls[static_cast<std::size_t>(which)];
        const auto result = torchKernels().callTensor("aten.add.Tensor", args, kwargs);
        QVERIFY(!result);
        const QString message = QString::fromStdString(result.error().message());
        QVERIFY2(message.startsWith("aten.add.Tensor: ") && message.contains(part),
                 qPrintable(message));
        QVERIFY2(!message.contains('\n'), qPrintable(message));
    }

    void quantizeChecksItsArguments()
    {
        const Value x{floats({2}, {1, 2})};
        const auto quantize = [&](const Value& input, std::int64_t low, std::int64_t high,
                                  DType dtype) {
            return torchKernels().callTensor(
                kQuantize, {input, {0.1}, whole(0), whole(low), whole(high), {dtype}});
        };
        QVERIFY(quantize(x, -128, 127, DType::Int8));
        QVERIFY(!quantize(x, -129, 127, DType::Int8));
        QVERIFY(!quantize(x, -128, 128, DType::Int8));
        QVERIFY(!quantize(x, 0, 127, DType::Int64));
        QVERIFY(!quantize({longs({1}, {1})}, -128, 127, DType::Int8));
        QVERIFY(!torchKernels().callTensor(
            kDequantize, {x, {0.1}, whole(0), whole(-128), whole(127), {DType::Int8}}));
    }
};

QTEST_GUILESS_MAIN(TestKernels)
#include "tst_kernels.moc"

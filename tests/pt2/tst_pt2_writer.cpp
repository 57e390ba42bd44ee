// What is written reads back as the same graph; the same graph gives the same bytes; a failure leaves nothing.
#include "core/ir/GraphEditor.h"
#include "core/ir/Lint.h"
#include "core/pt2/Writer.h"
#include "tests/pt2/GraphJson.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <map>

using namespace pt2e;

namespace {

QString dataFolder() { return qEnvironmentVariable("PT2E_TEST_DATA"); }

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

template<typename T>
QByteArray errorText(const Result<T>& result)
{
    return result ? QByteArray() : QByteArray::fromStdString(result.error().message());
}

Result<ExportedProgram> read(const QString& path, const std::string& program = {})
{
    const auto archive = openArchive(path.toStdString());
    if (!archive)
        return passOn(archive);
    return readProgram(*archive, program);
}

ValueMeta floats(std::vector<SymInt> shape, bool requiresGrad = false)
{
    TensorMeta meta;
    meta.shape = std::move(shape);
    meta.requiresGrad = requiresGrad;
    ValueMeta val;
    val.value = std::move(meta);
    return val;
}

Tensor ramp(std::vector<std::int64_t> shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(0.25f * static_cast<float>(i) - 1.0f);
    return Tensor::fromValues<float>(DType::Float32, std::move(shape), values);
}

/// relu(linear(x, weight, bias)) with two parameters and an unused buffer, as a model builder makes it.
GraphPtr smallGraph(std::vector<SymInt> inputShape = {2, 3})
{
    GraphEditor editor;
    const auto attribute = [&](const char* name, Tensor value, AttributeKind kind) {
        NewNode node;
        node.kind = OpKind::GetAttr;
        node.target = name;
        std::vector<SymInt> shape;
        for (const std::int64_t size : value.shape())
            shape.emplace_back(size);
        node.val = floats(shape, kind == AttributeKind::Parameter);
        editor.setAttribute(name, {std::move(value), kind});
        return editor.append(std::move(node));
    };
    const NodeId weight = attribute("fc.weight", ramp({4, 3}), AttributeKind::Parameter);
    const NodeId bias = attribute("fc.bias", ramp({4}), AttributeKind::Parameter);
    attribute("steps", ramp({1}), AttributeKind::Buffer);
    NewNode input;
    input.kind = OpKind::Placeholder;
    input.target = "input"; // FX calls it input_1
    input.val = floats(inputShape);
    const NodeId x = editor.append(std::move(input));
    std::vector<SymInt> shape = inputShape;
    shape.back() = SymInt(4);
    auto meta = std::make_shared<FileMeta>();
    meta->moduleStack = {{"L__self__", "", "Net"},
                         {"L__self___fc", "fc", "torch.nn.modules.linear.Linear"}};
    meta->torchFn = {"linear_1", "builtin_function_or_method.linear"};
    NewNode linear;
    linear.target = "aten.linear.default";
    linear.args = {Argument(x), Argument(weight), Argument(bias)};
    linear.nameCandidate = "linear";
    linear.val = floats(shape);
    linear.fileMeta = meta;
    const NodeId product = editor.append(std::move(linear));
    NewNode relu;
    relu.target = "aten.relu.default";
    relu.args = {Argument(product)};
    relu.nameCandidate = "relu";
    relu.val = floats(shape);
    const NodeId result = editor.append(std::move(relu));
    NewNode output;
    output.kind = OpKind::Output;
    output.target = "output";
    output.args = {Argument::tuple({Argument(result)})};
    editor.append(std::move(output));
    return std::move(editor).publish();
}

} // namespace

class TestWriter : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void roundTrip_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("program");
        for (const char* folder : {"/pt2", "/cases"}) {
            const QString root = dataFolder() + QLatin1String(folder);
            QDirIterator files(root, {QStringLiteral("*.pt2")}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                const QString name = path.mid(root.size() + 1);
                const bool holdsTwo = name.endsWith(QLatin1String("two_models.pt2"));
                QTest::newRow(qPrintable(name))
                    << path << (holdsTwo ? QStringLiteral("dec") : QString());
            }
        }
    }
    void roundTrip()
    {
        QFETCH(QString, path);
        QFETCH(QString, program);
        const auto original = read(path, program.toStdString());
        QVERIFY2(original, errorText(original).constData());
        // Kept for looking at them with Python: PT2E_WRITTEN is a folder.
        QString name = QString::fromUtf8(QTest::currentDataTag());
        name.replace(u'/', u'-').remove(QStringLiteral("-model"));
        const QString kept = qEnvironmentVariable("PT2E_WRITTEN");
        const QString written = (kept.isEmpty() ? m_folder.path() : kept) + u'/' + name;
        const auto done = writeProgram(written.toStdString(), *original->graph, original->examples,
                                       optionsFrom(*original));
        // Operators of which nobody knows the argument names, or a result without a shape, cannot be written: the node
        // is named and no file stays.
        const std::map<QString, const char*> cannot = {
            {QStringLiteral("other-forms-eager-fake.pt2"),
             "node 'fake_quantize_per_tensor_affine'"},
            {QStringLiteral("odd-custom_op.pt2"), "node 'wobble'"},
            {QStringLiteral("odd-unknown_dtype.pt2"), "node 'sigmoid'"},
            {QStringLiteral("odd-unknown_op.pt2"), "node 'sigmoid'"},
        };
        if (const auto known = cannot.find(name); known != cannot.end()) {
            QVERIFY(!done);
            QVERIFY2(errorText(done).contains(known->second), errorText(done).constData());
            QVERIFY(!QFile::exists(written));
            return;
        }
        QVERIFY2(done, errorText(done).constData());
        const auto again = read(written);
        QVERIFY2(again, errorText(again).constData());
        // Two get_attr nodes of one name (a tied weight in torch 2.6) become one.
        if (again->graph->size() == original->graph->size()) {
            const QString difference =
                firstDifference(graphJson(*again->graph), graphJson(*original->graph));
            QVERIFY2(difference.isEmpty(), qPrintable(difference));
        } else {
            QVERIFY(path.endsWith(QStringLiteral("torch-2.6.0/transformer_tied.pt2")));
            QCOMPARE(again->graph->size() + 1, original->graph->size());
        }
        QCOMPARE(again->examples.size(), original->examples.size());
        for (std::size_t i = 0; i < again->examples.size(); ++i) {
            const Tensor* tensor = original->examples[i].tensor();
            QCOMPARE(again->examples[i].tensor() != nullptr, tensor != nullptr);
            if (tensor)
                QCOMPARE(tensorJson(*again->examples[i].tensor()), tensorJson(*tensor));
        }
        QCOMPARE(again->custom, original->custom);
        for (const Node& node : *original->graph) {
            if (!node.is(OpKind::CallFunction) || !node.fileMeta || node.calls("getitem"))
                continue;
            const Node* twin = again->graph->findByName(node.name);
            QVERIFY(twin && twin->fileMeta);
            QCOMPARE(twin->fileMeta->raw, node.fileMeta->raw);
        }
        const QByteArray bytes = contentOf(written);
        QVERIFY(writeProgram(written.toStdString(), *original->graph, original->examples,
                             optionsFrom(*original)));
        QCOMPARE(contentOf(written), bytes);
    }

    void builtGraph()
    {
        const QString path = m_folder.filePath(QStringLiteral("built.pt2"));
        const GraphPtr graph = smallGraph();
        QVERIFY(lint(*graph));
        const Values examples{Value{ramp({2, 3})}};
        const auto done = writeProgram(path.toStdString(), *graph, examples);
        QVERIFY2(done, errorText(done).constData());
        const auto again = read(path);
        QVERIFY2(again, errorText(again).constData());
        const QString difference = firstDifference(graphJson(*again->graph), graphJson(*graph));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
        QCOMPARE(again->graph->findByName("linear")->fileMeta->moduleStack,
                 graph->findByName("linear")->fileMeta->moduleStack);
        QCOMPARE(again->inputs.size(), std::size_t(4));
        QCOMPARE(again->inputs[0].kind, SignatureItem::Kind::Parameter);
        QCOMPARE(again->inputs[2].kind, SignatureItem::Kind::Buffer);
        QCOMPARE(again->inputs[3].name, std::string("input_1"));
        QVERIFY(again->inputs[0].val.tensor()->requiresGrad);
        // Record data begins at multiples of 64, so weights need no copy.
        const auto archive = openArchive(path.toStdString());
        QVERIFY(archive);
        QCOMPARE(archive->records().front().name, std::string("built/data/weights/weight_0"));
    }

    void symbolicShape()
    {
        const QString path = m_folder.filePath(QStringLiteral("dynamic.pt2"));
        const GraphPtr graph = smallGraph({SymInt(std::string("2*s77 + 1")), 3});
        WriteOptions options;
        options.ranges.push_back({"s77", 2, 40});
        options.hints = {{"2*s77 + 1", 9}, {"s77", 4}};
        QVERIFY(writeProgram(path.toStdString(), *graph, {}, options));
        const auto again = read(path);
        QVERIFY(again);
        QCOMPARE(again->graph->findByName("relu")->val.tensor()->shape[0].text(),
                 std::string("2*s77 + 1"));
        QCOMPARE(again->ranges.size(), std::size_t(1));
        // Of what the graph has; there is no plain s77 in it.
        QCOMPARE(again->hints, (SizeHints{{"2*s77 + 1", 9}}));
        QCOMPARE(again->ranges[0].high, std::optional<std::int64_t>(40));
        QVERIFY(again->examples.empty());
    }

    void failureLeavesTheOldFile()
    {
        const QString path = m_folder.filePath(QStringLiteral("kept.pt2"));
        QVERIFY(writeProgram(path.toStdString(), *smallGraph(), {}));
        const QByteArray before = contentOf(path);
        GraphEditor editor(*smallGraph());
        NewNode strange;
        strange.target = "mystery.op.default";
        strange.args = {Argument(editor.graph().findByName("relu")->id)};
        strange.val = floats({2, 4});
        InsertPoint at = InsertPoint::before(editor.graph().output()->id);
        editor.insert(at, strange);
        const auto failed = writeProgram(path.toStdString(), editor.graph(), {});
        QVERIFY(!failed);
        QVERIFY(failed.error().message().find("mystery.op.default") != std::string::npos);
        QCOMPARE(contentOf(path), before);

        const QString nowhere = m_folder.filePath(QStringLiteral("no/such/folder.pt2"));
        const auto unwritable = writeProgram(nowhere.toStdString(), *smallGraph(), {});
        QVERIFY(!unwritable && unwritable.error().code == ErrorCode::Io);
        // A failing weight stops the writing half-way: no temporary file stays.
        GraphEditor broken(*smallGraph());
        auto storage = std::make_shared<const Storage>(
            48, []() -> Result<Storage::Bytes> { return badInput("weight", "cannot be read"); });
        broken.setAttribute("fc.weight", {Tensor(storage, DType::Float32, {4, 3}, {3, 1}),
                                          AttributeKind::Parameter});
        QVERIFY(!writeProgram(path.toStdString(), broken.graph(), {}));
        QCOMPARE(contentOf(path), before);
        QCOMPARE(QDir(m_folder.path()).entryList({QStringLiteral("kept.pt2*")}, QDir::Files),
                 QStringList{QStringLiteral("kept.pt2")});
    }

    void sharedStorageIsWrittenOnce()
    {
        const Tensor whole = ramp({4, 6});
        GraphEditor editor(*smallGraph());
        editor.setAttribute(
            "fc.weight",
            {Tensor(whole.storage(), DType::Float32, {4, 3}, {6, 1}, 0), AttributeKind::Parameter});
        editor.setAttribute("fc.bias", {Tensor(whole.storage(), DType::Float32, {4}, {1}, 6),
                                        AttributeKind::Parameter});
        const QString path = m_folder.filePath(QStringLiteral("shared.pt2"));
        QVERIFY(writeProgram(path.toStdString(), editor.graph(), {}));
        const auto again = read(path);
        QVERIFY(again);
        const Tensor& weight = again->graph->attributes().find("fc.weight")->value;
        const Tensor& bias = again->graph->attributes().find("fc.bias")->value;
        QCOMPARE(weight.storage(), bias.storage());
        QCOMPARE(bias.offset(), 6);
        QCOMPARE(weight.strides(), (std::vector<std::int64_t>{6, 1}));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestWriter)
#include "tst_pt2_writer.moc"

// The built-in models against what torch.export makes of the same classes (tests/data/zoo/make_zoo.py).
#include "core/data/Batches.h"
#include "core/engine/Engine.h"
#include "core/ir/Lint.h"
#include "core/ir/Text.h"
#include "core/zoo/Zoo.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace pt2e;

namespace {

QJsonObject recorded(const char* name = "zoo.json")
{
    QFile file(qEnvironmentVariable("PT2E_TEST_DATA") + "/zoo/" + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("tests/data/zoo/%s cannot be read", name);
    return QJsonDocument::fromJson(file.readAll()).object();
}

ZooOptions optionsOf(const QJsonObject& record)
{
    const QJsonObject given = record["options"].toObject();
    ZooOptions options;
    options.channels = given["channels"].toInt(8);
    options.layers = given["layers"].toInt(2);
    options.seed = static_cast<std::uint64_t>(given["seed"].toInt());
    return options;
}

Result<ZooModel> build(const QJsonObject& record)
{
    return buildZooModel(record["name"].toString().toStdString(), optionsOf(record));
}

QJsonArray sizes(const std::vector<SymInt>& values)
{
    QJsonArray list;
    for (const SymInt& value : values)
        list.append(static_cast<qint64>(value.value()));
    return list;
}

QJsonArray names(const Graph& graph, const std::vector<NodeId>& ids)
{
    QJsonArray list;
    for (const NodeId id : ids)
        list.append(QString::fromStdString(graph.node(id).name));
    return list;
}

/// The node as make_zoo.py records it.
QJsonObject nodeRecord(const Graph& graph, const Node& node)
{
    QJsonObject record;
    record["line"] = QString::fromStdString(printNode(graph, node));
    record["users"] = names(graph, node.users);
    const TensorMeta* meta = node.val.tensor();
    record["shape"] = meta ? QJsonValue(sizes(meta->shape)) : QJsonValue();
    record["strides"] = meta ? QJsonValue(sizes(meta->strides)) : QJsonValue();
    record["dtype"] =
        meta ? QJsonValue(QString::fromUtf8(dtypeName(meta->dtype).data())) : QJsonValue();
    QJsonArray stack;
    QJsonArray torchFn;
    if (node.fileMeta) {
        for (const ModuleFrame& frame : node.fileMeta->moduleStack)
            stack.append(QJsonArray{QString::fromStdString(frame.key),
                                    QString::fromStdString(frame.path),
                                    QString::fromStdString(frame.className)});
        for (const std::string& part : node.fileMeta->torchFn)
            torchFn.append(QString::fromStdString(part));
    }
    record["stack"] = stack;
    record["torch_fn"] = torchFn;
    return record;
}

QString text(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QString hash(const Tensor& tensor)
{
    const auto digest = sha256(tensor);
    return digest ? QString::fromStdString(*digest) : QString("unreadable");
}

void addCases(const char* name = "zoo.json")
{
    QTest::addColumn<QString>("title");
    for (const QString& title : recorded(name).keys())
        QTest::newRow(qPrintable(title)) << title;
}

/// The large models' short form of a node: its text's first word, and the head of the digest of its record.
QJsonArray shortRecord(const Graph& graph, const Node& node)
{
    const QJsonObject record = nodeRecord(graph, node);
    const QByteArray sum =
        QCryptographicHash::hash(text(record).toUtf8(), QCryptographicHash::Sha256);
    return {record["line"].toString().section(' ', 0, 0), QString(sum.toHex().left(16))};
}

void compareSample(const Tensor& output, const QJsonArray& sample)
{
    const auto values = output.toDoubles();
    QVERIFY(values);
    QVERIFY(!sample.isEmpty());
    for (int i = 0; i < sample.size(); ++i) {
        const double wanted = sample[i].toDouble();
        const double got = (*values)[static_cast<std::size_t>(i)];
        QVERIFY2(std::abs(got - wanted) <= 1e-5 * std::max(1.0, std::abs(wanted)),
                 qPrintable(QString("%1: %2, recorded %3").arg(i).arg(got).arg(wanted)));
    }
}

/// The digits of randn need the vector units of the machine that recorded them; torch without them draws others.
bool drawsAsRecorded()
{
    const auto torch = kernels();
    return torch && (*torch)->info().cpuCapability.starts_with("AVX");
}

} // namespace

class TestZoo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void graphsArePyTorchs_data() { addCases(); }
    void graphsArePyTorchs()
    {
        QFETCH(QString, title);
        const QJsonObject record = recorded()[title].toObject();
        const auto model = build(record);
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        const Graph& graph = *model->graph;
        const QJsonArray expected = record["nodes"].toArray();
        int at = 0;
        for (const Node& node : graph) {
            QVERIFY(at < expected.size());
            QCOMPARE(text(nodeRecord(graph, node)), text(expected[at++].toObject()));
        }
        QCOMPARE(at, expected.size());
        const auto clean = lint(graph);
        QVERIFY2(clean, clean ? "" : clean.error().message().c_str());
    }

    void weightsArePyTorchs_data() { addCases(); }
    void weightsArePyTorchs()
    {
        QFETCH(QString, title);
        const QJsonObject record = recorded()[title].toObject();
        const auto model = build(record);
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        const QJsonObject tensors = record["tensors"].toObject();
        const QJsonArray parameters = record["parameters"].toArray();
        QCOMPARE(static_cast<int>(model->graph->attributes().size()), tensors.size());
        for (const auto& [name, attribute] : model->graph->attributes()) {
            const QString key = QString::fromStdString(name);
            const QByteArray sum = hash(attribute.value).toUtf8();
            QCOMPARE(QString(sum), tensors[key].toObject()["sha256"].toString());
            const bool isParameter = attribute.kind == AttributeKind::Parameter;
            QCOMPARE(isParameter, parameters.contains(QJsonValue(key)));
        }
    }

    void streamGoesOn_data() { addCases(); }
    void streamGoesOn()
    {
        if (!drawsAsRecorded())
            QSKIP("needs AVX2");
        QFETCH(QString, title);
        const QJsonObject record = recorded()[title].toObject();
        const auto model = build(record);
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        QCOMPARE(hash(*model->example[0].tensor()),
                 record["example"].toObject()["sha256"].toString());
        // Each clone starts behind the example.
        for (int round = 0; round < 2; ++round) {
            const auto stream = model->stream->clone();
            const auto batches = drawBatches(*model->graph, 2, *stream);
            QVERIFY(batches);
            QCOMPARE(batches->description, std::string("2 random batches"));
            for (int i = 0; i < 2; ++i)
                QCOMPARE(hash(*batches->batches[static_cast<std::size_t>(i)][0].tensor()),
                         record["batches"].toArray()[i].toObject()["sha256"].toString());
        }
    }

    void outputsArePyTorchs_data() { addCases(); }
    void outputsArePyTorchs()
    {
        if (!drawsAsRecorded())
            QSKIP("needs AVX2 for the input");
        QFETCH(QString, title);
        const QJsonObject record = recorded()[title].toObject();
        const auto model = build(record);
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        const auto program = makeReferenceProgram(model->graph);
        QVERIFY(program);
        const auto report = (*program)->run(model->example, {}, {});
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        QCOMPARE(report->outputs.size(), std::size_t(1));
        const Tensor& output = *report->outputs[0].tensor();
        QCOMPARE(text({{"s", sizes(output.meta().shape)}}),
                 text({{"s", record["output"].toObject()["shape"].toArray()}}));
        compareSample(output, record["sample"].toArray());
    }

    void torchvisionModels_data() { addCases("zoo-torchvision.json"); }
    void torchvisionModels()
    {
        if (!drawsAsRecorded())
            QSKIP("needs AVX2");
        QFETCH(QString, title);
        const QJsonObject record = recorded("zoo-torchvision.json")[title].toObject();
        const auto model = build(record);
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        const Graph& graph = *model->graph;

        const QJsonArray nodes = record["nodes"].toArray();
        QCOMPARE(static_cast<qsizetype>(graph.size()), nodes.size());
        int at = 0;
        for (const Node& node : graph) {
            const QJsonArray got = shortRecord(graph, node);
            QVERIFY2(got == nodes[at++].toArray(), qPrintable(text(nodeRecord(graph, node))));
        }
        const QJsonObject tensors = record["tensors"].toObject();
        QCOMPARE(static_cast<qsizetype>(graph.attributes().size()), tensors.size());
        int parameters = 0;
        for (const auto& [name, attribute] : graph.attributes()) {
            const QString key = QString::fromStdString(name);
            QVERIFY2(hash(attribute.value) == tensors[key].toString(), name.c_str());
            parameters += attribute.kind == AttributeKind::Parameter ? 1 : 0;
        }
        QCOMPARE(parameters, record["parameters"].toInt());
        QCOMPARE(hash(*model->example[0].tensor()),
                 record["example"].toObject()["sha256"].toString());
        const auto program = makeReferenceProgram(model->graph);
        QVERIFY(program);
        const auto report = (*program)->run(model->example, {}, {});
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        compareSample(*report->outputs[0].tensor(), record["sample"].toArray());
    }

    /// The reference cases were recorded by another program, with torchao at hand: the exported stage and the
    /// calibration data must be the same.
    void referenceCases_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"residual", "cat_pool", "stem"})
            QTest::newRow(name) << name;
    }
    void referenceCases()
    {
        if (!drawsAsRecorded())
            QSKIP("needs AVX2");
        QFETCH(QString, name);
        const QString folder = qEnvironmentVariable("PT2E_TEST_DATA") + "/cases/notebook_" + name;
        QFile file(folder + "/golden-torchao.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject exported =
            QJsonDocument::fromJson(file.readAll())["stages"]["exported"].toObject();
        const auto model = buildZooModel(name.toStdString(), {});
        QVERIFY2(model, model ? "" : model.error().message().c_str());

        const QJsonArray nodes = exported["nodes"].toArray();
        int at = 0;
        for (const Node& node : *model->graph) {
            const QJsonObject wanted = nodes[at++].toObject();
            QCOMPARE(QString::fromStdString(node.name), wanted["name"].toString());
            QCOMPARE(QString::fromStdString(node.target), wanted["target"].toString());
            QCOMPARE(names(*model->graph, node.users), wanted["users"].toArray());
        }
        QCOMPARE(at, nodes.size());
        const QJsonObject tensors = exported["tensors"].toObject();
        QVERIFY(!tensors.isEmpty());
        for (const QString& key : tensors.keys()) {
            const Attribute* attribute = model->graph->attributes().find(key.toStdString());
            QVERIFY2(attribute, qPrintable(key));
            QCOMPARE(hash(attribute->value), tensors[key].toObject()["sha256"].toString());
        }
        const auto stream = model->stream->clone();
        const auto drawn = drawBatches(*model->graph, 8, *stream);
        const auto recordedBatches =
            readBatches((folder + "/calib.npz").toStdString(), *model->graph);
        QVERIFY2(recordedBatches, recordedBatches ? "" : recordedBatches.error().message().c_str());
        QCOMPARE(drawn->hash, recordedBatches->hash);
    }

    void decoderGrows()
    {
        ZooOptions options;
        options.layers = 250;
        const auto model = buildZooModel("decoder", options);
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        QCOMPARE(model->graph->size(), std::size_t(13 + 41 * 250));
        QCOMPARE(model->graph->findByName("linear_1500")->kind, OpKind::CallFunction);
    }

    void errorsSayWhatIsWrong()
    {
        const auto unknown = buildZooModel("nonsense", {});
        QVERIFY(!unknown);
        QVERIFY(unknown.error().message().find("residual, cat_pool, stem, mobilenet_v2")
                != std::string::npos);
        ZooOptions options;
        options.channels = 0;
        const auto none = buildZooModel("residual", options);
        QVERIFY(!none);
        QCOMPARE(none.error().message(), std::string("--ch: 0 is outside 1 to 4096"));
        options.channels = 1;
        options.layers = 1000000;
        QVERIFY(!buildZooModel("decoder", options));
        QVERIFY(buildZooModel("cat_pool", options));
    }
};

QTEST_GUILESS_MAIN(TestZoo)
#include "tst_zoo.moc"

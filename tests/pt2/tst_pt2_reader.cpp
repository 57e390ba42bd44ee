// What the reader makes of real files, against what PyTorch makes of them (tests/data/pt2, tests/data/cases).
#include "core/ir/Lint.h"
#include "core/pt2/Reader.h"
#include "tests/pt2/GraphJson.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest/QtTest>

using namespace pt2e;

namespace {

QString dataFolder() { return qEnvironmentVariable("PT2E_TEST_DATA"); }
QString samples() { return dataFolder() + QStringLiteral("/pt2/"); }

QJsonObject jsonFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

Result<ExportedProgram> read(const QString& path, const QString& program = {})
{
    const auto archive = openArchive(path.toStdString());
    if (!archive)
        return passOn(archive);
    return readProgram(*archive, program.toStdString());
}

QStringList codes(const ExportedProgram& program)
{
    QStringList found;
    for (const Diagnostic& diagnostic : program.diagnostics)
        found << QString::fromStdString(diagnostic.code + ": " + diagnostic.message);
    return found;
}

template<typename T>
QByteArray errorText(const Result<T>& result)
{
    return result ? QByteArray() : QByteArray::fromStdString(result.error().message());
}

#define READ(variable, ...)                                              \
    const auto variable##Result = read(__VA_ARGS__);                     \
    QVERIFY2(variable##Result, errorText(variable##Result).constData()); \
    const ExportedProgram& variable = *variable##Result

} // namespace

class TestReader : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sample_data()
    {
        QTest::addColumn<QJsonObject>("expected");
        const QJsonObject programs =
            jsonFile(samples() + QStringLiteral("graphs.json")).value(u"programs").toObject();
        QVERIFY(programs.size() >= 56);
        for (auto it = programs.begin(); it != programs.end(); ++it)
            QTest::newRow(qPrintable(it.key())) << it.value().toObject();
    }
    void sample()
    {
        QFETCH(QJsonObject, expected);
        const QStringList name = QString::fromUtf8(QTest::currentDataTag()).split(u':');
        READ(program, samples() + name[0], name.value(1));
        QCOMPARE(codes(program), QStringList());
        QVERIFY2(lint(*program.graph), "lint");
        QJsonObject graph = graphJson(*program.graph);
        QJsonObject wanted = expected.value(u"graph").toObject();
        if (program.schemaMinor < 7) { // the file does not say how arguments were passed
            graph = withNamedArguments(graph);
            wanted = withNamedArguments(wanted);
        }
        const QString difference = firstDifference(graph, wanted);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));

        const QJsonArray examples = expected.value(u"examples").toArray();
        QCOMPARE(qsizetype(program.examples.size()), examples.size());
        for (qsizetype i = 0; i < examples.size(); ++i) {
            const Value& value = program.examples[std::size_t(i)];
            if (value.tensor())
                QCOMPARE(QJsonValue(tensorJson(*value.tensor())), examples[i]);
            else if (const auto* text = std::get_if<std::string>(&value.data))
                QCOMPARE(QString::fromStdString(*text), examples[i].toString());
            else if (const auto* number = std::get_if<std::int64_t>(&value.data))
                QCOMPARE(qint64(*number), examples[i].toInteger());
        }
    }

    void referenceCase_data()
    {
        QTest::addColumn<QString>("folder");
        const QDir cases(dataFolder() + QStringLiteral("/cases"));
        for (const QString& name : cases.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << cases.filePath(name);
    }
    void referenceCase()
    {
        QFETCH(QString, folder);
        QJsonObject golden;
        for (const char* flavour : {"torchao", "torchao-pt", "executorch"}) {
            if (golden.isEmpty())
                golden = jsonFile(folder
                                  + QStringLiteral("/golden-%1.json").arg(QLatin1String(flavour)));
        }
        const QJsonObject exported =
            golden.value(u"stages").toObject().value(u"exported").toObject();
        QVERIFY(!exported.isEmpty());
        READ(program, folder + QStringLiteral("/model.pt2"));
        QCOMPARE(codes(program), QStringList());
        QVERIFY(!program.examples.empty());
        const QString difference = firstDifference(graphJson(*program.graph), exported);
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    /// Names after a load by the very version that wrote the file.
    void goldenNames_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("names");
        for (const char* version : {"torch-2.6.0/", "torch-2.14.1/"}) {
            const QString folder = samples() + QLatin1String(version);
            const QJsonObject files =
                jsonFile(folder + QStringLiteral("golden.json")).value(u"files").toObject();
            QVERIFY(files.size() > 20);
            for (auto it = files.begin(); it != files.end(); ++it) {
                QStringList names;
                for (const QJsonValue& name : it.value().toObject().value(u"nodes").toArray())
                    names << name.toString();
                QTest::newRow(qPrintable(QLatin1String(version) + it.key()))
                    << folder + it.key() + QStringLiteral(".pt2") << names;
            }
        }
    }
    void goldenNames()
    {
        QFETCH(QString, path);
        QFETCH(QStringList, names);
        READ(program, path);
        QStringList found;
        for (const Node& node : *program.graph) {
            if (node.is(OpKind::CallFunction) && node.target != "aten.copy_.default")
                found << QString::fromStdString(node.name);
        }
        names.erase(std::remove_if(names.begin(), names.end(),
                                   [&](const QString& name) { return !found.contains(name); }),
                    names.end());
        QCOMPARE(found, names);
    }

    void containers()
    {
        const auto old =
            openArchive((samples() + QStringLiteral("torch-2.6.0/mobile.pt2")).toStdString());
        QVERIFY(old);
        QCOMPARE(old->kind(), ContainerKind::OldZip);
        QCOMPARE(old->programNames(), std::vector<std::string>{"model"});
        const auto two =
            openArchive((samples() + QStringLiteral("torch-2.14.1/two_models.pt2")).toStdString());
        QVERIFY(two);
        QCOMPARE(two->kind(), ContainerKind::Archive);
        QCOMPARE(two->programNames(), (std::vector<std::string>{"enc", "dec"}));
        const auto unnamed = readProgram(*two);
        QVERIFY(!unnamed);
        QVERIFY(unnamed.error().message().find("choose one of: enc, dec") != std::string::npos);
        const auto wrong = readProgram(*two, "nope");
        QVERIFY(!wrong && wrong.error().what.find("no program 'nope'") != std::string::npos);

        READ(current, samples() + QStringLiteral("torch-2.14.1/mobile.pt2"));
        QCOMPARE(current.torchVersion.substr(0, 6), std::string("2.14.1"));
        QCOMPARE(current.schemaMajor, 8);
        QCOMPARE(current.schemaMinor, 20);
        QCOMPARE(current.verifiers, std::vector<std::string>{"TRAINING"});
    }

    void sharedStorages()
    {
        for (const char* version : {"torch-2.6.0/", "torch-2.14.1/"}) {
            READ(tied, samples() + QLatin1String(version) + QStringLiteral("transformer_tied.pt2"));
            const Attribute* embedding = tied.graph->attributes().find("emb.weight");
            const Attribute* head = tied.graph->attributes().find("head.weight");
            QVERIFY(head);
            if (embedding) // 2.6 gives both the same name
                QCOMPARE(head->value.storage(), embedding->value.storage());
            READ(views, samples() + QLatin1String(version) + QStringLiteral("views.pt2"));
            const Tensor& a = views.graph->attributes().find("a")->value;
            const Tensor& bt = views.graph->attributes().find("bt")->value;
            QCOMPARE(a.storage(), bt.storage());
            QCOMPARE(a.offset(), 4);
            QCOMPARE(bt.strides(), (std::vector<std::int64_t>{1, 6}));
        }
    }

    void symbols()
    {
        READ(derived, samples() + QStringLiteral("torch-2.14.1/dyn_derived.pt2"));
        std::vector<std::string> sizes;
        for (const SignatureItem& input : derived.inputs)
            sizes.push_back(input.val.tensor()->shape[0].text());
        QCOMPARE(sizes.size(), std::size_t(2));
        QCOMPARE(sizes[1], sizes[0] + " + 1");
        QVERIFY(!derived.ranges.empty());
        QVERIFY(!derived.guards.empty());
        READ(bounded, samples() + QStringLiteral("torch-2.14.1/mobile_dynbatch.pt2"));
        QCOMPARE(bounded.ranges.size(), std::size_t(1));
        QCOMPARE(bounded.ranges[0].high, std::optional<std::int64_t>(64));
    }

    void metadata()
    {
        READ(nested, samples() + QStringLiteral("torch-2.14.1/nested_inputs.pt2"));
        bool sawSecondCall = false;
        for (const Node& node : *nested.graph) {
            if (!node.calls("aten.linear.default"))
                continue;
            QVERIFY(node.fileMeta && !node.fileMeta->moduleStack.empty());
            const ModuleFrame& inner = node.fileMeta->moduleStack.back();
            QCOMPARE(inner.className, std::string("torch.nn.modules.linear.Linear"));
            sawSecondCall = sawSecondCall || inner.key.ends_with("@1");
            QVERIFY(inner.path.find('@') == std::string::npos);
        }
        QVERIFY(sawSecondCall);
        READ(old, samples() + QStringLiteral("torch-2.6.0/transformer_tied.pt2"));
        std::size_t sources = 0;
        for (const Node& node : *old.graph)
            sources += node.fileMeta && !node.fileMeta->sourceFnStack.empty() ? 1 : 0;
        QVERIFY(sources > 0);
        READ(custom, samples() + QStringLiteral("torch-2.14.1/custom_meta.pt2"));
        QVERIFY(custom.custom.find("\"tool\"") != std::string::npos);
        QVERIFY(custom.graph->findByName("linear")->fileMeta->custom.find("\"tool\"")
                != std::string::npos);
    }

    void mutationsBecomeCopies()
    {
        READ(functional, samples() + QStringLiteral("torch-2.14.1/buffers_functional.pt2"));
        const Node* output = functional.graph->output();
        const NodeId last = functional.graph->previousOf(output->id);
        QCOMPARE(functional.graph->node(last).target, std::string("aten.copy_.default"));
        QCOMPARE(functional.graph->attributes().find("np")->kind,
                 AttributeKind::NonPersistentBuffer);
        QCOMPARE(functional.graph->attributes().find("p")->kind, AttributeKind::Buffer);
    }
};

QTEST_APPLESS_MAIN(TestReader)
#include "tst_pt2_reader.moc"

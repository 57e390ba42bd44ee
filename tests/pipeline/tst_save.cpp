// What goes back to Python: the converted graph as torch.export makes it, and annotations that come back from a file.
#include "core/ir/GraphEditor.h"
#include "core/ir/Text.h"
#include "core/pipeline/AnnotationMeta.h"
#include "core/pipeline/Save.h"
#include "core/pipeline/StageDump.h"
#include "tests/support/Cases.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest/QtTest>

using namespace pt2e;
using namespace pt2e::test;

namespace {

ModelPtr modelOf(const std::string& path)
{
    const auto model = openModel({path, {}, 8, 2, 0}, {});
    return model ? *model : nullptr;
}

SnapshotPtr runCase(const std::string& name, const Recipe& recipe)
{
    return Pipeline(modelOf(casePath(name, "model.pt2"))).run(recipe, StageKind::Converted, {});
}

QuantizerSettings quantizer(QuantizerFlavor flavor, bool perChannel = true, bool dynamic = false)
{
    QuantizerSettings settings;
    settings.flavor = flavor;
    settings.global->perChannel = perChannel;
    settings.global->dynamic = dynamic;
    return settings;
}

/// Digits of reals cut away: scales are compared elsewhere, in the regime of the machine.
QString withoutReals(const std::string& text)
{
    static const QRegularExpression real(QStringLiteral("\\d+\\.\\d+(e-?\\d+)?"));
    return QString::fromStdString(text).replace(real, QStringLiteral("#")).trimmed();
}

Edit edit(const char* at, EditSpec spec) { return {*NamedPoint::parse(at), std::move(spec)}; }

/// A bias whose scale is the product of two others, and an output that is not observed.
std::vector<Edit> someEdits()
{
    EditSpec derived;
    derived.kind = EditSpec::Kind::Derived;
    derived.derivedFrom = {*NamedPoint::parse("x->linear"),
                           *NamedPoint::parse("fc1_weight->linear")};
    derived.derived.quantMin = -2147483648;
    derived.derived.quantMax = 2147483647;
    derived.derived.qscheme = QScheme::PerTensorAffine;
    EditSpec fixed;
    fixed.kind = EditSpec::Kind::Fixed;
    fixed.fixed.scale = 0.0625;
    fixed.fixed.zeroPoint = -3;
    fixed.fixed.quantMin = -128;
    fixed.fixed.quantMax = 127;
    fixed.fixed.qscheme = QScheme::PerTensorAffine;
    Edit alone = edit("linear", fixed);
    alone.allowImplicitSharing = false;
    return {edit("fc1_bias->linear", derived), alone};
}

} // namespace

class TestSave : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
        QVERIFY(m_folder.isValid());
    }

    /// tests/data/written: print(graph) of what Python exports, saves and loads of its converted module. Attributes in
    /// the order of the module's copies, none that only dead nodes read; sizes of inputs behind the inputs; a no_grad
    /// region whose nodes take their names among all others; quantized bodies of loops; a branch whose inputs have the
    /// names of what they are given.
    void writtenGraphIsPythons_data()
    {
        QTest::addColumn<QString>("name");
        const QDir folder(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/written"));
        for (const QString& file : folder.entryList({QStringLiteral("*.txt")}, QDir::Files))
            QTest::addRow("%s", qPrintable(file)) << file.chopped(4);
    }
    void writtenGraphIsPythons()
    {
        QFETCH(QString, name);
        const bool perTensor = name.endsWith(QStringLiteral("-pt"));
        const std::string caseName = name.chopped(perTensor ? 3 : 0).toStdString();
        const SnapshotPtr snapshot =
            runCase(caseName, recipeFor(caseName, quantizer(QuantizerFlavor::TorchAo, !perTensor)));
        QVERIFY(snapshot->converted);
        const std::string path = file("converted.pt2");
        const auto saved = saveConverted(path, *snapshot);
        QVERIFY2(saved, saved ? "" : saved.error().message().c_str());
        const ModelPtr again = modelOf(path);
        QVERIFY(again);
        const std::string wanted = readText(qEnvironmentVariable("PT2E_TEST_DATA").toStdString()
                                            + "/written/" + name.toStdString() + ".txt");
        const QStringList parts = QString::fromStdString(wanted).split(
            QRegularExpression(QStringLiteral("\\n(?=\\w+: graph\\(\\))")));
        QCOMPARE(withoutReals(printGraph(*again->exported)), withoutReals(parts[0].toStdString()));
        QCOMPARE(again->exported->subgraphs().size(), std::size_t(parts.size() - 1));
        for (const QString& part : parts.mid(1)) {
            const auto* body =
                again->exported->subgraphs().find(part.section(':', 0, 0).toStdString());
            QVERIFY2(body, qPrintable(part));
            QCOMPARE(withoutReals(printGraph(**body)),
                     withoutReals(part.section(QStringLiteral(": "), 1).toStdString()));
        }
        // Nothing is to be annotated in what is converted already.
        QVERIFY(again->form.kind != ProgramKind::Annotated);
    }

    /// Scales per channel are tensors of the body, for which torch.export.save has no form either.
    void tensorsOfBodiesAreRefused()
    {
        const SnapshotPtr snapshot =
            runCase("scan_linear", recipeFor("scan_linear", quantizer(QuantizerFlavor::TorchAo)));
        const auto saved = saveConverted(file("refused.pt2"), *snapshot);
        QVERIFY(!saved);
        QCOMPARE(saved.error().message(),
                 std::string("node '_scale_0': a sub-graph's own tensor has no form in a .pt2 file "
                             "(torch.export.save refuses it, too)"));
        QVERIFY(!QFile::exists(QString::fromStdString(file("refused.pt2"))));
    }

    /// A float file with annotations gives the same stages as the quantizer that made them.
    void annotationsComeBack_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("flavor");
        QTest::addColumn<bool>("edited");
        QTest::addColumn<bool>("dynamic");
        const int torchao = int(QuantizerFlavor::TorchAo),
                  executorch = int(QuantizerFlavor::ExecuTorch);
        for (const char* name : {"residual", "cat_pool", "add_scalar", "linear_shared_weight",
                                 "transformer_layer", "linear_bn", "while_loop"}) {
            QTest::addRow("%s torchao", name)
                << QString::fromUtf8(name) << torchao << false << false;
            QTest::addRow("%s executorch", name)
                << QString::fromUtf8(name) << executorch << false << false;
        }
        QTest::addRow("edited") << QStringLiteral("mlp") << torchao << true << false;
        QTest::addRow("dynamic") << QStringLiteral("tied_embedding") << executorch << false << true;
        QTest::addRow("dead code")
            << QStringLiteral("tied_embedding") << executorch << false << false;
    }
    void annotationsComeBack()
    {
        QFETCH(QString, name);
        QFETCH(int, flavor);
        QFETCH(bool, edited);
        QFETCH(bool, dynamic);
        const std::string caseName = name.toStdString();
        Recipe recipe = recipeFor(caseName, quantizer(QuantizerFlavor(flavor), true, dynamic));
        if (edited)
            recipe.edits = someEdits();
        const SnapshotPtr first = runCase(caseName, recipe);
        QVERIFY2(!first->error, first->error ? first->error->message().c_str() : "");
        const std::string path = file("annotated.pt2");
        QVERIFY(saveAnnotated(path, *first));
        const ModelPtr stored = modelOf(path);
        QVERIFY(stored && stored->form.kind == ProgramKind::Annotated);
        const Recipe asStored = recipeFor(caseName, quantizer(QuantizerFlavor::None));
        const SnapshotPtr second = Pipeline(stored).run(asStored, StageKind::Converted, {});
        QVERIFY2(!second->error, second->error ? second->error->message().c_str() : "");
        for (const Diagnostic& diagnostic : second->diagnostics)
            QVERIFY2(diagnostic.code != "file-annotation", diagnostic.message.c_str());

        for (const Node& node : *first->annotated->folded.graph) {
            const Annotation* before = first->annotated->annotations.find(node.id);
            const Annotation* after = second->annotated->annotations.find(
                second->annotated->folded.graph->findByName(node.name)->id);
            if (before)
                QVERIFY(after && after->allowImplicitSharing == before->allowImplicitSharing);
        }

        std::string error;
        const auto wanted = parseDump(*dumpStages(*first), error);
        const auto got = parseDump(*dumpStages(*second), error);
        QVERIFY2(error.empty(), error.c_str());
        for (const DumpDifference& difference : compareDumps(wanted, got, {}))
            QTest::qFail(difference.line().c_str(), __FILE__, __LINE__);
    }

    /// A plain file has none, and quantizer "none" stays what it was.
    void plainFilesCarryNone()
    {
        const ModelPtr model = modelOf(casePath("residual", "model.pt2"));
        QVERIFY(model->form.kind != ProgramKind::Annotated);
        const SnapshotPtr snapshot =
            runCase("residual", recipeFor("residual", quantizer(QuantizerFlavor::None)));
        QVERIFY(!snapshot->error);
        QCOMPARE(snapshot->annotated->annotations.size(), std::size_t(0));
    }

    void badAnnotationsAreReported_data()
    {
        QTest::addColumn<QByteArray>("annotation");
        QTest::addColumn<QByteArray>("reason");
        QTest::addRow("no object") << QByteArray("7") << QByteArray("quantization_annotation");
        QTest::addRow("no such input")
            << QByteArray(R"({"inputs": [["nowhere", null]], "output": null})")
            << QByteArray("there is no input 'nowhere'");
        QTest::addRow("half a pair") << QByteArray(R"({"inputs": [["x"]], "output": null})")
                                     << QByteArray("there is no input 'x'");
        QTest::addRow("unknown kind")
            << QByteArray(R"({"inputs": [], "output": {"kind": "odd"}})") << QByteArray("'kind'");
        QTest::addRow("shared with nobody")
            << QByteArray(R"({"inputs": [], "output": {"kind": "shared", "with": "nobody"}})")
            << QByteArray("nobody");
        QTest::addRow("no such operand")
            << QByteArray(R"({"operands": {"nobody": {"inputs": [], "output": null}}})")
            << QByteArray("there is no operand 'nobody'");
        QTest::addRow("other key") << QByteArray(R"({"more": 1})") << QByteArray("unknown key");
    }
    void badAnnotationsAreReported()
    {
        QFETCH(QByteArray, annotation);
        QFETCH(QByteArray, reason);
        GraphEditor editor{Graph(*modelOf(casePath("residual", "model.pt2"))->exported)};
        auto meta = std::make_shared<FileMeta>();
        meta->custom =
            "{\"mine\": 1, \"quantization_annotation\": " + annotation.toStdString() + "}";
        editor.setFileMeta(editor.graph().findByName("conv2d")->id, meta);
        Diagnostics diagnostics;
        const AnnotationTable table = annotationsIn(*std::move(editor).publish(), diagnostics);
        QCOMPARE(table.size(), std::size_t(0));
        QCOMPARE(diagnostics.size(), std::size_t(1));
        QCOMPARE(diagnostics[0].code, std::string("file-annotation"));
        QCOMPARE(diagnostics[0].node, std::string("conv2d"));
        QVERIFY2(diagnostics[0].message.find(reason.toStdString()) != std::string::npos,
                 diagnostics[0].message.c_str());
    }

    /// Under the same file name, twice; storages shared by weights stay shared.
    void sameBytesTwice()
    {
        const Recipe recipe =
            recipeFor("tied_embedding", quantizer(QuantizerFlavor::TorchAo, false));
        const std::string path = file("twice.pt2");
        QVERIFY(saveConverted(path, *runCase("tied_embedding", recipe)));
        const std::string before = readText(path);
        QVERIFY(!before.empty());
        QVERIFY(saveConverted(path, *runCase("tied_embedding", recipe)));
        QVERIFY(readText(path) == before);
        QVERIFY(saveAnnotated(path, *runCase("tied_embedding", recipe)));
        const ModelPtr again = modelOf(path);
        const auto storageOf = [&](const char* name) {
            return again->exported->attributes().find(name)->value.storage();
        };
        QCOMPARE(storageOf("emb.weight"), storageOf("head.weight"));
    }

private:
    std::string file(const char* name) const
    {
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestSave)
#include "tst_save.moc"

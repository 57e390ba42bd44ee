// What is wrong with an edit before it is made: every kind of conflict.
#include "core/pipeline/EditCheck.h"
#include "core/pipeline/Edits.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/StageDump.h"
#include "core/pipeline/Stages.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>

#include <algorithm>

using namespace pt2e;
using namespace pt2e::test;

namespace {

NamedPoint point(const char* text) { return *NamedPoint::parse(text); }

EditSpec observed(DType dtype, std::int64_t low, std::int64_t high)
{
    EditSpec spec;
    spec.kind = EditSpec::Kind::Observed;
    spec.observed.dtype = dtype;
    spec.observed.quantMin = low;
    spec.observed.quantMax = high;
    spec.observed.qscheme = QScheme::PerTensorAffine;
    return spec;
}

EditSpec sharedWith(const char* other)
{
    EditSpec spec;
    spec.kind = EditSpec::Kind::Shared;
    spec.sharedWith = point(other);
    return spec;
}

struct Annotated
{
    Recipe recipe;
    std::shared_ptr<const AnnotatedStage> stage;
};

Annotated annotated(const char* what, Recipe recipe = {})
{
    const auto model = openModel({what, {}, 8, 2, 0}, {});
    const auto stage = model ? annotateStage(**model, recipe, {})
                             : Result<std::shared_ptr<const AnnotatedStage>>(nullptr);
    return {std::move(recipe), stage ? *stage : nullptr};
}

} // namespace

Q_DECLARE_METATYPE(pt2e::Edit)

class TestEditCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void conflicts_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("severity");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* at, EditSpec spec, ConflictKind kind,
                            Severity severity, const char* message) {
            QTest::newRow(name) << Edit{point(at), std::move(spec)} << static_cast<int>(kind)
                                << static_cast<int>(severity) << QString::fromUtf8(message);
        };
        using K = ConflictKind;
        using S = Severity;
        row("missing node", "relu_7", {}, K::MissingNode, S::Error,
            "point 'relu_7': there is no node 'relu_7'");
        row("missing node to share with", "relu", sharedWith("x->relu_7"), K::MissingNode, S::Error,
            "point 'x->relu_7': there is no node 'relu_7'");
        row("no such edge", "x->relu", {}, K::MissingNode, S::Error, "'relu' does not read 'x'");
        row("range outside of the dtype", "relu", observed(DType::Int8, -200, 100), K::BadSpec,
            S::Error, "a range of 301 values does not fit int8");
        row("circle", "x->conv2d", sharedWith("x->conv2d"), K::Circle, S::Error,
            "x->conv2d would share with itself, by way of x->conv2d");
        row("nothing to share with", "relu", sharedWith("conv2d"), K::NoAnnotation, S::Error,
            "nothing is asked for at conv2d");
        row("anchor that comes later", "x->conv2d", sharedWith("relu"), K::LaterAnchor, S::Error,
            "the observer of relu is made later than that of x->conv2d");
        row("another dtype", "relu", observed(DType::UInt8, 0, 255), K::DTypeMismatch, S::Warning,
            "at relu->conv2d_1 a value is given in uint8 and read in int8: it is quantized twice");
        row("another range", "relu", observed(DType::Int8, -64, 63), K::RangeMismatch, S::Warning,
            "given as int8 -64…63 per_tensor_affine and read as int8 -128…127 per_tensor_affine");
        row("no kernels", "relu_1", observed(DType::Int16, -32768, 32767), K::FloatOnXnnpack,
            S::Note, "XNNPACK has no kernels for activations in int16");
    }
    void conflicts()
    {
        QFETCH(Edit, edit);
        QFETCH(int, kind);
        QFETCH(int, severity);
        QFETCH(QString, message);
        const Annotated residual = annotated("residual");
        QVERIFY(residual.stage);
        const auto found = conflictsOf(*residual.stage, residual.recipe, edit);
        QVERIFY(!found.empty());
        const auto it = std::find_if(found.begin(), found.end(), [&](const EditConflict& conflict) {
            return static_cast<int>(conflict.kind) == kind;
        });
        QVERIFY2(it != found.end(), found.front().message.c_str());
        QCOMPARE(static_cast<int>(it->severity), severity);
        QVERIFY2(QString::fromStdString(it->message).contains(message), it->message.c_str());
        // Errors come first, and are those that the stages run into.
        const bool fails = found.front().severity == Severity::Error;
        const auto stage = annotateFolded(residual.stage->folded, withEdit({}, edit));
        QVERIFY(stage);
        const bool isLeftOut =
            std::any_of((*stage)->diagnostics.begin(), (*stage)->diagnostics.end(),
                        [](const Diagnostic& d) { return d.code == "edit-missing-node"; });
        QCOMPARE(fails, isLeftOut || !prepareStage(**stage, {}));
    }

    void nothingSpeaksAgainst()
    {
        const Annotated residual = annotated("residual");
        QVERIFY(conflictsOf(*residual.stage, {}, {point("x->conv2d"), {}}).empty());
        QVERIFY(
            conflictsOf(*residual.stage, {}, {point("relu_1"), observed(DType::Int8, -128, 127)})
                .empty());
        QVERIFY(
            conflictsOf(*residual.stage, {}, {point("x->add"), sharedWith("x->conv2d")}).empty());
    }

    // What is wrong already is not the new edit's.
    void onlyWhatIsNew()
    {
        const Recipe recipe = withEdit({}, {point("relu"), sharedWith("conv2d")});
        const Annotated broken = annotated("residual", recipe);
        QVERIFY(conflictsOf(*broken.stage, recipe, {point("relu_1"), {}}).empty());
    }

    // prepare_pt2e observes whatever an operator reads; what then fails is in tst_odd_edits.
    void aValueThatIsNoTensor()
    {
        const std::string file = casePath("chunk_split_slice", "model.pt2");
        const Annotated split = annotated(file.c_str());
        QVERIFY(split.stage);
        EditSpec fixed;
        fixed.kind = EditSpec::Kind::Fixed;
        fixed.fixed = {DType::Int8, 0.0625, 0, -128, 127, QScheme::PerTensorAffine, false};
        for (const EditSpec& spec :
             {observed(DType::Int8, -128, 127), fixed, sharedWith("conv2d")}) {
            const auto found = conflictsOf(*split.stage, {}, {point("chunk->getitem_1"), spec});
            QVERIFY(!found.empty());
            QCOMPARE(static_cast<int>(found.front().kind),
                     static_cast<int>(ConflictKind::NotATensor));
            QCOMPARE(static_cast<int>(found.front().severity), static_cast<int>(Severity::Warning));
            QVERIFY2(found.front().message.starts_with("chunk is not a tensor"),
                     found.front().message.c_str());
        }
        QVERIFY(conflictsOf(*split.stage, {}, {point("chunk->getitem_1"), {}}).empty());
        // Its output gets no observer.
        QVERIFY(conflictsOf(*split.stage, {}, {point("chunk"), observed(DType::Int8, -128, 127)})
                    .empty());
    }

    // From torchao's gap at cat to ExecuTorch's graph, an op at a time.
    void asTheOtherQuantizer()
    {
        const auto model = openModel({"cat_pool", {}, 8, 2, 0}, {});
        QVERIFY(model);
        Recipe theirs;
        theirs.quantizer.flavor = QuantizerFlavor::ExecuTorch;
        const auto other = annotateStage(**model, theirs, {});
        QVERIFY(other);
        Recipe recipe;
        for (const char* node : {"cat", "max_pool2d"}) {
            const auto now = annotateStage(**model, recipe, {});
            QVERIFY(now);
            const std::vector<Edit> edits = editsLike(**other, **now, node);
            QVERIFY(!edits.empty());
            for (const Edit& edit : edits)
                recipe = withEdit(recipe, edit);
        }
        const auto graphs = [&](const Recipe& r) {
            const SnapshotPtr snapshot = Pipeline(*model).run(r, StageKind::Converted, {});
            auto dump = dumpStages(*snapshot);
            std::string text = dump ? *dump : dump.error().message();
            // All but the line that names the quantizer.
            return text.erase(text.find("\"quantizer\""),
                              text.find('\n', text.find("\"quantizer\""))
                                  - text.find("\"quantizer\""));
        };
        QCOMPARE(graphs(recipe), graphs(theirs));
        const auto now = annotateStage(**model, recipe, {});
        QVERIFY(editsLike(**other, **now, "no_such_node").empty());
    }
};

QTEST_GUILESS_MAIN(TestEditCheck)
#include "tst_edit_check.moc"

// Annotations that nobody's quantizer makes, but an edit or a rule can: the stage and the reason of what fails.
#include "core/pipeline/Pipeline.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>

using namespace pt2e;
using namespace pt2e::test;

namespace {

Edit edit(const char* at, EditSpec spec = {}) { return {*NamedPoint::parse(at), std::move(spec)}; }

EditSpec sharedWith(const char* point)
{
    EditSpec spec;
    spec.kind = EditSpec::Kind::Shared;
    spec.sharedWith = *NamedPoint::parse(point);
    return spec;
}

EditSpec observedBy(ObserverKind kind)
{
    EditSpec spec;
    spec.kind = EditSpec::Kind::Observed;
    spec.observed.observer.kind = kind;
    spec.observed.quantMin = -128;
    spec.observed.quantMax = 127;
    spec.observed.qscheme = QScheme::PerTensorAffine;
    return spec;
}

SnapshotPtr run(const std::string& what, std::vector<Edit> edits, CalibrationChoice data = {})
{
    const auto model = openModel({what, {}, 8, 2, 0}, {});
    if (!model)
        return nullptr;
    Recipe recipe;
    recipe.edits = std::move(edits);
    recipe.calibration = std::move(data);
    return Pipeline(*model).run(recipe, StageKind::Converted, {});
}

/// A recorded case with its own data.
SnapshotPtr runCase(const std::string& name, std::vector<Edit> edits)
{
    const std::string folder =
        qEnvironmentVariable("PT2E_TEST_DATA").toStdString() + "/cases/" + name;
    CalibrationChoice data;
    data.source = CalibrationChoice::Source::File;
    data.path = folder + "/calib.npz";
    return run(folder + "/model.pt2", std::move(edits), std::move(data));
}

} // namespace

class TestOddEdits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    // torchao makes no observer for the group and then wants to insert it behind the node.
    void anOutputCannotShareWithAPointThatIsNotObserved()
    {
        const SnapshotPtr snapshot =
            run("residual", {edit("x->conv2d"), edit("conv2d_1", sharedWith("x->conv2d"))});
        QVERIFY(snapshot && snapshot->error && !snapshot->prepared && snapshot->annotated);
        QCOMPARE(
            snapshot->error->message(),
            std::string(
                "prepare: node 'conv2d_1': its output shares the observer of a point that is not observed "
                "(torchao raises AttributeError here)"));
    }

    // An input may: it is then not observed either.
    void anInputCan()
    {
        const SnapshotPtr snapshot =
            run("residual", {edit("x->conv2d"), edit("conv2d->relu", sharedWith("x->conv2d"))});
        QVERIFY(snapshot && !snapshot->error && snapshot->converted);
    }

    // The bias is prepared and its observer calibrated; there are no numbers to convert it with.
    void derivedFromAPointThatIsNotObserved()
    {
        EditSpec derived;
        derived.kind = EditSpec::Kind::Derived;
        derived.derivedFrom = {*NamedPoint::parse("x->conv2d"),
                               *NamedPoint::parse("conv_weight->conv2d")};
        derived.derived.qscheme = QScheme::PerTensorSymmetric;
        const SnapshotPtr snapshot =
            runCase("derived_bias", {edit("x->conv2d"), edit("conv_bias->conv2d", derived)});
        QVERIFY(snapshot && snapshot->prepared && snapshot->error && !snapshot->converted);
        const QString message = QString::fromStdString(snapshot->error->message());
        QVERIFY2(message.contains("is not observed (torchao raises AttributeError here)"),
                 qPrintable(message));
    }

    void aTupleCannotBeObserved()
    {
        for (const ObserverKind kind : {ObserverKind::MinMax, ObserverKind::Histogram}) {
            const SnapshotPtr snapshot =
                runCase("while_never", {edit("while_loop->getitem_1", observedBy(kind))});
            QVERIFY(snapshot && snapshot->prepared && snapshot->error && !snapshot->converted);
            QCOMPARE(snapshot->error->message(),
                     "calibration batch 0: while_loop: " + std::string(observerClassName(kind))
                         + ": what it observes is not a tensor");
        }
        // A placeholder looks at nothing.
        const SnapshotPtr snapshot = runCase(
            "while_never", {edit("while_loop->getitem_1", observedBy(ObserverKind::Placeholder))});
        QVERIFY(snapshot && snapshot->calibrated);
    }

    // Where nothing is measured, convert is the first to ask what it is.
    void norQuantized()
    {
        EditSpec fixed;
        fixed.kind = EditSpec::Kind::Fixed;
        fixed.fixed = {DType::Int8, 0.0625, 0, -128, 127, QScheme::PerTensorAffine, false};
        EditSpec dynamic = observedBy(ObserverKind::Placeholder);
        dynamic.observed.isDynamic = true;
        for (const EditSpec& spec : {fixed, dynamic}) {
            const SnapshotPtr snapshot =
                runCase("chunk_split_slice", {edit("chunk->getitem_1", spec)});
            QVERIFY(snapshot && snapshot->calibrated && snapshot->error && !snapshot->converted);
            QCOMPARE(snapshot->error->message(),
                     std::string("convert: 'activation_post_process_3': "
                                 "what it observes is not a tensor"));
        }
    }
};

QTEST_GUILESS_MAIN(TestOddEdits)
#include "tst_odd_edits.moc"

// Hardware profiles: what breaks them is found, mended by rules and edits, and nothing else gets worse.
#include "core/pipeline/EditCheck.h"
#include "core/pipeline/HardwareMend.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/RecipePython.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <set>

using namespace pt2e;
using namespace pt2e::test;

namespace {

using Key = std::pair<Constraint, std::string>;

std::set<Key> keysOf(const std::vector<Violation>& violations)
{
    std::set<Key> keys;
    for (const Violation& violation : violations)
        keys.insert({violation.constraint, violation.message()});
    return keys;
}

std::vector<Violation> of(const std::vector<Violation>& all, Constraint constraint,
                          const std::string& op = {})
{
    std::vector<Violation> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const Violation& v) {
        return v.constraint == constraint && (op.empty() || v.op == op);
    });
    return chosen;
}

std::string text(const std::vector<Violation>& violations)
{
    std::string all;
    for (const Violation& violation : violations)
        all +=
            std::string(constraintName(violation.constraint)) + ": " + violation.message() + "\n";
    return all;
}

std::unique_ptr<Pipeline> pipelineOf(const QString& what)
{
    const auto model = openModel({what.toStdString(), {}, 8, 2, 0}, {});
    return model ? std::make_unique<Pipeline>(*model) : nullptr;
}

Recipe recipeWith(const QString& base)
{
    Recipe recipe;
    recipe.calibration.batches = 2;
    if (base == "executorch")
        recipe.quantizer.flavor = QuantizerFlavor::ExecuTorch;
    if (base == "dynamic")
        recipe.quantizer.global->dynamic = true;
    return recipe;
}

} // namespace

class TestHardwareProfile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void names()
    {
        std::set<std::string_view> seen;
        for (const HardwareProfile& profile : hardwareProfiles()) {
            QVERIFY(seen.insert(profile.name).second);
            QCOMPARE(profileNamed(profile.name), &profile);
            QVERIFY(std::is_sorted(profile.constraints.begin(), profile.constraints.end()));
        }
        QVERIFY(!profileNamed("abacus"));
    }

    void violationsVanish_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("profile");
        // A weight with scales per channel that are not the bias' channels.
        const auto transposed =
            QString::fromStdString(casePath("conv_transpose_groups", "model.pt2"));
        for (const HardwareProfile& profile : hardwareProfiles()) {
            const QString name = QString::fromUtf8(profile.name.data());
            QTest::addRow("transposed %s", qPrintable(name))
                << transposed << QString("torchao") << name;
        }
        for (const char* model : {"residual", "cat_pool", "encoder"}) {
            for (const char* base : {"torchao", "executorch", "dynamic"}) {
                if (base == std::string_view("dynamic") && model != std::string_view("encoder"))
                    continue; // quantizes nothing there
                for (const HardwareProfile& profile : hardwareProfiles()) {
                    const QString name = QString::fromUtf8(profile.name.data());
                    QTest::addRow("%s %s %s", model, base, qPrintable(name))
                        << QString(model) << QString(base) << name;
                }
            }
        }
    }
    // Constraint by constraint: exactly its violations go, and at the end the profile holds and the model converts.
    void violationsVanish()
    {
        QFETCH(QString, model);
        QFETCH(QString, base);
        QFETCH(QString, profile);
        const HardwareProfile& hardware = *profileNamed(profile.toStdString());
        const auto pipeline = pipelineOf(model);
        QVERIFY(pipeline);
        Recipe recipe = recipeWith(base);
        SnapshotPtr snapshot = pipeline->run(recipe, StageKind::Converted, {});
        QVERIFY2(snapshot->converted, snapshot->error ? snapshot->error->message().c_str() : "");
        QVERIFY2(!violationsOf(*snapshot, hardware).empty(), "nothing to mend");
        for (const Constraint constraint : hardware.constraints) {
            const std::vector<Violation> before = violationsOf(*snapshot, hardware);
            const std::vector<Violation> wrong = of(before, constraint);
            if (wrong.empty())
                continue;
            const RecipeChange change = mendOf(*snapshot, wrong);
            QVERIFY(!change.isEmpty());
            recipe = withChange(recipe, change);
            const SnapshotPtr next = pipeline->run(recipe, StageKind::Converted, {});
            QVERIFY2(next->converted, next->error ? next->error->message().c_str() : "");
            const auto conflicts = newConflicts(*snapshot->annotated, *next->annotated);
            QVERIFY2(conflicts.empty() || conflicts.front().severity == Severity::Note,
                     conflicts.empty() ? "" : conflicts.front().message.c_str());
            const std::vector<Violation> after = violationsOf(*next, hardware);
            QVERIFY2(of(after, constraint).empty(), text(of(after, constraint)).c_str());
            for (const Constraint earlier : hardware.constraints) {
                if (earlier < constraint)
                    QVERIFY2(of(after, earlier).empty(), text(of(after, earlier)).c_str());
            }
            snapshot = next;
        }
        QVERIFY(violationsOf(*snapshot, hardware).empty());
        const auto again = readRecipe(writeRecipe(recipe), "recipe");
        QVERIFY2(again, again ? "" : again.error().message().c_str());
        QVERIFY(*again == recipe);
        QVERIFY(recipeToPython(recipe).find("class RecipeQuantizer") != std::string::npos);
    }

    // One click on one line of the list: what is told goes, nothing new comes.
    void oneOperatorAtATime_data() { violationsVanish_data(); }
    void oneOperatorAtATime()
    {
        QFETCH(QString, model);
        QFETCH(QString, base);
        QFETCH(QString, profile);
        const HardwareProfile& hardware = *profileNamed(profile.toStdString());
        const auto pipeline = pipelineOf(model);
        QVERIFY(pipeline);
        const Recipe recipe = recipeWith(base);
        const SnapshotPtr snapshot = pipeline->run(recipe, StageKind::Calibrated, {});
        const std::vector<Violation> before = violationsOf(*snapshot, hardware);
        std::set<std::pair<Constraint, std::string>> groups;
        for (const Violation& violation : before)
            groups.insert({violation.constraint, violation.op});
        for (const auto& [constraint, op] : groups) {
            const std::vector<Violation> wrong = of(before, constraint, op);
            const Recipe mended = withChange(recipe, mendOf(*snapshot, wrong));
            const SnapshotPtr next = pipeline->run(mended, StageKind::Calibrated, {});
            QVERIFY2(next->calibrated, next->error ? next->error->message().c_str() : "");
            const auto conflicts = newConflicts(*snapshot->annotated, *next->annotated);
            QVERIFY2(conflicts.empty() || conflicts.front().severity == Severity::Note,
                     conflicts.empty() ? "" : conflicts.front().message.c_str());
            const std::vector<Violation> after = violationsOf(*next, hardware);
            QVERIFY2(of(after, constraint, op).empty(), text(of(after, constraint, op)).c_str());
            // Other scales are other numbers; anything else stays as it was or goes along.
            const std::set<Key> known = keysOf(of(before, constraint));
            for (const Key& key : keysOf(of(after, constraint)))
                QVERIFY2(constraint == Constraint::PowerOfTwo || known.contains(key),
                         key.second.c_str());
        }
    }

    void rulesAreForAllOfAKind()
    {
        const auto pipeline = pipelineOf("residual");
        const Recipe recipe = recipeWith("torchao");
        const SnapshotPtr snapshot = pipeline->run(recipe, StageKind::Calibrated, {});
        const auto all = violationsOf(*snapshot, *profileNamed("symmetric"));
        QCOMPARE(of(all, Constraint::Symmetric).size(), std::size_t(7));
        // conv2d_1 is observed behind, conv2d is not: that is no rule for both.
        const RecipeChange change = mendOf(*snapshot, of(all, Constraint::Symmetric));
        QCOMPARE(change.rules.size(), std::size_t(3));
        QCOMPARE(change.rules[0].match.op, std::string("aten.conv2d.default"));
        QCOMPARE(change.rules[0].inputs.size(), std::size_t(1));
        QVERIFY(!change.rules[0].output);
        QCOMPARE(change.edits.size(), std::size_t(1));
        QCOMPARE(change.edits[0].at.text(), std::string("conv2d_1"));

        const RecipeChange bias = mendOf(*snapshot, of(all, Constraint::Int32Bias));
        QCOMPARE(bias.rules.size(), std::size_t(1));
        QVERIFY(bias.edits.empty());
        // It joins the rule for the same operators.
        const Recipe both = withChange(withChange(recipe, change), bias);
        QCOMPARE(both.rules.size(), std::size_t(3));
        QCOMPARE(both.rules[0].inputs.size(), std::size_t(3));
        QVERIFY(both.rules[0].inputs[0].kind == EditSpec::Kind::Observed);
        QVERIFY(both.rules[0].inputs[1].kind == EditSpec::Kind::Default);
        QVERIFY(both.rules[0].inputs[2].kind == EditSpec::Kind::Derived);
    }

    // An edit wins over every rule, so an edited point is mended by an edit.
    void editedPoints()
    {
        const auto pipeline = pipelineOf("residual");
        Recipe recipe = recipeWith("torchao");
        EditSpec spec;
        spec.kind = EditSpec::Kind::Fixed;
        spec.fixed = {DType::UInt8, 0.05, 128, 0, 255, QScheme::PerTensorAffine, false};
        recipe = withEdit(recipe, {{"x", "conv2d"}, spec});
        recipe = withEdit(recipe, {{"x", "add"}, spec});
        const SnapshotPtr snapshot = pipeline->run(recipe, StageKind::Calibrated, {});
        QVERIFY(snapshot->calibrated);
        const auto& hardware = *profileNamed("symmetric");
        const auto wrong = of(violationsOf(*snapshot, hardware), Constraint::Symmetric);
        const Recipe mended = withChange(recipe, mendOf(*snapshot, wrong));
        const SnapshotPtr next = pipeline->run(mended, StageKind::Calibrated, {});
        QVERIFY(next->calibrated);
        QVERIFY(of(violationsOf(*next, hardware), Constraint::Symmetric).empty());
        const FixedSpec& fixed = mended.edits[0].spec.fixed;
        QVERIFY(fixed.dtype == DType::Int8 && fixed.zeroPoint == 0);
        // From 0.05 · (0 − 128) to 0.05 · (255 − 128).
        QCOMPARE(fixed.scale, 0.05);
    }

    void powersOfTwo()
    {
        QCOMPARE(powerOfTwoAbove(0.25), 0.25);
        QCOMPARE(powerOfTwoAbove(0.26), 0.5);
        QCOMPARE(powerOfTwoAbove(1.0), 1.0);
        QCOMPARE(powerOfTwoAbove(3.0), 4.0);
        // Nothing that could be represented before is cut off.
        const auto pipeline = pipelineOf("residual");
        const Recipe recipe = recipeWith("torchao");
        const SnapshotPtr snapshot = pipeline->run(recipe, StageKind::Calibrated, {});
        const auto wrong =
            of(violationsOf(*snapshot, *profileNamed("shift-only")), Constraint::PowerOfTwo);
        const RecipeChange change = mendOf(*snapshot, wrong);
        QVERIFY(change.rules.empty());
        QVERIFY(change.edits.size() >= 8);
        const Recipe mended = withChange(recipe, change);
        const SnapshotPtr next = pipeline->run(mended, StageKind::Converted, {});
        QVERIFY2(next->converted, next->error ? next->error->message().c_str() : "");
        const auto relu = std::find_if(mended.edits.begin(), mended.edits.end(),
                                       [](const Edit& edit) { return edit.at.text() == "relu"; });
        QVERIFY(relu != mended.edits.end());
        QCOMPARE(relu->spec.fixed.zeroPoint, -128); // as before: zero is the smallest value
    }

    void ruleOfEdits()
    {
        const auto pipeline = pipelineOf("residual");
        Recipe recipe = recipeWith("torchao");
        EditSpec none, shared;
        shared.kind = EditSpec::Kind::Shared;
        shared.sharedWith = {"conv2d_1", "add"};
        recipe = withEdit(recipe, {{"conv2d_1", ""}, none});
        recipe = withEdit(recipe, {{"x", "add"}, shared});
        const SnapshotPtr snapshot = pipeline->run(recipe, StageKind::Annotated, {});
        const Graph& graph = *snapshot->annotated->folded.graph;
        const auto idOf = [&](const char* name) { return graph.findByName(name)->id; };
        const auto conv = withRuleOfEdits(*snapshot->annotated, recipe, {idOf("conv2d_1")});
        QVERIFY(conv);
        QCOMPARE(conv->edits.size(), std::size_t(1));
        QCOMPARE(conv->rules.size(), std::size_t(1));
        QCOMPARE(conv->rules[0].match.op, std::string("aten.conv2d.default"));
        QVERIFY(conv->rules[0].output && conv->rules[0].output->kind == EditSpec::Kind::None);
        const auto add = withRuleOfEdits(*snapshot->annotated, recipe, {idOf("add")});
        QVERIFY(add);
        QCOMPARE(add->rules[0].inputs.size(), std::size_t(2));
        QVERIFY(add->rules[0].inputs[0].kind == EditSpec::Kind::Default);
        QCOMPARE(add->rules[0].inputs[1].sharedWith.text(), std::string("$input0"));
        QVERIFY(!withRuleOfEdits(*snapshot->annotated, recipe, {idOf("relu")}));
        QVERIFY(!withRuleOfEdits(*snapshot->annotated, recipe, {}));
        // The same annotations from the rules as from the edits.
        const SnapshotPtr byRule = pipeline->run(*add, StageKind::Annotated, {});
        const Annotation* before = snapshot->annotated->annotations.find(idOf("add"));
        const Annotation* after = byRule->annotated->annotations.find(idOf("add"));
        QVERIFY(before && after && before->inputs == after->inputs);
    }
};

QTEST_GUILESS_MAIN(TestHardwareProfile)
#include "tst_hardware_profile.moc"

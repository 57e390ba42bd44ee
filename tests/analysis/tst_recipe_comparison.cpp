// Two recipes on one model: what differs is listed place by place, and nothing else is.
#include "core/analysis/EvaluationData.h"
#include "core/analysis/RecipeComparison.h"
#include "core/pipeline/Pipeline.h"
#include "core/view/RecipeTables.h"

#include <QTest>
#include <algorithm>

using namespace pt2e;

namespace {

/// Both recipes from one opened model, as the program makes them: each with a pipeline of its own.
struct Pair
{
    ModelPtr model;
    SnapshotPtr first;
    SnapshotPtr second;
};

Recipe startRecipe()
{
    Recipe recipe;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    recipe.calibration.batches = 4;
    return recipe;
}

Pair converted(const std::string& name, const Recipe& first, const Recipe& second,
               StageKind upTo = StageKind::Converted)
{
    ModelRequest request;
    request.what = name;
    const auto model = openModel(request, {});
    if (!model)
        return {};
    return {*model, Pipeline(*model).run(first, upTo, {}), Pipeline(*model).run(second, upTo, {})};
}

std::vector<const RecipeDifference*> rowsAt(const RecipeComparison& comparison,
                                            const std::string& at)
{
    std::vector<const RecipeDifference*> rows;
    for (const RecipeDifference& row : comparison.differences) {
        if (row.at == at)
            rows.push_back(&row);
    }
    return rows;
}

const RecipeDifference* rowAt(const RecipeComparison& comparison, const std::string& at,
                              RecipeAspect aspect)
{
    for (const RecipeDifference* row : rowsAt(comparison, at)) {
        if (row->aspect == aspect)
            return row;
    }
    return nullptr;
}

QString all(const RecipeComparison& comparison)
{
    return QString::fromStdString(
        tableAsText(recipeDifferenceTable(comparison, {"first", "second"})));
}

std::string summaryCell(const RecipeComparison& comparison, const std::string& what,
                        std::size_t column)
{
    for (const TableRow& row : recipeSummaryTable(comparison, {"first", "second"}).rows) {
        if (row.cells[0].text == what)
            return row.cells[column].text;
    }
    return "no such row";
}

Recipe withSpec(const Recipe& recipe, const std::string& at, EditSpec spec)
{
    return withEdit(recipe, {*NamedPoint::parse(at), std::move(spec)});
}

} // namespace

class TestRecipeComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void quantizers();
    void equalRecipes_data();
    void equalRecipes();
    void oneEdit();
    void otherRange();
    void perTensor();
    void earlierStages();
    void runs();
    void labelled();
};

void TestRecipeComparison::quantizers()
{
    const Recipe recipe = startRecipe();
    const Pair pair =
        converted("cat_pool", recipe, withQuantizer(recipe, QuantizerFlavor::ExecuTorch));
    QVERIFY(pair.second && pair.second->converted);
    const RecipeComparison comparison = compareRecipes(*pair.first, *pair.second);
    // cat and what follows it are float under torchao.
    for (const char* op : {"cat", "max_pool2d"}) {
        const RecipeDifference* row = rowAt(comparison, op, RecipeAspect::Operator);
        QVERIFY2(row, qPrintable(all(comparison)));
        QVERIFY(row->said[0].reason.has_value());
        QVERIFY(!row->said[1].reason.has_value());
        QCOMPARE(row->op, std::string(op));
        const Graph& graph = *pair.first->annotated->folded.graph;
        QCOMPARE(graph.node(row->node[0]).name, std::string(op));
    }
    const auto operators =
        std::count_if(comparison.differences.begin(), comparison.differences.end(),
                      [](const auto& row) { return row.aspect == RecipeAspect::Operator; });
    QCOMPARE(operators, 2);
    QCOMPARE(rowAt(comparison, "cat", RecipeAspect::Operator)->said[1].text,
             std::string("quantized: cat"));
    QCOMPARE(rowAt(comparison, "cat", RecipeAspect::Annotation)->said[1].text,
             std::string("shared with relu->cat"));
    QCOMPARE(rowAt(comparison, "cat->max_pool2d", RecipeAspect::Conversion)->said[0].text,
             std::string("-"));
    QCOMPARE(rowAt(comparison, "cat->max_pool2d", RecipeAspect::Conversion)->said[1].text,
             std::string("q → dq"));
    // What had an observer of its own has one for all.
    const RecipeDifference* sharing = rowAt(comparison, "relu", RecipeAspect::Sharing);
    QVERIFY2(sharing, qPrintable(all(comparison)));
    QCOMPARE(sharing->said[0].text, std::string("shared with none"));
    QVERIFY(sharing->said[1].text.find("relu_1") != std::string::npos);
    QVERIFY(rowAt(comparison, "relu", RecipeAspect::Observer));
    // The first convolution is the same to both.
    QVERIFY2(rowsAt(comparison, "conv2d").empty() && rowsAt(comparison, "x->conv2d").empty(),
             qPrintable(all(comparison)));
    QCOMPARE(comparison.figures[0].coverage.opsQuantized, 7);
    QCOMPARE(comparison.figures[1].coverage.opsQuantized, 9);
    // Nothing was run: no row says how well.
    const Table summary = recipeSummaryTable(comparison, {"first", "second"});
    for (const TableRow& row : summary.rows) {
        const std::string& what = row.cells[0].text;
        QVERIFY2(what.find("SQNR") == std::string::npos && what.find("time") == std::string::npos,
                 what.c_str());
    }
    QCOMPARE(summaryCell(comparison, "operators quantized", 3), std::string("+2"));
}

void TestRecipeComparison::equalRecipes_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<int>("flavor");
    for (const char* model : {"residual", "cat_pool", "squeezenet1_1", "encoder"}) {
        for (const auto flavor : {QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch})
            QTest::addRow("%s-%d", model, static_cast<int>(flavor))
                << QByteArray(model) << static_cast<int>(flavor);
    }
}

void TestRecipeComparison::equalRecipes()
{
    QFETCH(QByteArray, model);
    QFETCH(int, flavor);
    Recipe recipe = startRecipe();
    recipe.calibration.batches = 1;
    recipe.quantizer.flavor = static_cast<QuantizerFlavor>(flavor);
    const Pair pair = converted(model.toStdString(), recipe, recipe);
    QVERIFY(pair.second && pair.second->converted);
    const RecipeComparison comparison = compareRecipes(*pair.first, *pair.second);
    QVERIFY2(comparison.differences.empty(), qPrintable(all(comparison)));
    for (const TableRow& row : recipeSummaryTable(comparison, {"first", "second"}).rows)
        QCOMPARE(row.cells[3].text, std::string("0"));
}

void TestRecipeComparison::oneEdit()
{
    const Recipe recipe = startRecipe();
    // The last output stays float.
    const Pair pair = converted("residual", recipe, withSpec(recipe, "relu_1", {}));
    QVERIFY(pair.second && pair.second->converted);
    const RecipeComparison comparison = compareRecipes(*pair.first, *pair.second);
    QVERIFY2(!comparison.differences.empty(), qPrintable(all(comparison)));
    for (const RecipeDifference& row : comparison.differences)
        QVERIFY2(row.at == "relu_1" || row.at == "relu_1->output", qPrintable(all(comparison)));
}

void TestRecipeComparison::otherRange()
{
    const Recipe recipe = startRecipe();
    EditSpec fixed;
    fixed.kind = EditSpec::Kind::Fixed;
    fixed.fixed.scale = 0.02;
    fixed.fixed.zeroPoint = -128;
    fixed.fixed.quantMin = -128;
    fixed.fixed.quantMax = 127;
    fixed.fixed.qscheme = QScheme::PerTensorAffine;
    const Pair pair = converted("residual", recipe, withSpec(recipe, "relu", fixed));
    QVERIFY(pair.second && pair.second->converted);
    const RecipeComparison comparison = compareRecipes(*pair.first, *pair.second);
    for (const RecipeDifference& row : comparison.differences)
        QVERIFY2(row.at == "relu" || row.at == "relu->conv2d_1", qPrintable(all(comparison)));
    // The consumer's own observer is no longer the one of the output: it quantizes once more.
    const RecipeDifference* twice = rowAt(comparison, "relu->conv2d_1", RecipeAspect::Conversion);
    QVERIFY2(twice, qPrintable(all(comparison)));
    QCOMPARE(twice->said[1].text, std::string("q → dq → q → dq"));
    const RecipeDifference* spec = rowAt(comparison, "relu", RecipeAspect::Annotation);
    QVERIFY2(spec, qPrintable(all(comparison)));
    QVERIFY(spec->said[1].text.find("scale=0.02 zp=-128") != std::string::npos);
    const RecipeDifference* observer = rowAt(comparison, "relu", RecipeAspect::Observer);
    QVERIFY2(observer, qPrintable(all(comparison)));
    QVERIFY(observer->said[0].text.starts_with("HistogramObserver scale="));
    QVERIFY(observer->said[1].text.find("scale=0.02 zp=-128") != std::string::npos);
}

void TestRecipeComparison::perTensor()
{
    const Recipe recipe = startRecipe();
    Recipe other = recipe;
    other.quantizer.global->perChannel = false;
    const Pair pair = converted("residual", recipe, other);
    QVERIFY(pair.second && pair.second->converted);
    const RecipeComparison comparison = compareRecipes(*pair.first, *pair.second);
    const RecipeDifference* weight =
        rowAt(comparison, "conv1_weight->conv2d", RecipeAspect::Observer);
    QVERIFY2(weight, qPrintable(all(comparison)));
    QVERIFY(weight->said[0].text.find("(channel 0 of 8)") != std::string::npos);
    QVERIFY(weight->said[1].text.find("channel") == std::string::npos);
    // Activations are the same.
    QVERIFY2(rowsAt(comparison, "relu").empty() && rowsAt(comparison, "x").empty(),
             qPrintable(all(comparison)));
}

void TestRecipeComparison::earlierStages()
{
    const Recipe recipe = startRecipe();
    const Recipe other = withQuantizer(recipe, QuantizerFlavor::ExecuTorch);
    const Pair annotated = converted("cat_pool", recipe, other, StageKind::Annotated);
    const RecipeComparison early = compareRecipes(*annotated.first, *annotated.second);
    QVERIFY(rowAt(early, "cat", RecipeAspect::Operator));
    for (const RecipeDifference& row : early.differences)
        QVERIFY(row.aspect == RecipeAspect::Operator || row.aspect == RecipeAspect::Annotation);
    QVERIFY(!early.figures[0].observers && !early.figures[0].weightBytes);
    const Pair exported = converted("cat_pool", recipe, other, StageKind::Exported);
    QVERIFY(compareRecipes(*exported.first, *exported.second).differences.empty());
}

void TestRecipeComparison::runs()
{
    const Recipe recipe = startRecipe();
    const Recipe other = withSpec(withSpec(recipe, "add", {}), "relu_1", {});
    const Pair pair = converted("residual", recipe, other);
    QVERIFY(pair.second && pair.second->converted);
    const auto data = evaluationData(*pair.model, recipe.calibration);
    QVERIFY(data.has_value());
    RecipeRunOptions options;
    options.benchmark.emplace();
    options.benchmark->rounds = 8;
    const auto runs = runRecipes(*pair.first, *pair.second, **data, options, {});
    QVERIFY2(runs.has_value(), runs ? "" : runs.error().message().c_str());
    QVERIFY(runs->compared[0] && runs->compared[1]);
    QCOMPARE(runs->compared[0]->dataHash, runs->compared[1]->dataHash);
    // As compare gives each alone.
    const auto alone = compareEngines(*pair.second, **data, options.compare, {});
    QVERIFY(alone.has_value());
    QCOMPARE(runs->compared[1]->outputs[0].xnnpack.sqnrDb, alone->outputs[0].xnnpack.sqnrDb);
    QVERIFY(runs->compared[1]->outputs[0].simulated.sqnrDb
            > runs->compared[0]->outputs[0].simulated.sqnrDb);
    QVERIFY(runs->times.has_value());
    for (const EngineTimes& times : runs->times->int8)
        QCOMPARE(times.milliseconds.size(), std::size_t(8));
    const RecipeComparison comparison = compareRecipes(*pair.first, *pair.second, *runs);
    QVERIFY(!comparison.predictions); // no labels
    const RecipeDifference* place = rowAt(comparison, "add", RecipeAspect::Place);
    QVERIFY2(place, qPrintable(all(comparison)));
    QVERIFY(place->said[0].text.starts_with("XNNPACK int8: "));
    QVERIFY(place->said[1].text.starts_with("XNNPACK float: "));
    QVERIFY(summaryCell(comparison, "time in int8, ms", 1) != "no such row");
    QVERIFY(summaryCell(comparison, "SQNR of relu_1 on XNNPACK, dB", 3).starts_with("+"));

    std::stop_source stop;
    stop.request_stop();
    JobContext cancelled;
    cancelled.stop = stop.get_token();
    const auto none = runRecipes(*pair.first, *pair.second, **data, options, cancelled);
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::Cancelled);
}

/// Of every sample which class each recipe puts it into.
void TestRecipeComparison::labelled()
{
    const auto report = [](std::vector<std::int64_t> predicted, const std::string& hash) {
        CompareReport made;
        made.dataHash = hash;
        made.classified.emplace();
        for (std::size_t i = 0; i < predicted.size(); ++i)
            made.classified->all.push_back({static_cast<std::int64_t>(i), 1, {1, 1, predicted[i]}});
        return made;
    };
    const CompareReport first = report({1, 1, 1, 0, 0, 2}, "a");
    const auto found = comparePredictions(first, report({1, 0, 0, 1, 0, 0}, "a"));
    QVERIFY(found.has_value());
    QCOMPARE(found->agreeing, std::int64_t(2)); // 0 → 0 and 2 → 0 are both wrong, but not alike
    QCOMPARE(found->difference.broken, std::int64_t(2));
    QCOMPARE(found->difference.fixed, std::int64_t(1));
    QCOMPARE(found->difference.all, std::int64_t(6));
    QVERIFY(!comparePredictions(first, report({1, 0, 0, 1, 0, 0}, "b")));
    QVERIFY(!comparePredictions(first, CompareReport()));
}

QTEST_GUILESS_MAIN(TestRecipeComparison)
#include "tst_recipe_comparison.moc"

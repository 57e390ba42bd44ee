// Item models: Qt's own model tester on each, and what they say.
#include "core/pipeline/Pipeline.h"
#include "core/view/Tables.h"
#include "ui/models/GalleryModel.h"
#include "ui/models/NodeFacts.h"
#include "ui/models/OpCountTable.h"
#include "ui/models/OutlineModel.h"
#include "ui/models/ReasonText.h"
#include "ui/models/SearchModel.h"
#include "ui/models/TableModel.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

SnapshotPtr snapshotOf(const std::string& model)
{
    ModelRequest request;
    request.what = model;
    JobContext context;
    const Result<ModelPtr> opened = openModel(request, context);
    if (!opened)
        qFatal("%s", opened.error().message().c_str());
    Recipe recipe;
    recipe.calibration.batches = 2;
    Pipeline pipeline(*opened);
    return pipeline.run(recipe, StageKind::Converted, context);
}

QString textAt(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestModels : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_residual = snapshotOf("residual");
        m_catPool = snapshotOf("cat_pool");
        QVERIFY(m_residual->converted);
        QVERIFY(m_catPool->converted);
    }

    void tables()
    {
        TableModel model;
        TableFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester filterTester(
            &filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const SnapshotPtr& snapshot : {m_residual, m_catPool}) {
            for (Table table :
                 {observerTable(*snapshot), annotationTable(*snapshot), unannotatedTable(*snapshot),
                  sharingTable(*snapshot), problemsTable(*snapshot),
                  mergedOpCounts(opCountTables(*snapshot)), Table{}}) {
                const auto rows = static_cast<int>(table.rows.size());
                model.setTable(std::move(table));
                QCOMPARE(model.rowCount(), rows);
                QCOMPARE(filter.rowCount(), rows);
            }
        }
    }

    void sortsByNumberAndFilters()
    {
        TableModel model;
        TableFilter filter;
        filter.setSourceModel(&model);
        model.setTable(mergedOpCounts(opCountTables(*m_residual)));
        filter.sort(1, Qt::DescendingOrder);
        double before = 1e9;
        for (int row = 0; row < filter.rowCount(); ++row) {
            const double count = filter.index(row, 1).data(TableModel::SortRole).toDouble();
            QVERIFY(count <= before);
            before = count;
        }
        filter.setWords("quantize per_tensor");
        QVERIFY(filter.rowCount() >= 2);
        for (int row = 0; row < filter.rowCount(); ++row)
            QVERIFY(textAt(filter, row, 0).contains("quantize_per_tensor"));
        filter.setWords("no such row");
        QCOMPARE(filter.rowCount(), 0);
    }

    void opCountsOfResidual()
    {
        const Table table = mergedOpCounts(opCountTables(*m_residual));
        QCOMPARE(table.columns.size(),
                 std::size_t(7)); // op, three stages, two changes, the rest of the width
        const auto row =
            std::find_if(table.rows.begin(), table.rows.end(), [](const TableRow& candidate) {
                return candidate.cells[0].text == "quantize_per_tensor";
            });
        QVERIFY(row != table.rows.end());
        QCOMPARE(row->cells[1].text, std::string("0"));
        QCOMPARE(row->cells[5].text, std::string("4"));
        QCOMPARE(row->cells[4].text, std::string("+4"));
    }

    void outline()
    {
        OutlineModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        for (const SnapshotPtr& snapshot : {m_residual, m_catPool}) {
            model.setGraph(snapshot->model->exported);
            QVERIFY(model.rowCount() > 0);
            const QModelIndex first = model.index(0, 0);
            const auto nodes = first.data(OutlineModel::NodesRole).value<std::vector<NodeId>>();
            QVERIFY(!nodes.empty());
            QVERIFY(model.indexOf(nodes.back()).isValid());
        }
        model.setGraph(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void gallery()
    {
        GalleryModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        JobContext context;
        for (int row = 0; row < model.rowCount(); ++row) {
            ModelRequest request;
            request.what = textAt(model, row, 0).toStdString();
            QVERIFY2(openModel(request, context), request.what.c_str());
            QVERIFY(!model.index(row).data(GalleryModel::SummaryRole).toString().isEmpty());
        }
    }

    void search()
    {
        SearchModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setEntries(SearchModel::entriesOf(*m_residual));
        model.setQuery("conv2d_1");
        QVERIFY(model.rowCount() > 0);
        QCOMPARE(model.entryAt(0).text, QString("conv2d_1"));
        QCOMPARE(model.entryAt(0).stage, StageKind::Exported);
        model.setQuery(":conv2d");
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.entryAt(0).text, QString("aten.conv2d.default"));
        QCOMPARE(model.entryAt(0).nodes.size(), std::size_t(2));
        model.setQuery("4×8×16×16 conv2d");
        QVERIFY(model.rowCount() >= 2);
        model.setQuery("there is no such node");
        QCOMPARE(model.rowCount(), 0);
    }

    void searchIsFastInLargeGraphs()
    {
        std::vector<SearchEntry> entries;
        for (int i = 0; i < 30000; ++i)
            entries.push_back(
                {SearchEntry::Kind::Node,
                 QString("scaled_dot_product_attention_%1").arg(i),
                 "aten.scaled_dot_product_attention.default · 1×32×128×64 float32 · layers.7.attention",
                 {},
                 -1,
                 StageKind::Exported,
                 {NodeId{static_cast<std::uint32_t>(i)}}});
        SearchModel model;
        model.setEntries(std::move(entries));
        QElapsedTimer timer;
        timer.start();
        model.setQuery("attention_29");
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(model.rowCount(), SearchModel::kMaxShown);
        QVERIFY(model.entryAt(0).text.contains("attention_29"));
    }

    void factsOfAConvolution()
    {
        const Node* conv = m_residual->prepared->graph->findByName("conv2d");
        QVERIFY(conv);
        const NodeFacts facts = gatherFacts(*m_residual, StageKind::Prepared, conv->id);
        QVERIFY(facts.isValid);
        QCOMPARE(facts.title, QString("conv2d"));
        QCOMPARE(facts.target, QString("aten.conv2d.default"));
        QVERIFY(facts.value.startsWith("4×8×16×16"));
        QCOMPARE(facts.across.size(), std::size_t(4));
        for (const AcrossFact& across : facts.across)
            QVERIFY(across.text.contains("conv2d"));
        QVERIFY(facts.points.size() >= 3);
        QCOMPARE(facts.points[0].label, QString("x"));
        QCOMPARE(facts.points[0].observer, 0);
        QVERIFY(facts.points[0].text.startsWith("int8"));
        QVERIFY(facts.points.back().point.user.empty());
        QVERIFY(!facts.sharing.empty()); // x → add uses the same observer
        QVERIFY(facts.values);
        QVERIFY(!facts.values->state.histogram.empty());
        QVERIFY(facts.values->qparams);
        const auto clipped = clippedShare(*facts.values);
        QVERIFY(clipped && *clipped >= 0 && *clipped < 0.2);
    }

    /// The window's sentences are core's, each of them known to the translators.
    void reasonsAreSentences()
    {
        QFile source(qEnvironmentVariable("PT2E_SOURCE_DIR")
                     + QStringLiteral("/resources/translations/pt2e_zh_TW.ts"));
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QString known = QString::fromUtf8(source.readAll());
        const auto isKnown = [&](std::string_view text) {
            const QString sentence =
                QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
            return known.contains(QStringLiteral("<source>%1</source>")
                                      .arg(sentence.toHtmlEscaped().replace(
                                          QLatin1Char('\''), QStringLiteral("&apos;"))));
        };
        for (const ReasonKey key : allReasonKeys()) {
            const Reason reason{key, {"%2", "b", "c"}, {}};
            QCOMPARE(reasonText(reason).toStdString(), reason.text());
            QVERIFY2(isKnown(reasonTemplate(key)), std::string(reasonTemplate(key)).c_str());
        }
        for (const std::string_view pattern : programPatterns())
            QVERIFY2(isKnown(pattern), std::string(pattern).c_str());
        const Reason nested{
            ReasonKey::FollowsUnannotated, {"cat"}, {{ReasonKey::CatWithoutSource, {}, {}}}};
        QVERIFY(reasonText(nested).startsWith("follows cat, which has no annotation because the "));
    }

    void factsOfAnUnquantizedOp()
    {
        const Node* pool = m_catPool->annotated->folded.graph->findByName("max_pool2d");
        QVERIFY(pool);
        const NodeFacts facts = gatherFacts(*m_catPool, StageKind::Annotated, pool->id);
        QVERIFY(!facts.whyNot.isEmpty());
        QCOMPARE(facts.whyNotRootName, QString("cat"));
        QVERIFY(!gatherFacts(*m_catPool, StageKind::Annotated, NodeId{999999}).isValid);
    }

private:
    SnapshotPtr m_residual;
    SnapshotPtr m_catPool;
};

QTEST_GUILESS_MAIN(TestModels)
#include "tst_models.moc"

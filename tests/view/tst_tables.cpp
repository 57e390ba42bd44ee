// The tables: the published notebook's numbers, PyTorch's annotations row for row, text, CSV and JSON.
#include "core/pipeline/Pipeline.h"
#include "core/view/Tables.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>

using namespace pt2e;
using namespace pt2e::test;

namespace {

SnapshotPtr snapshotOf(const char* name, StageKind upTo, const Recipe& recipe = {})
{
    const auto model = openModel({name, {}, 8, 2, 0}, {});
    return model ? Pipeline(*model).run(recipe, upTo, {}) : nullptr;
}

QStringList rowsOf(const Table& table)
{
    QStringList rows;
    for (const TableRow& row : table.rows) {
        QStringList cells;
        for (const Cell& cell : row.cells)
            cells << QString::fromStdString(cell.text);
        rows << cells.join(QStringLiteral(" | "));
    }
    return rows;
}

/// What the notebook calls a spec of the golden.
QString wordOf(const rapidjson::Value& spec)
{
    if (spec.IsNull())
        return QStringLiteral("NoneType");
    const QString kind = QString::fromUtf8(spec["kind"].GetString());
    return kind == u"observed" ? QStringLiteral("Spec")
           : kind == u"shared" ? QStringLiteral("SharedSpec")
           : kind == u"fixed"  ? QStringLiteral("FixedSpec")
                               : QStringLiteral("DerivedSpec");
}

QStringList annotationRowsOf(const rapidjson::Document& golden)
{
    QStringList rows;
    for (const auto& entry : golden["annotations"].GetArray()) {
        QStringList inputs;
        for (const auto& input : entry["inputs"].GetArray())
            inputs << QString::fromUtf8(input[0].GetString()) + u':' + wordOf(input[1]);
        QString target = QString::fromUtf8(entry["target"].GetString());
        if (target.startsWith(u"aten."))
            target = target.section(u'.', 1, 1);
        rows << QStringList{QString::fromUtf8(entry["node"].GetString()), target,
                            inputs.isEmpty() ? QStringLiteral("-")
                                             : inputs.join(QStringLiteral(", ")),
                            wordOf(entry["output"])}
                    .join(QStringLiteral(" | "));
    }
    return rows;
}

Table smallTable()
{
    Table table;
    table.id = "t";
    table.columns = {"name", "n"};
    table.rows = {{{{"a, \"b\"", {}, false}, {"7", 7.0, true}}, {}},
                  {{{"寬", {}, false}, {"+12", 12.0, true}}, {}}};
    return table;
}

} // namespace

class TestTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void notebooksObservers()
    {
        const QString perChannel = QStringLiteral("PerChannelMinMaxObserver");
        const QString histogram = QStringLiteral("HistogramObserver");
        const QStringList places = {
            QStringLiteral("activation_post_process_1 | %1 | conv1_weight | conv2d | ")
                .arg(perChannel),
            QStringLiteral("activation_post_process_3 | %1 | conv2_weight | conv2d_1 | ")
                .arg(perChannel),
            QStringLiteral("activation_post_process_0 | %1 | x | conv2d, add | ").arg(histogram),
            QStringLiteral("activation_post_process_2 | %1 | relu | conv2d_1 | ").arg(histogram),
            QStringLiteral("activation_post_process_4 | %1 | conv2d_1 | add | ").arg(histogram),
            QStringLiteral("activation_post_process_5 | %1 | relu_1 | output | ").arg(histogram),
        };
        const char* qparams[] = {"scale=0.0009225 zp=0 (per-channel, n=8)",
                                 "scale=0.0009054 zp=0 (per-channel, n=8)",
                                 "scale=0.03299 zp=-5",
                                 "scale=0.008802 zp=-128",
                                 "scale=0.008239 zp=18",
                                 "scale=0.01745 zp=-128"};
        QStringList calibrated, before;
        for (qsizetype i = 0; i < places.size(); ++i) {
            calibrated << places[i] + QString::fromUtf8(qparams[i]);
            before << places[i] + QStringLiteral("not calibrated");
        }
        QCOMPARE(rowsOf(observerTable(*snapshotOf("residual", StageKind::Calibrated))), calibrated);
        QCOMPARE(rowsOf(observerTable(*snapshotOf("residual", StageKind::Prepared))), before);
        Recipe none;
        none.calibration.batches = 0;
        QCOMPARE(rowsOf(observerTable(*snapshotOf("residual", StageKind::Calibrated, none))),
                 before);
    }

    void opCounts()
    {
        const auto tables = opCountTables(*snapshotOf("residual", StageKind::Converted));
        QCOMPARE(tables.size(), 2u);
        QCOMPARE(rowsOf(tables[0]),
                 (QStringList{
                     QStringLiteral("<module:HistogramObserver> | 0 | 4 | +4"),
                     QStringLiteral("<module:PerChannelMinMaxObserver> | 0 | 2 | +2"),
                     QStringLiteral("batch_norm | 2 | 0 | -2"), QStringLiteral("add | 1 | 1 | 0"),
                     QStringLiteral("conv2d | 2 | 2 | 0"), QStringLiteral("relu | 2 | 2 | 0")}));
        QCOMPARE(
            rowsOf(tables[1]),
            (QStringList{QStringLiteral("<module:HistogramObserver> | 4 | 0 | -4"),
                         QStringLiteral("<module:PerChannelMinMaxObserver> | 2 | 0 | -2"),
                         QStringLiteral("dequantize_per_channel | 0 | 2 | +2"),
                         QStringLiteral("dequantize_per_tensor | 0 | 5 | +5"),
                         QStringLiteral("quantize_per_tensor | 0 | 4 | +4"),
                         QStringLiteral("add | 1 | 1 | 0"), QStringLiteral("conv2d | 2 | 2 | 0"),
                         QStringLiteral("relu | 2 | 2 | 0")}));
    }

    void annotationsAreTheGoldens_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"residual", "cat_pool", "stem"})
            QTest::newRow(model) << QString::fromUtf8(model);
    }
    void annotationsAreTheGoldens()
    {
        QFETCH(QString, model);
        std::string error;
        const auto golden = parseDump(
            readText(casePath("notebook_" + model.toStdString(), "golden-torchao.json")), error);
        QVERIFY2(error.empty(), error.c_str());
        const SnapshotPtr snapshot = snapshotOf(qPrintable(model), StageKind::Annotated);
        QCOMPARE(rowsOf(annotationTable(*snapshot)), annotationRowsOf(golden));
    }

    /// On the exported graph nothing is folded yet, so no relu fuses with its convolution (torchao 0.18).
    void rawAnnotations()
    {
        const SnapshotPtr snapshot = snapshotOf("residual", StageKind::Exported);
        const auto table = rawAnnotationTable(*snapshot);
        QVERIFY(table);
        QCOMPARE(
            rowsOf(*table),
            (QStringList{QStringLiteral("conv1_weight | conv1.weight | - | NoneType"),
                         QStringLiteral("conv2_weight | conv2.weight | - | NoneType"),
                         QStringLiteral("conv2d | conv2d | x:Spec, conv1_weight:Spec | Spec"),
                         QStringLiteral("conv2d_1 | conv2d | relu:Spec, conv2_weight:Spec | Spec"),
                         QStringLiteral("add | add | batch_norm_1:Spec, x:Spec | NoneType"),
                         QStringLiteral("relu_1 | relu | - | Spec")}));
    }

    void unannotatedWithReasons()
    {
        const Table table = unannotatedTable(*snapshotOf("cat_pool", StageKind::Annotated));
        QCOMPARE(table.rows.size(), 2u);
        QCOMPARE(table.rows[0].cells[0].text, std::string("cat"));
        QCOMPARE(table.rows[1].cells[0].text, std::string("max_pool2d"));
        for (const TableRow& row : table.rows) {
            QVERIFY(!row.cells[2].text.empty());
            QCOMPARE(row.cells[3].text, std::string("cat")); // root of the cascade
        }
    }

    void sharingAndCoverage()
    {
        const SnapshotPtr snapshot = snapshotOf("residual", StageKind::Prepared);
        QCOMPARE(rowsOf(sharingTable(*snapshot)).mid(0, 3),
                 (QStringList{QStringLiteral("0 | HistogramObserver | x->conv2d, x->add"),
                              QStringLiteral("1 | PerChannelMinMaxObserver | conv1_weight->conv2d"),
                              QStringLiteral("2 | HistogramObserver | relu, relu->conv2d_1")}));
        QCOMPARE(rowsOf(coverageTable(*snapshot)),
                 (QStringList{QStringLiteral("ops | 5 | 5 | 100 %"),
                              QStringLiteral("MACs | 1179648 | 1179648 | 100 %"),
                              QStringLiteral("weight bytes | 4608 | 4672 | 99 %")}));
    }

    void againstAnotherRecipe()
    {
        const SnapshotPtr snapshot = snapshotOf("residual", StageKind::Annotated);
        const Recipe edited = withEdit({}, {{"conv2d_1", ""}, {}});
        const auto stage = [&](const Recipe& recipe) {
            return annotateStage(*snapshot->model, recipe, {}).value();
        };
        QCOMPARE(rowsOf(againstTable(*snapshot->annotated, *stage(edited), "edited")),
                 QStringList{QStringLiteral("conv2d_1 | Spec | NoneType")});
        QVERIFY(againstTable(*snapshot->annotated, *stage({}), "same").rows.empty());
    }

    void aMissingNodeIsListed()
    {
        const Recipe recipe = withEdit({}, {{"gone", ""}, {}});
        const Table table = problemsTable(*snapshotOf("residual", StageKind::Annotated, recipe));
        QCOMPARE(table.rows.size(), 1u);
        QCOMPARE(table.rows[0].cells[3].text, std::string("edit-missing-node"));
    }

    void forms()
    {
        const Table table = smallTable();
        QCOMPARE(tableAsText(table), std::string("name      n\n"
                                                 "------  ---\n"
                                                 "a, \"b\"    7\n"
                                                 "寬      +12\n"));
        QCOMPARE(tableAsCsv(table), std::string("name,n\r\n\"a, \"\"b\"\"\",7\r\n寬,+12\r\n"));
        QCOMPARE(tableAsJson(table),
                 std::string("{\n \"table\": \"t\",\n \"columns\": [\"name\", \"n\"],\n"
                             " \"rows\": [\n  {\"name\": \"a, \\\"b\\\"\", \"n\": \"7\"},\n"
                             "  {\"name\": \"寬\", \"n\": \"+12\"}\n ]\n}"));
        Table empty = table;
        empty.rows.clear();
        QCOMPARE(tableAsText(empty), std::string("(none)\n"));
    }
};

QTEST_GUILESS_MAIN(TestTables)
#include "tst_tables.moc"

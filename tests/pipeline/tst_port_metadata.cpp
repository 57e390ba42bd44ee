// Stack traces of the converted graph against those that torchao's PortNodeMetaForQDQ leaves
// (tests/data/passes/metadata.json): every node, bodies of loops too.
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Pipeline.h"
#include "tests/support/Cases.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest/QtTest>

using namespace pt2e;
using namespace pt2e::test;

class TestPortMetadata : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
        QFile file(qEnvironmentVariable("PT2E_TEST_DATA")
                   + QStringLiteral("/passes/metadata.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_recorded = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(m_recorded.size(), 9);
    }

    void traces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("flavour");
        for (const QString& name : m_recorded.keys()) {
            for (const QString& flavour : m_recorded[name].toObject().keys())
                QTest::addRow("%s %s", qUtf8Printable(name), qUtf8Printable(flavour))
                    << name << flavour;
        }
    }
    void traces()
    {
        QFETCH(QString, name);
        QFETCH(QString, flavour);
        const QJsonObject wanted = m_recorded[name].toObject()[flavour].toObject();
        const std::string caseName = name.toStdString();
        const auto model = openModel({casePath(caseName, "model.pt2"), {}, 8, 2, 0}, {});
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        QuantizerSettings settings;
        settings.global->dynamic = flavour.endsWith(u"-dyn");
        Recipe recipe = recipeFor(caseName, settings);
        recipe.calibration.batches = 1;
        const SnapshotPtr snapshot = Pipeline(*model).run(recipe, StageKind::Converted, {});
        QVERIFY2(snapshot->converted,
                 snapshot->error ? snapshot->error->message().c_str() : "not converted");
        QStringList seen;
        const NodeNames names(*snapshot->converted->graph);
        for (const NodeNames::Entry& entry : names.entries()) {
            const auto& meta = entry.node->fileMeta;
            const QString trace = meta ? QString::fromStdString(meta->stackTrace) : QString();
            const QString node = QString::fromStdString(entry.name());
            QVERIFY2(trace.trimmed() == wanted[node].toString().trimmed(),
                     qPrintable(node + QStringLiteral(": ") + trace));
            if (!trace.isEmpty())
                seen += node;
        }
        QCOMPARE(seen.size(), wanted.size());
    }

private:
    QJsonObject m_recorded;
};

QTEST_GUILESS_MAIN(TestPortMetadata)
#include "tst_port_metadata.moc"

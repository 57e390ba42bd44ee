// pt2e draw on a built-in model: files that other programs read, and the same bytes as a figure made in the window.
#include "core/pipeline/Pipeline.h"
#include "ui/render/Figure.h"
#include "ui/render/Fonts.h"
#include "ui/render/LayoutClient.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace pt2e;

namespace {

struct Run
{
    int exitCode = -1;
    QString errors;
};

Run draw(const QStringList& arguments)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/pt2e"),
                  QStringList{QStringLiteral("draw")} + arguments);
    Run run;
    if (process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit)
        run.exitCode = process.exitCode();
    run.errors = QString::fromUtf8(process.readAllStandardError());
    return run;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QStringList kCatPool{QStringLiteral("cat_pool"),
                           QStringLiteral("--stages"),
                           QStringLiteral("exported,prepared,converted"),
                           QStringLiteral("--focus"),
                           QStringLiteral("cat"),
                           QStringLiteral("--focus"),
                           QStringLiteral("max_pool2d"),
                           QStringLiteral("--hops"),
                           QStringLiteral("2")};

const SceneItem* itemOf(const Scene& scene, const char* name)
{
    for (const auto& item : scene.items)
        if (item.name == name || (item.name.empty() && item.title == name))
            return &item;
    return nullptr;
}

} // namespace

class TestDraw : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void commandLineAndWindowGiveTheSameBytes();
    void catPoolShowsWhereObserversStand();
    void collapsedModules();
    void wrongUse();

private:
    std::vector<Scene> m_scenes;
    Figure m_figure;
};

void TestDraw::initTestCase()
{
    ModelRequest request;
    request.what = "cat_pool";
    const auto model = openModel(request, {});
    QVERIFY2(model.has_value(), model ? "" : model.error().message().c_str());
    Pipeline pipeline(*model);
    const auto snapshot = pipeline.run({}, StageKind::Converted, {});
    QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
    ViewOptions options;
    options.focus = {"cat", "max_pool2d"};
    options.hops = 2;
    const auto scenes = buildScenes(
        *makeSceneModel(snapshot, {StageKind::Exported, StageKind::Prepared, StageKind::Converted}),
        options, textMeasurer(), {});
    QVERIFY2(scenes.has_value(), scenes ? "" : scenes.error().message().c_str());
    m_scenes = *scenes;
    m_figure = makeFigure(*snapshot, m_scenes, options);
}

void TestDraw::commandLineAndWindowGiveTheSameBytes()
{
    const QTemporaryDir dir;
    for (const char* suffix : {"svg", "png", "pdf", "dot"}) {
        const auto path = dir.filePath(QStringLiteral("figure.") + QLatin1String(suffix));
        const auto run = draw(kCatPool + QStringList{QStringLiteral("-o"), path});
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        const auto expected = encodeFigure(m_figure, *figureFormat(path));
        QVERIFY2(expected.has_value(), expected ? "" : expected.error().message().c_str());
        QVERIFY(expected->size() > 1000);
        QVERIFY2(contentOf(path) == *expected, suffix);
    }
}

void TestDraw::catPoolShowsWhereObserversStand()
{
    const Scene& prepared = m_scenes[1];
    const auto feeds = [&](const char* name) {
        std::vector<const SceneItem*> items;
        for (const auto& edge : prepared.edges)
            if (&prepared.items[static_cast<std::size_t>(edge.to)] == itemOf(prepared, name))
                items.push_back(&prepared.items[static_cast<std::size_t>(edge.from)]);
        return items;
    };
    const auto beforeCat = feeds("cat");
    QCOMPARE(beforeCat.size(), std::size_t{2});
    QVERIFY(beforeCat[0]->kind == ItemKind::Observer && beforeCat[1]->kind == ItemKind::Observer);
    QVERIFY(beforeCat[0]->badge != beforeCat[1]->badge);
    const auto beforePool = feeds("max_pool2d");
    QCOMPARE(beforePool.size(), std::size_t{1});
    QCOMPARE(beforePool[0]->title, std::string("cat"));
    const auto* behindPool = itemOf(prepared, "activation_post_process_5");
    QVERIFY(behindPool);
    const auto beforeConv = feeds("conv2d_2");
    QVERIFY(std::find(beforeConv.begin(), beforeConv.end(), behindPool) != beforeConv.end());
    for (const std::size_t s : {1, 2})
        for (const char* name : {"cat", "max_pool2d"})
            QVERIFY(itemOf(m_scenes[s], name) && itemOf(m_scenes[s], name)->isUnquantized);
    QCOMPARE(checkDisplayList(figureDisplayList(m_figure), Theme::light()), QStringList());
}

/// Boxes of the command line are those of the window, and their pictures have no faults.
void TestDraw::collapsedModules()
{
    ModelRequest request;
    request.what = "encoder";
    const auto model = openModel(request, {});
    QVERIFY(model.has_value());
    Recipe recipe;
    recipe.calibration.batches = 8;
    const auto snapshot = Pipeline(*model).run(recipe, StageKind::Converted, {});
    QVERIFY(snapshot->converted);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("modules.svg"));
    const QStringList call{QStringLiteral("encoder"), QStringLiteral("-o"), file};
    ViewOptions options;
    options.modules.depth = 1;
    options.modules.expanded = {"layers.1"};
    for (const bool repeats : {true, false}) {
        options.modules.repeats = repeats;
        const auto scenes =
            buildScenes(*snapshot, {StageKind::Exported, StageKind::Prepared, StageKind::Converted},
                        options, textMeasurer(), {});
        QVERIFY(scenes.has_value());
        for (const Scene& scene : *scenes)
            for (const auto* theme : {&Theme::light(), &Theme::dark()})
                QCOMPARE(checkDisplayList(buildDisplayList(scene), *theme), QStringList());
        QStringList more{QStringLiteral("--depth"), QStringLiteral("1"), QStringLiteral("--expand"),
                         QStringLiteral("layers.1")};
        if (!repeats)
            more << QStringLiteral("--no-repeats");
        const Run run = draw(call + more);
        QVERIFY2(run.exitCode == 0, qPrintable(run.errors));
        QCOMPARE(contentOf(file), figureAsSvg(makeFigure(*snapshot, *scenes, options, {})));
    }
    QVERIFY(
        draw(call + QStringList{QStringLiteral("--collapse"), QStringLiteral("layers.2")}).exitCode
        == 0);
    QVERIFY(contentOf(file).contains(">layers.2<"));
    const Run unknown =
        draw(call + QStringList{QStringLiteral("--collapse"), QStringLiteral("layers.9")});
    QCOMPARE(unknown.exitCode, 3);
    QVERIFY2(unknown.errors.contains(QStringLiteral("module 'layers.9'")),
             qPrintable(unknown.errors));
}

void TestDraw::wrongUse()
{
    const QTemporaryDir dir;
    const auto to = [&](const char* name) {
        return QStringList{QStringLiteral("-o"), dir.filePath(QLatin1String(name))};
    };
    const QStringList residual{QStringLiteral("residual"), QStringLiteral("--stages"),
                               QStringLiteral("exported")};
    QCOMPARE(draw(residual).exitCode, 2); // no output
    QCOMPARE(draw(residual + to("figure.jpeg")).exitCode, 2);
    const auto unknown = draw(residual + to("f.svg")
                              + QStringList{QStringLiteral("--focus"), QStringLiteral("foo")});
    QCOMPARE(unknown.exitCode, 3);
    QVERIFY(unknown.errors.contains(QStringLiteral("'foo'")));
    QCOMPARE(draw(residual + to("no/such/folder/f.svg")).exitCode, 3);
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 0);
}

int main(int argc, char** argv)
{
    pt2e::makeQtDeterministic();
    QGuiApplication app(argc, argv);
    pt2e::registerFonts();
    TestDraw test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_draw.moc"

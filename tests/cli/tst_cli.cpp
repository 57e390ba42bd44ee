// The program pt2e itself: verbs, what goes to stdout and stderr, exit codes.
#include "tests/support/DumpCompare.h"
#include "tests/support/RunPt2e.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <csignal>

using pt2e::test::Answer;
using pt2e::test::runPt2e;
using pt2e::test::program;

namespace {

QString dataFile(const QString& name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + u'/' + name;
}

QString write(const QTemporaryDir& folder, const char* name, const QByteArray& text)
{
    const QString path = folder.filePath(QString::fromUtf8(name));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
    return path;
}

const QByteArray kRecipe =
    R"({"format": "pt2e.recipe", "version": 1, "edits": [{"at": "%1", "spec": null}]})";

QByteArray recipeAt(const QByteArray& point)
{
    QByteArray text = kRecipe;
    return text.replace("%1", point);
}

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void infoShowsEachProgram();
    void drawIsQuiet();
    void exitCodes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& arguments, int code,
                            const char* message) {
            QTest::newRow(name) << arguments << code << QString::fromUtf8(message);
        };
        using S = QStringList;
        row("help", S{QStringLiteral("--help")}, 0, "");
        row("no verb", S{}, 2, "subcommand is required");
        row("unknown verb", S{QStringLiteral("paint")}, 2, "");
        row("unknown option",
            S{QStringLiteral("print"), QStringLiteral("residual"), QStringLiteral("--x")}, 2,
            "--x");
        row("no such file", S{QStringLiteral("print"), QStringLiteral("nowhere.pt2")}, 3,
            "pt2e: nowhere.pt2: ");
        row("no such stage",
            S{QStringLiteral("print"), QStringLiteral("residual"), QStringLiteral("--stage"),
              QStringLiteral("lowered")},
            3, "stage 'lowered'");
        row("no such data",
            S{QStringLiteral("dump"), QStringLiteral("residual"), QStringLiteral("--calibration"),
              QStringLiteral("nowhere.npz")},
            3, "nowhere.npz");
        row("no such recipe",
            S{QStringLiteral("recipe"), QStringLiteral("check"), QStringLiteral("nowhere.json")}, 3,
            "nowhere.json");
        row("recipe and quantizer",
            S{QStringLiteral("dump"), QStringLiteral("residual"), QStringLiteral("--recipe"),
              QStringLiteral("r"), QStringLiteral("--per-tensor")},
            2, "excludes");
    }
    void exitCodes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, message);
        const Answer answer = runPt2e(arguments);
        QCOMPARE(answer.code, code);
        QVERIFY2(QString::fromUtf8(answer.err).contains(message), answer.err.constData());
    }

    void notebooksTable()
    {
        const Answer answer =
            runPt2e({QStringLiteral("tables"), QStringLiteral("residual"), QStringLiteral("--ch"),
                     QStringLiteral("8"), QStringLiteral("--seed"), QStringLiteral("0"),
                     QStringLiteral("--threads"), QStringLiteral("1")});
        QCOMPARE(answer.code, 0);
        QCOMPARE(answer.err, QByteArray());
        for (const char* text :
             {"scale=0.03299 zp=-5", "scale=0.0009225 zp=0 (per-channel, n=8)",
              "scale=0.0009054 zp=0 (per-channel, n=8)", "scale=0.008802 zp=-128",
              "scale=0.008239 zp=18", "scale=0.01745 zp=-128"})
            QVERIFY2(answer.out.contains(text), text);
    }

    void jsonAndCsv()
    {
        const QStringList verb = {QStringLiteral("tables"), QStringLiteral("cat_pool"),
                                  QStringLiteral("--table"), QStringLiteral("unannotated")};
        const Answer json = runPt2e(verb + QStringList{QStringLiteral("--json")});
        const QJsonObject table = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(table[QStringLiteral("table")].toString(), QStringLiteral("unannotated"));
        QCOMPARE(table[QStringLiteral("rows")].toArray().size(), 2);
        const Answer csv = runPt2e(verb + QStringList{QStringLiteral("--csv")});
        QVERIFY(csv.out.startsWith("name,op,reason,root\r\ncat,cat,"));
        const Answer all =
            runPt2e({QStringLiteral("tables"), QStringLiteral("stem"), QStringLiteral("--json")});
        QVERIFY(QJsonDocument::fromJson(all.out).isArray());
    }

    void sampleIsWhatWasBuilt()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("r.pt2"));
        QCOMPARE(runPt2e({QStringLiteral("sample"), QStringLiteral("residual"),
                          QStringLiteral("-o"), file})
                     .code,
                 0);
        const QStringList common = {QStringLiteral("--stage"), QStringLiteral("exported")};
        const Answer fromFile = runPt2e(QStringList{QStringLiteral("dump"), file} + common);
        const Answer builtIn =
            runPt2e(QStringList{QStringLiteral("dump"), QStringLiteral("residual")} + common);
        QCOMPARE(fromFile.code, 0);
        QCOMPARE(fromFile.out, builtIn.out);
        std::string error;
        const auto dump = pt2e::test::parseDump(fromFile.out.toStdString(), error);
        QFile goldenFile(dataFile(QStringLiteral("cases/notebook_residual/golden-torchao.json")));
        QVERIFY(goldenFile.open(QIODevice::ReadOnly));
        auto golden = pt2e::test::parseDump(goldenFile.readAll().toStdString(), error);
        const auto& expected = golden["stages"]["exported"]["tensors"];
        QVERIFY(expected.MemberCount() > 0);
        QVERIFY(dump["stages"]["exported"]["tensors"] == expected);
        QVERIFY(
            runPt2e({QStringLiteral("sample"), QStringLiteral("--list")}).out.contains("residual"));
        QCOMPARE(runPt2e({QStringLiteral("sample"), QStringLiteral("residual")}).code, 2);
    }

    void printsAsPythonDoes()
    {
        const Answer answer = runPt2e({QStringLiteral("print"), QStringLiteral("stem"),
                                       QStringLiteral("--stage"), QStringLiteral("prepared")});
        QCOMPARE(answer.code, 0);
        QVERIFY(answer.out.startsWith(
            "graph():\n    %conv_weight : [num_users=1] = get_attr[target=conv.weight]\n"));
        QVERIFY(answer.out.endsWith("    return (activation_post_process_2,)\n"));
    }

    void recipes()
    {
        QTemporaryDir folder;
        const QString good = write(folder, "good.json", recipeAt("conv2d_1"));
        const QString missing = write(folder, "missing.json", recipeAt("conv2d_9"));
        const QString bad =
            write(folder, "bad.json", R"({"format": "pt2e.recipe", "version": 1, "colour": 1})");
        const auto recipe = [](const char* verb, const QString& file,
                               const QStringList& more = {}) {
            return runPt2e(QStringList{QStringLiteral("recipe"), QString::fromUtf8(verb), file}
                           + more);
        };
        QCOMPARE(recipe("check", good).code, 0);
        QCOMPARE(recipe("check", good, {QStringLiteral("residual")}).code, 0);
        const Answer gone = recipe("check", missing, {QStringLiteral("residual")});
        QCOMPARE(gone.code, 3);
        QVERIFY2(gone.err.contains("there is no node 'conv2d_9'"), gone.err.constData());
        const Answer unknown = recipe("check", bad);
        QCOMPARE(unknown.code, 3);
        QVERIFY2(unknown.err.contains("bad.json: colour: unknown key"), unknown.err.constData());
        QVERIFY(recipe("show", good).out.contains("conv2d_1: none"));
        const Answer json = recipe("show", good, {QStringLiteral("--json")});
        QCOMPARE(
            QJsonDocument::fromJson(json.out).object()[QStringLiteral("edits")].toArray().size(),
            1);

        const Answer edited = runPt2e({QStringLiteral("tables"), QStringLiteral("residual"),
                                       QStringLiteral("--recipe"), good, QStringLiteral("--table"),
                                       QStringLiteral("annotations")});
        QVERIFY(edited.out.contains(
            "relu:Spec, conv2_weight:Spec, conv2_weight_bias:NoneType  NoneType"));
        // Elsewhere a missing node is a problem, not a failure.
        const Answer problem = runPt2e({QStringLiteral("tables"), QStringLiteral("residual"),
                                        QStringLiteral("--recipe"), missing,
                                        QStringLiteral("--table"), QStringLiteral("annotations")});
        QCOMPARE(problem.code, 0);
        QVERIFY(problem.err.contains("there is no node 'conv2d_9'"));
    }

    void rulesOfARecipe()
    {
        QTemporaryDir folder;
        const QString file =
            write(folder, "rules.json",
                  R"({"format": "pt2e.recipe", "version": 1, "quantizer": {"rules": [
            {"match": {"op": "aten.conv2d.default", "position": "last"}, "skip": true},
            {"match": {"name": "relu*"}, "output": {"kind": "shared", "with": "$input7"}},
            {"match": {"op": "aten.lstm.*"}, "skip": true}]}})");
        const QString recipe = QStringLiteral("recipe");
        const Answer shown = runPt2e({recipe, QStringLiteral("show"), file});
        QVERIFY2(shown.out.contains("1. the last aten.conv2d.default: left out\n"),
                 shown.out.constData());
        const Answer checked =
            runPt2e({recipe, QStringLiteral("check"), file, QStringLiteral("residual")});
        QCOMPARE(checked.code, 0);
        QVERIFY2(checked.out.endsWith("rule 1 finds 1 operator\nrule 2 finds 2 operators\n"
                                      "rule 3 finds 0 operators\n"),
                 checked.out.constData());
        QVERIFY2(checked.err.contains("relu_1: rule 2 names an input that this operator does not")
                     && checked.err.contains("rule 3: no operator of the model matches"),
                 checked.err.constData());
        const Answer reasons = runPt2e({QStringLiteral("tables"), QStringLiteral("residual"),
                                        QStringLiteral("--recipe"), file, QStringLiteral("--table"),
                                        QStringLiteral("unannotated")});
        QVERIFY2(reasons.out.contains("rule 1 of the recipe leaves it out"),
                 reasons.out.constData());

        const QString python = folder.filePath(QStringLiteral("q.py"));
        const Answer written =
            runPt2e({recipe, QStringLiteral("to-python"), file, QStringLiteral("-o"), python});
        QCOMPARE(written.code, 0);
        QFile module(python);
        QVERIFY(module.open(QIODevice::ReadOnly));
        const QByteArray text = module.readAll();
        QVERIFY(text.contains("class RecipeQuantizer(Quantizer):"));
        QVERIFY(text.contains("Rule(\n        {\"op\": \"aten.lstm.*\"},\n        skip=True,"));
    }

    void hardwareProfiles()
    {
        QTemporaryDir folder;
        const QString file = write(folder, "plain.json",
                                   R"({"format": "pt2e.recipe", "version": 1,
            "calibration": {"source": "random", "batches": 2}})");
        const QString mended = folder.filePath(QStringLiteral("mended.json"));
        const auto check = [](const QString& recipe, const QStringList& more) {
            return runPt2e(QStringList{QStringLiteral("recipe"), QStringLiteral("check"), recipe}
                           + more);
        };
        const Answer profiles = runPt2e({QStringLiteral("recipe"), QStringLiteral("profiles")});
        QCOMPARE(profiles.code, 0);
        QVERIFY2(profiles.out.contains("shift-only") && profiles.out.contains("power-of-two"),
                 profiles.out.constData());
        const QString residual = QStringLiteral("residual"), name = QStringLiteral("--profile"),
                      shifts = QStringLiteral("shift-only");
        const Answer found = check(file, {residual, name, shifts, QStringLiteral("--json"),
                                          QStringLiteral("--mend"), mended});
        QCOMPARE(found.code, 1);
        const QJsonArray rows =
            QJsonDocument::fromJson(found.out).object()[QStringLiteral("rows")].toArray();
        QVERIFY2(rows.size() > 10, found.out.constData());
        const Answer none = check(mended, {residual, name, shifts});
        QVERIFY2(none.code == 0, none.out.constData());
        const QString python = folder.filePath(QStringLiteral("q.py"));
        QCOMPARE(runPt2e({QStringLiteral("recipe"), QStringLiteral("to-python"), mended,
                          QStringLiteral("-o"), python})
                     .code,
                 0);
        QCOMPARE(check(file, {name, shifts}).code, 2);
        const Answer unknown = check(file, {residual, name, QStringLiteral("abacus")});
        QCOMPARE(unknown.code, 3);
        QVERIFY(unknown.err.contains("there is no profile 'abacus'"));
    }

    void quantizers()
    {
        const auto tables = [](const QStringList& more) {
            return runPt2e(QStringList{QStringLiteral("tables"), QStringLiteral("cat_pool")}
                           + more);
        };
        const QString quantizer = QStringLiteral("--quantizer"),
                      executorch = QStringLiteral("executorch"), table = QStringLiteral("--table");
        QVERIFY(tables({table, QStringLiteral("unannotated")}).out.contains("max_pool2d"));
        const Answer none = tables({quantizer, executorch, table, QStringLiteral("unannotated")});
        QCOMPARE(none.code, 0);
        QVERIFY2(!none.out.contains("max_pool2d"), none.out.constData());
        // Where the two differ: cat, and what follows it.
        const Answer against = tables({QStringLiteral("--against"), executorch});
        QCOMPARE(against.code, 0);
        QVERIFY2(against.out.contains("cat->max_pool2d"), against.out.constData());
        QVERIFY(!against.out.contains("conv2d->relu"));
        const Answer same =
            tables({quantizer, executorch, QStringLiteral("--against"), executorch});
        QCOMPARE(same.code, 0);
        QVERIFY2(!same.out.contains("cat"), same.out.constData());

        const auto observers = [&](const QStringList& more) {
            return tables(QStringList{table, QStringLiteral("observers")} + more).out;
        };
        QVERIFY(observers({}).contains("PerChannelMinMaxObserver"));
        const QByteArray perTensor = observers({QStringLiteral("--per-tensor")});
        QVERIFY(!perTensor.contains("PerChannel"));
        QVERIFY(perTensor.contains("MinMaxObserver"));
        const QByteArray dynamic = observers({QStringLiteral("--dynamic"), quantizer, executorch});
        QVERIFY2(dynamic.contains("PlaceholderObserver") && !dynamic.contains("Histogram"),
                 dynamic.constData());
    }

    void settingsByModuleAndOperator()
    {
        QTemporaryDir folder;
        const QString file =
            write(folder, "types.json",
                  R"({"format": "pt2e.recipe", "version": 1, "quantizer": {"flavor": "executorch",
            "module_type": [["torch.nn.Conv2d", null]], "operator_type": [["aten.cat.default", {}]]}})");
        const Answer shown = runPt2e({QStringLiteral("recipe"), QStringLiteral("show"), file});
        QCOMPARE(shown.code, 0);
        QVERIFY2(shown.out.contains("module type  torch.nn.Conv2d: none"), shown.out.constData());
        QVERIFY(shown.out.contains("operator     aten.cat.default: per channel, static"));
        const Answer reasons = runPt2e({QStringLiteral("tables"), QStringLiteral("cat_pool"),
                                        QStringLiteral("--recipe"), file, QStringLiteral("--table"),
                                        QStringLiteral("unannotated")});
        QCOMPARE(reasons.code, 0);
        QVERIFY2(reasons.out.contains("'torch.nn.Conv2d', which has a setting of its own"),
                 reasons.out.constData());
    }

    void aFailedStepLeavesADump()
    {
        QTemporaryDir folder;
        const QString out = folder.filePath(QStringLiteral("d.json"));
        const Answer answer = runPt2e(
            {QStringLiteral("dump"), dataFile(QStringLiteral("cases/nan_batch/model.pt2")),
             QStringLiteral("--calibration"), dataFile(QStringLiteral("cases/nan_batch/calib.npz")),
             QStringLiteral("-o"), out});
        QCOMPARE(answer.code, 3);
        QFile file(out);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject dump = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(dump[QStringLiteral("error")].toObject()[QStringLiteral("stage")].toString(),
                 QStringLiteral("calibrate"));
        QVERIFY(dump[QStringLiteral("stages")].toObject().contains(QStringLiteral("prepared")));
    }

    void interruptCancels()
    {
        QProcess process;
        process.setReadChannel(QProcess::StandardError);
        process.start(program(), {QStringLiteral("dump"), QStringLiteral("residual"),
                                  QStringLiteral("--batches"), QStringLiteral("3000"),
                                  QStringLiteral("--progress")});
        QByteArray seen;
        QElapsedTimer timer;
        timer.start();
        while (!seen.contains("calibrating") && timer.elapsed() < 60000
               && process.waitForReadyRead(60000))
            seen += process.readAllStandardError();
        QVERIFY2(seen.contains("calibrating"), seen.constData());
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
    }
};

void TestCli::infoShowsEachProgram()
{
    const QString file = dataFile(QStringLiteral("pt2/torch-2.14.1/two_models.pt2"));
    const Answer both = runPt2e({QStringLiteral("info"), QStringLiteral("--json"), file});
    QCOMPARE(both.code, 0);
    const QJsonArray programs = QJsonDocument::fromJson(both.out).array();
    QCOMPARE(programs.size(), 2);
    QCOMPARE(programs[0].toObject()[QStringLiteral("program")].toString(), QStringLiteral("enc"));
    QCOMPARE(programs[1].toObject()[QStringLiteral("program")].toString(), QStringLiteral("dec"));
    const Answer one = runPt2e({QStringLiteral("info"), QStringLiteral("--json"),
                                QStringLiteral("--model"), QStringLiteral("dec"), file});
    QCOMPARE(one.code, 0);
    QCOMPARE(QJsonDocument::fromJson(one.out).object(), programs[1].toObject());
    const Answer text = runPt2e({QStringLiteral("info"), file});
    QCOMPARE(text.out.count("container"), 2);
    // What computes needs one program.
    QCOMPARE(runPt2e({QStringLiteral("print"), QStringLiteral("--stage"),
                      QStringLiteral("exported"), file})
                 .code,
             3);
}

void TestCli::drawIsQuiet()
{
    const QTemporaryDir folder;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("XDG_RUNTIME_DIR"));
    process.setProcessEnvironment(environment);
    process.start(program(), {QStringLiteral("draw"), QStringLiteral("residual"),
                              QStringLiteral("--stages"), QStringLiteral("exported"),
                              QStringLiteral("-o"), folder.filePath(QStringLiteral("r.svg"))});
    QVERIFY(process.waitForFinished(120000));
    QCOMPARE(process.exitCode(), 0);
    QCOMPARE(process.readAllStandardError(), QByteArray());
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"

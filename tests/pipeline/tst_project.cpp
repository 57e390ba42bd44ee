// Project files: there and back, errors with their place, files that moved or changed, writing that fails.
#include "core/data/FileHash.h"
#include "core/ir/GraphEditor.h"
#include "tests/support/FullProject.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest/QtTest>
#include <unistd.h>

using namespace pt2e;
using test::fullProject;

namespace {

std::string problemOf(const std::string& text)
{
    const Result<Project> project = readProject(text, "work.pt2ew", {});
    return project ? "" : project.error().message();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<std::string> codesOf(const Diagnostics& diagnostics)
{
    std::vector<std::string> codes;
    for (const Diagnostic& diagnostic : diagnostics)
        codes.push_back(diagnostic.code);
    return codes;
}

/// A project whose files are all there.
Project projectIn(const QString& folder)
{
    QDir().mkpath(folder + "/eval/deeper");
    write(folder + "/net.pt2", "model");
    write(folder + "/calib.npz", "calibration");
    write(folder + "/eval/a.npy", "a");
    write(folder + "/eval/deeper/b.npy", "b");
    write(folder + "/labels.csv", "labels");
    Project project;
    project.model.what = (folder + "/net.pt2").toStdString();
    project.recipe.calibration.source = CalibrationChoice::Source::File;
    project.recipe.calibration.path = (folder + "/calib.npz").toStdString();
    project.evaluation.path = (folder + "/eval").toStdString();
    project.evaluation.labels = (folder + "/labels.csv").toStdString();
    FileHasher hasher;
    project.hashes = hashFiles(project, hasher, {}).value();
    return project;
}

} // namespace

class TestProject : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thereAndBack()
    {
        for (const std::string folder : {"", "/somewhere"}) {
            const Project project = fullProject("/somewhere/else");
            const std::string text = writeProject(project, folder);
            const Result<Project> again = readProject(text, "work.pt2ew", {});
            QVERIFY2(again, qPrintable(QString::fromStdString(problemOf(text))));
            QCOMPARE(writeProject(*again, folder), text);
            QCOMPARE(again->model.what, project.model.what);
            QCOMPARE(again->model.programName, project.model.programName);
            QCOMPARE(again->model.seed, project.model.seed);
            QVERIFY(again->recipe == project.recipe);
            QVERIFY(again->evaluation == project.evaluation);
            QVERIFY(again->marks == project.marks);
            QVERIFY(again->view == project.view);
            QVERIFY(again->hashes == project.hashes);
        }
    }

    void holdsTheRecipeAsItsOwnFileDoes()
    {
        Project project = fullProject("/somewhere");
        QString text = QString::fromStdString(writeProject(project, {}));
        QString recipe = QString::fromStdString(writeRecipe(project.recipe)).trimmed();
        recipe.replace("\n", "\n ");
        QVERIFY2(text.contains("\"recipe\": " + recipe), qPrintable(text));
    }

    void builtInModels()
    {
        Project project;
        project.model = {"residual", "", 16, 3, 18446744073709551615u};
        const Result<Project> again =
            readProject(writeProject(project, "/somewhere"), "work.pt2ew", "/somewhere");
        QVERIFY(again);
        QCOMPARE(again->model.what, project.model.what);
        QCOMPARE(again->model.channels, project.model.channels);
        QCOMPARE(again->model.layers, project.model.layers);
        QCOMPARE(again->model.seed, project.model.seed);
    }

    void errorsNameTheirPlace_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* from, const char* to,
                            const char* message) { QTest::newRow(name) << from << to << message; };
        row("format", "pt2e.project", "pt2e.recipe",
            "work.pt2ew: not a project: 'format' must be 'pt2e.project'");
        row("newer", "\"version\": 1,\n \"model\"", "\"version\": 2,\n \"other\"",
            "work.pt2ew: written by a newer program: version 2 of the format, this one knows 1");
        row("older", "\"version\": 1,\n \"model\"", "\"version\": 0,\n \"model\"",
            "work.pt2ew: version 0 of the format is not known");
        row("unknown key", "\"bookmarks\"", "\"bookmark\"", "work.pt2ew: bookmark: unknown key");
        row("unknown key below", "\"hops\"", "\"hop\"", "work.pt2ew: view.hop: unknown key");
        row("twice", "\"notes\"", "\"bookmarks\"", "work.pt2ew: bookmarks: key stands twice");
        row("recipe", "\"at\": \"sigmoid\"", "\"at\": 5",
            "work.pt2ew: recipe.edits[2].at: must be a string");
        row("hops", "\"hops\": 0", "\"hops\": 100", "work.pt2ew: view.hops: must be 0 to 99");
        row("huge", "\"hops\": 0", "\"hops\": 1e400", "");
        row("stage", "[\"exported\"", "[\"imported\"",
            "work.pt2ew: view.panes[0]: must be one of exported, annotated, prepared, calibrated, "
            "converted");
        row("direction", "\"up\"", "\"left\"",
            "work.pt2ew: view.direction: must be one of both, up, down");
        row("hash", "\"sha256\": \"aaaa", "\"sha256\": \"AAAA",
            "work.pt2ew: model.file.sha256: must be 64 hexadecimal digits");
        row("bookmark twice", "\"body/relu\"", "\"conv2d\"",
            "work.pt2ew: bookmarks[1]: 'conv2d' stands twice");
        row("note twice", "{\"node\": \"add\"", "{\"node\": \"conv2d\"",
            "work.pt2ew: notes[1]: 'conv2d' has a note already");
        row("empty note", "\"text\": \"?\"", "\"text\": \"\"",
            "work.pt2ew: notes[1]: must have 'node' and 'text'");
        row("two models", "\"program\": \"main\"", "\"built_in\": \"residual\"",
            "work.pt2ew: model: must have 'file' or 'built_in'");
        row("no file", "\"absolute\": \"/somewhere/eval\"", "\"absolute\": \"\"",
            "work.pt2ew: data.evaluation.file: names no file");
        row("null byte", "\"absolute\": \"/somewhere/eval\"", "\"absolute\": \"/etc\\u0000x\"",
            "work.pt2ew: data.evaluation.file: names no file");
        row("type", "\"weights\": false", "\"weights\": [[]]",
            "work.pt2ew: view.weights: must be true or false");
        row("no model", "\"model\": {", "\"view2\": {", "work.pt2ew: view2: unknown key");
    }

    void errorsNameTheirPlace()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, message);
        QString text = QString::fromStdString(writeProject(fullProject("/somewhere"), {}));
        QVERIFY2(text.contains(from), qPrintable(text));
        text.replace(text.indexOf(from), from.size(), to);
        const QString problem = QString::fromStdString(problemOf(text.toStdString()));
        if (message.isEmpty())
            QVERIFY2(problem.startsWith("work.pt2ew:"), qPrintable(problem));
        else
            QCOMPARE(problem, message);
    }

    void hostileTextIsRefused()
    {
        const std::string good = writeProject(fullProject("/somewhere"), {});
        QVERIFY(problemOf("") != "");
        QVERIFY(problemOf("[]") != "");
        QVERIFY(problemOf("null") != "");
        QVERIFY(problemOf("{}") != "");
        QCOMPARE(problemOf(std::string(2000000, '[')),
                 std::string("work.pt2ew: nested deeper than 64 levels"));
        QVERIFY(problemOf("{\"format\": \"\xff\"}") != "");
        // Cut anywhere, it is refused, with a message.
        for (std::size_t size = 0; size + 2 < good.size(); size += 7)
            QVERIFY(problemOf(good.substr(0, size)) != "");
        // One byte changed anywhere: refused or read, nothing else.
        for (std::size_t i = 0; i < good.size(); i += 3) {
            for (const char c : {'"', '9', '\0', '{', '-'}) {
                std::string bad = good;
                bad[i] = c;
                if (const Result<Project> read = readProject(bad, "work.pt2ew", {})) {
                    const std::string text = writeProject(*read, {});
                    const Result<Project> again = readProject(text, "again.pt2ew", {});
                    QVERIFY2(again, qPrintable(QString::fromStdString(text)));
                    QCOMPARE(writeProject(*again, {}), text);
                }
            }
        }
    }

    void filesAreLookedForBesideTheProjectFirst()
    {
        QTemporaryDir folder;
        const QString old = folder.path() + "/old";
        const QString now = folder.path() + "/now";
        const Project project = projectIn(old);
        const std::string path = (old + "/work.pt2ew").toStdString();
        QVERIFY(saveProject(path, project));
        QVERIFY(QDir().rename(old, now));
        const Result<Project> moved = loadProject((now + "/work.pt2ew").toStdString());
        QVERIFY(moved);
        QCOMPARE(QString::fromStdString(moved->model.what), now + "/net.pt2");
        QCOMPARE(QString::fromStdString(moved->recipe.calibration.path), now + "/calib.npz");
        QCOMPARE(QString::fromStdString(moved->evaluation.path), now + "/eval");
        QCOMPARE(QString::fromStdString(moved->evaluation.labels), now + "/labels.csv");
        // The project alone moved: the absolute paths are the fall-back.
        QVERIFY(QDir().mkpath(old));
        QVERIFY(QFile::rename(now + "/work.pt2ew", old + "/work.pt2ew"));
        QVERIFY(QDir().rename(now, folder.path() + "/third"));
        const Result<Project> alone = loadProject(path);
        QVERIFY(alone);
        QCOMPARE(QString::fromStdString(alone->model.what), old + "/net.pt2");
    }

    void whatHasChangedIsTold()
    {
        QTemporaryDir folder;
        Project project = projectIn(folder.path());
        FileHasher hasher;
        const auto check = [&] {
            return codesOf(checkFiles(project, hashFiles(project, hasher, {}).value()));
        };
        using Codes = std::vector<std::string>;
        QCOMPARE(check(), Codes());
        write(folder.filePath("net.pt2"), "other");
        QCOMPARE(check(), Codes({"model-changed"}));
        write(folder.filePath("eval/deeper/b.npy"), "other");
        QCOMPARE(check(), Codes({"model-changed", "data-changed"}));
        QVERIFY(QFile::remove(folder.filePath("labels.csv")));
        QCOMPARE(check(), Codes({"model-changed", "data-changed", "data-missing"}));
        write(folder.filePath("calib.npz"), "Calibration");
        QCOMPARE(check(), Codes({"model-changed", "data-changed", "data-changed", "data-missing"}));
        // Not known then: nothing to compare with.
        project.hashes = {};
        QCOMPARE(check(), Codes({"data-missing"}));
    }

    void hashesAreThoseOfSha256sum()
    {
        QTemporaryDir folder;
        for (const int size : {0, 1, 55, 56, 63, 64, 65, 1000, 5000000}) {
            QByteArray bytes(size, '\0');
            for (int i = 0; i < size; ++i)
                bytes[i] = static_cast<char>(qint64{i} * i % 251);
            write(folder.filePath("file"), bytes);
            const auto expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
            QCOMPARE(QByteArray::fromStdString(
                         hashOfPath(folder.filePath("file").toStdString(), {}).value()),
                     expected.toHex());
        }
        QVERIFY(!hashOfPath(folder.filePath("nothing").toStdString(), {}));
        QVERIFY(!hashOfPath("/dev/null", {}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped =
            hashOfPath(folder.filePath("file").toStdString(), {stop.get_token(), {}, 1});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }

    void marksOfNodesThatAreGone()
    {
        GraphEditor editor;
        NewNode node;
        node.kind = OpKind::Placeholder;
        node.target = "x";
        editor.append(std::move(node));
        const GraphPtr graph = std::move(editor).publish();
        const NodeMarks marks = NodeMarks().withBookmark("x", true).withNote("y", "look here");
        const Diagnostics found = checkMarks(marks, *graph);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].code, std::string("mark-missing-node"));
        QVERIFY(found[0].message.find("look here") != std::string::npos);
        QVERIFY(marks.withBookmark("x", false).withNote("y", "") == NodeMarks());
        QCOMPARE(marks.nodes(), (std::vector<std::string>{"x", "y"}));
    }

    void aFailedSaveKeepsTheOldFile()
    {
        QTemporaryDir folder;
        const QString place = folder.filePath("locked");
        QVERIFY(QDir().mkpath(place));
        const std::string path = (place + "/work.pt2ew").toStdString();
        QVERIFY(saveProject(path, fullProject("/somewhere")));
        const QByteArray before = contentOf(QString::fromStdString(path));
        Project other = fullProject("/somewhere");
        other.marks = {};
        // Root may write anywhere: a folder that is not there stands for one that is locked.
        if (::geteuid() != 0) {
            QFile(place).setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
            const Result<void> saved = saveProject(path, other);
            QFile(place).setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner
                                        | QFileDevice::ExeOwner);
            QVERIFY(!saved && saved.error().code == ErrorCode::Io);
        }
        QVERIFY(!saveProject((place + "/nowhere/work.pt2ew").toStdString(), other));
        QVERIFY(!saveProject(place.toStdString(), other));
        Project unreadable = other;
        unreadable.recipe.threads = 5000;
        QVERIFY(!saveProject(path, unreadable));
        QCOMPARE(contentOf(QString::fromStdString(path)), before);
        QCOMPARE(QDir(place).entryList(QDir::Files).size(), 1);
    }

    void loadingWhatIsNoProject()
    {
        QTemporaryDir folder;
        QVERIFY(!loadProject(folder.filePath("nothing.pt2ew").toStdString()));
        QVERIFY(!loadProject(folder.path().toStdString()));
        write(folder.filePath("empty.pt2ew"), {});
        QVERIFY(!loadProject(folder.filePath("empty.pt2ew").toStdString()));
        QFile large(folder.filePath("large.pt2ew"));
        QVERIFY(large.open(QIODevice::WriteOnly));
        QVERIFY(large.resize(qint64(300) << 20));
        const auto refused = loadProject(large.fileName().toStdString());
        QVERIFY(!refused && refused.error().code == ErrorCode::Io);
    }
};

QTEST_GUILESS_MAIN(TestProject)
#include "tst_project.moc"

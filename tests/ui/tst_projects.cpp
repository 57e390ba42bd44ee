// Projects in the window: saving and opening, unsaved work, recovery, files that changed or moved, bookmarks and notes.
#include "tests/ui/UiTest.h"

#include "ui/canvas/StageBoard.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/NodeTable.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/panels/StartPage.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"
#include "ui/session/Comparison.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QtTest/QtTest>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

QString caseFile(const QString& name, const QString& file)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/cases/") + name
           + QLatin1Char('/') + file;
}

/// Replaces what is there, as torch.export.save does: the same file is written anew.
bool copyOver(const QString& from, const QString& to)
{
    QFile in(from), out(to);
    return in.open(QIODevice::ReadOnly) && out.open(QIODevice::WriteOnly | QIODevice::Truncate)
           && out.write(in.readAll()) > 0;
}

Edit fixedAt(const std::string& node, double scale)
{
    Edit edit;
    edit.at.node = node;
    edit.spec.kind = EditSpec::Kind::Fixed;
    edit.spec.fixed.scale = scale;
    edit.spec.fixed.zeroPoint = 3;
    return edit;
}

QStringList codes(MainWindow& window)
{
    QStringList found;
    for (const Diagnostic& problem : window.session().snapshot()->diagnostics)
        found << QString::fromStdString(problem.code);
    found.sort();
    return found;
}

} // namespace

class TestProjects : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private:
    Session& session() { return m_window->session(); }
    Document& document() { return m_window->projects().document(); }

    void edit(const std::string& node, double scale)
    {
        session().changeRecipe(withEdit(session().recipe(), fixedAt(node, scale)),
                               QStringLiteral("Edit %1").arg(QString::fromStdString(node)));
    }
    /// The problem, empty when all went well.
    QString save(const QString& path)
    {
        QSignalSpy saved(&document(), &Document::saved);
        m_window->projects().saveTo(path);
        if (!QTest::qWaitFor([&] { return saved.count() == 1; }, 20000))
            return QStringLiteral("nothing happened");
        return saved[0][1].toString();
    }
    bool open(const QString& what)
    {
        QSignalSpy replaced(&document(), &Document::replaced);
        m_window->open(what);
        return QTest::qWaitFor([&] { return replaced.count() == 1; }, 20000)
               && waitUntilIdle(*m_window);
    }
    bool answer(const char* box, QMessageBox::StandardButton button)
    {
        auto* asked = m_window->findChild<QMessageBox*>(QLatin1String(box));
        if (!asked || !asked->isVisible())
            return false;
        QTest::mouseClick(asked->button(button), Qt::LeftButton);
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return true;
    }
    QPushButton* noticeButton(const char* id)
    {
        for (QPushButton* button :
             m_window->findChildren<QPushButton*>(QLatin1String("notice.") + QLatin1String(id))) {
            if (button->isVisible())
                return button;
        }
        return nullptr;
    }
    bool waitForNotice(const char* id)
    {
        return QTest::qWaitFor([&] { return noticeButton(id) != nullptr; }, 20000);
    }
    void click(const char* id) { QTest::mouseClick(noticeButton(id), Qt::LeftButton); }

private Q_SLOTS:
    void saveAndOpenAgain()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath("net.pt2");
        QVERIFY(copyOver(caseFile("residual", "model.pt2"), model));
        QVERIFY(openAndWait(*m_window, model));
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("net.pt2[*] – PT2E Workbench"));
        edit("relu", 0.5);
        edit("add", 0.25);
        session().changeMarks(session().marks().withBookmark("conv2d", true).withNote("add", "why"),
                              "Mark");
        session().view().setStages({StageKind::Converted, StageKind::Exported});
        session().view().setFocus({"add", "relu"});
        session().view().setHops(1);
        session().view().setPanesInStep(false);
        m_window->overlays().show(OverlayKind::Bytes);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->isWindowModified());
        const QString path = folder.filePath("work.pt2ew");
        QCOMPARE(save(path), QString());
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("work.pt2ew[*] – PT2E Workbench"));
        const std::string kept = writeProject(document().project(), {});
        QVERIFY(!document().project().hashes.model.empty());
        // Undo leads away from what was saved, redo back.
        session().undoStack().undo();
        QVERIFY(m_window->isWindowModified());
        session().undoStack().redo();
        QVERIFY(!m_window->isWindowModified());

        QVERIFY(open("cat_pool"));
        QVERIFY(session().marks() == NodeMarks());
        QVERIFY(document().path().isEmpty());
        session().view().setPanesInStep(true);
        QVERIFY(open(path));
        QCOMPARE(writeProject(document().project(), {}), kept);
        QCOMPARE(session().reached(), StageKind::Converted);
        QVERIFY(!m_window->isWindowModified());
        QCOMPARE(codes(*m_window).filter("changed"), QStringList());
        QCOMPARE(m_window->board().panes().size(), std::size_t(2));
        // What was saved is what stands in the file.
        const Result<Project> file = loadProject(path.toStdString());
        QVERIFY(file);
        QVERIFY(file->recipe == session().recipe());
    }

    void itIsFoundAgain()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("found again.pt2ew");
        QVERIFY(openAndWait(*m_window, "residual"));
        QCOMPARE(save(path), QString());
        session().close();
        QVERIFY(m_window->isStartPageShown());
        QPushButton* link = nullptr;
        for (QPushButton* button : m_window->startPage().findChildren<QPushButton*>()) {
            if (button->text() == QLatin1String("found again.pt2ew"))
                link = button;
        }
        QVERIFY(link);
        QTest::mouseClick(link, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(document().path(), path);
        QCOMPARE(QString::fromStdString(session().request().what), QStringLiteral("residual"));
    }

    void itAsksBeforeWorkIsLost()
    {
        QTemporaryDir folder;
        QVERIFY(openAndWait(*m_window, "residual"));
        m_window->close();
        QVERIFY(m_window->isHidden()); // nothing to lose
        m_window->show();
        edit("relu", 0.5);
        const auto isOpen = [&](const char* model) {
            return session().modelName() == QLatin1String(model);
        };
        m_window->close();
        QVERIFY(answer("unsavedWork", QMessageBox::Cancel));
        QVERIFY(m_window->isVisible() && isOpen("residual"));
        m_window->open("stem");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(isOpen("residual"));
        QVERIFY(answer("unsavedWork", QMessageBox::Cancel));
        QVERIFY(waitUntilIdle(*m_window) && isOpen("residual"));
        m_window->open("stem");
        QVERIFY(answer("unsavedWork", QMessageBox::Discard));
        QVERIFY(waitUntilIdle(*m_window) && isOpen("stem"));
        const QString path = folder.filePath("work.pt2ew");
        QCOMPARE(save(path), QString());
        edit("relu", 0.75);
        m_window->close();
        QVERIFY(answer("unsavedWork", QMessageBox::Save));
        QVERIFY(QTest::qWaitFor([&] { return m_window->isHidden(); }, 20000));
        QCOMPARE(loadProject(path.toStdString())->recipe.edits.size(), std::size_t(1));
        QCOMPARE(QDir(Autosave::folder()).entryList(QDir::Files), QStringList());
    }

    void aFailedSaveIsToldAndLosesNothing()
    {
        QTemporaryDir folder;
        QVERIFY(openAndWait(*m_window, "residual"));
        edit("relu", 0.5);
        QVERIFY(save(folder.filePath("nowhere/work.pt2ew")) != QString());
        QVERIFY(m_window->statusLine().message().startsWith("Cannot save work.pt2ew."));
        QVERIFY(m_window->isWindowModified() && document().path().isEmpty());
        // Nor does a window close that could not save.
        const QString path = folder.filePath("deeper/work.pt2ew");
        QVERIFY(QDir().mkpath(folder.filePath("deeper")));
        QCOMPARE(save(path), QString());
        edit("relu", 0.75);
        QVERIFY(QDir(folder.filePath("deeper")).removeRecursively());
        m_window->close();
        QVERIFY(answer("unsavedWork", QMessageBox::Save));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->isVisible() && m_window->isWindowModified());
    }

    void badProjectsAreExplained()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("bad.pt2ew");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format": "pt2e.project", "version": 9})");
        file.close();
        QVERIFY(openAndWait(*m_window, "residual"));
        QSignalSpy failed(&session(), &Session::openFailed);
        m_window->open(path);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(failed.count(), 1);
        QVERIFY2(m_window->statusLine().message().contains("version 9"),
                 qPrintable(m_window->statusLine().message()));
        QCOMPARE(session().modelName(), QStringLiteral("residual"));
    }

    /// As if the owner of the journal had died: a copy that nobody has locked.
    void recoveryOffersWhatWasLost()
    {
        QTemporaryDir folder;
        QVERIFY(openAndWait(*m_window, "residual"));
        edit("relu", 0.5);
        edit("add", 0.25);
        session().changeMarks(session().marks().withNote("add", "why"), "Note");
        session().undoStack().undo();
        EvaluationChoice choice;
        choice.path = caseFile("residual", "eval.npz").toStdString();
        m_window->comparison().setChoice(choice);
        QVERIFY(waitUntilIdle(*m_window));
        const QDir journals(Autosave::folder());
        const QStringList own = journals.entryList({"*.journal"}, QDir::Files);
        QCOMPARE(own.size(), 1);
        // Two windows at once: the other one does not take what this one owns.
        m_window->projects().autosave().scan();
        {
            MainWindow other(m_application.preferences());
            other.show();
            QVERIFY(QTest::qWaitForWindowExposed(&other));
            QVERIFY(waitUntilIdle(other));
            QVERIFY(other.projects().autosave().found().empty());
            QVERIFY(!other.projects().notices()->isVisible());
        }
        QVERIFY(QFile::copy(journals.filePath(own[0]), journals.filePath("lost.journal")));
        const Project lost = document().project();
        m_window->projects().autosave().end();
        m_window.reset();

        m_window = std::make_unique<MainWindow>(m_application.preferences());
        m_window->show();
        QVERIFY(waitForNotice("recover"));
        const auto* text = m_window->findChild<QLabel*>("noticeText");
        QVERIFY2(text->text().contains("residual") && text->text().contains("2 edits"),
                 qPrintable(text->text()));
        // Nobody else offers it meanwhile.
        {
            MainWindow other(m_application.preferences());
            other.projects().autosave().scan();
            QVERIFY(other.projects().autosave().found().empty());
        }
        click("recover");
        QVERIFY(waitUntilIdle(*m_window));
        Project found = document().project();
        QVERIFY(!found.hashes.evaluation.empty()); // looked at anew
        found.hashes = lost.hashes;
        QCOMPARE(writeProject(found, {}), writeProject(lost, {}));
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(session().undoStack().undoText(), QStringLiteral("Edit add"));
        QCOMPARE(session().undoStack().redoText(), QStringLiteral("Note"));
        session().undoStack().redo();
        QCOMPARE(session().marks().noteOn("add"), std::string("why"));
        for (int i = 0; i < 3; ++i)
            session().undoStack().undo();
        QVERIFY(session().recipe().edits.empty());
        QVERIFY(!session().undoStack().canUndo());
        QVERIFY(!noticeButton("recover"));
        // The lost one's journal is this window's now.
        const QStringList now = journals.entryList({"*.journal"}, QDir::Files);
        QCOMPARE(now.size(), 1);
        QVERIFY(now[0] != "lost.journal");
    }

    void recoveryCanBeDeclined()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        edit("relu", 0.5);
        const QDir journals(Autosave::folder());
        const QString own = journals.entryList({"*.journal"}, QDir::Files).value(0);
        QVERIFY(QFile::copy(journals.filePath(own), journals.filePath("lost.journal")));
        m_window->projects().autosave().end();
        m_window.reset();
        m_window = std::make_unique<MainWindow>(m_application.preferences());
        m_window->show();
        QVERIFY(waitForNotice("discard"));
        click("discard");
        QVERIFY(!noticeButton("recover"));
        QCOMPARE(journals.entryList(QDir::Files), QStringList());
    }

    void theModelChangesOnDisk()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath("net.pt2");
        QVERIFY(copyOver(caseFile("residual", "model.pt2"), model));
        QVERIFY(openAndWait(*m_window, model));
        edit("relu", 0.5);
        edit("add", 0.25);
        session().changeMarks(
            session().marks().withBookmark("conv2d", true).withBookmark("batch_norm_1", true),
            "Bookmark");
        QVERIFY(waitUntilIdle(*m_window));
        const Recipe recipe = session().recipe();
        const NodeMarks marks = session().marks();
        session().view().setFocus({"conv2d", "add"});
        const GraphPtr converted = session().snapshot()->graph(StageKind::Converted);
        session().selection().select(StageKind::Converted, {converted->findByName("conv2d")->id,
                                                            converted->findByName("add")->id});
        QVERIFY(copyOver(caseFile("cat_pool", "model.pt2"), model));
        QVERIFY(waitForNotice("reload"));
        QCOMPARE(session().model()->exported->findByName("cat"), nullptr);
        click("reload");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(session().model()->exported->findByName("cat"));
        QVERIFY(session().recipe() == recipe);
        QVERIFY(session().marks() == marks);
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(session().undoStack().count(), 3);
        const QStringList problems = codes(*m_window);
        QVERIFY2(problems.contains("edit-missing-node") && problems.contains("mark-missing-node")
                     && problems.contains("model-changed"),
                 qPrintable(problems.join(' ')));
        QCOMPARE(session().view().options().focus, std::vector<std::string>{"conv2d"});
        QCOMPARE(session().selection().stage(), StageKind::Converted);
        QCOMPARE(session().selection().nodes().size(), std::size_t(1));
        QCOMPARE(session()
                     .snapshot()
                     ->graph(StageKind::Converted)
                     ->node(session().selection().current())
                     .name,
                 std::string("conv2d"));
        QVERIFY(waitForNotice("problems"));
        click("problems");
        QCOMPARE(m_window->tables().shownTable(), QStringLiteral("problems"));
        // And back again: everything fits.
        QVERIFY(copyOver(caseFile("residual", "model.pt2"), model));
        QVERIFY(waitForNotice("reload"));
        click("reload");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!codes(*m_window).contains("edit-missing-node"));
        QVERIFY(session().snapshot()->graph(StageKind::Converted) != nullptr);
    }

    void aTouchedFileIsNotAChangedOne()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath("net.pt2");
        QVERIFY(copyOver(caseFile("residual", "model.pt2"), model));
        QVERIFY(openAndWait(*m_window, model));
        QVERIFY(copyOver(caseFile("residual", "model.pt2"), model));
        QTest::qWait(1000);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!noticeButton("reload"));
        // A file that is replaced is watched all the same.
        QVERIFY(copyOver(caseFile("cat_pool", "model.pt2"), folder.filePath("new")));
        QCOMPARE(std::rename(qPrintable(folder.filePath("new")), qPrintable(model)), 0);
        QVERIFY(waitForNotice("reload"));
        click("later");
        QVERIFY(!noticeButton("reload"));
        QVERIFY(session().model()->exported->findByName("add"));
    }

    void aProjectWhoseModelChangedOrMoved()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath("net.pt2");
        const QString path = folder.filePath("work.pt2ew");
        QVERIFY(copyOver(caseFile("residual", "model.pt2"), model));
        QVERIFY(openAndWait(*m_window, model));
        edit("add", 0.25);
        session().view().setFocus({"add", "relu"});
        QCOMPARE(save(path), QString());
        session().close();
        QVERIFY(copyOver(caseFile("cat_pool", "model.pt2"), model));
        QVERIFY(open(path));
        QVERIFY(waitForNotice("problems"));
        QVERIFY(codes(*m_window).contains("model-changed"));
        QVERIFY(codes(*m_window).contains("edit-missing-node"));
        QCOMPARE(session().recipe().edits.size(), std::size_t(1));
        QCOMPARE(session().view().options().focus, std::vector<std::string>{"relu"});
        session().close();

        QVERIFY(QFile::rename(model, folder.filePath("elsewhere.pt2")));
        m_window->open(path);
        QVERIFY(waitUntilIdle(*m_window));
        auto* box = m_window->findChild<QMessageBox*>("missingModel");
        QVERIFY(box && box->isVisible());
        QVERIFY(box->text().contains("net.pt2") && box->informativeText().contains(model));
        QVERIFY(answer("missingModel", QMessageBox::Cancel));
        QVERIFY(m_window->isStartPageShown());
        document().openWith(folder.filePath("elsewhere.pt2"));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(session().modelName(), QStringLiteral("elsewhere.pt2"));
        QVERIFY(m_window->isWindowModified()); // the file still says where it was
        QCOMPARE(save(path), QString());
        QVERIFY(!m_window->isWindowModified());
        session().close();
        QVERIFY(open(path));
        QCOMPARE(session().modelName(), QStringLiteral("elsewhere.pt2"));
        QVERIFY(!codes(*m_window).contains("model-changed"));
    }

    void dataThatChanged()
    {
        QTemporaryDir folder;
        const QString data = folder.filePath("calib.npz");
        const QString path = folder.filePath("work.pt2ew");
        QVERIFY(copyOver(caseFile("residual", "calib.npz"), data));
        QVERIFY(openAndWait(*m_window, caseFile("residual", "model.pt2")));
        Recipe recipe = session().recipe();
        recipe.calibration.source = CalibrationChoice::Source::File;
        recipe.calibration.path = data.toStdString();
        session().changeRecipe(recipe, "Data");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(save(path), QString());
        QVERIFY(open(path));
        QVERIFY(!codes(*m_window).contains("data-changed"));
        QVERIFY(copyOver(caseFile("residual", "eval.npz"), data));
        QVERIFY(open(path));
        QVERIFY(codes(*m_window).contains("data-changed"));
        QVERIFY(QFile::remove(data));
        QVERIFY(open(path));
        QVERIFY(codes(*m_window).contains("data-missing"));
        QVERIFY(session().recipe() == recipe);
    }

    void bookmarksAndNotes()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const auto select = [&](StageKind stage, const char* name) {
            session().selection().select(
                stage, {session().snapshot()->graph(stage)->findByName(name)->id});
            QApplication::processEvents();
        };
        auto* note = m_window->findChild<QPlainTextEdit*>("nodeNote");
        QVERIFY(note && !note->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
        QVERIFY(session().marks() == NodeMarks()); // nothing is selected
        select(StageKind::Exported, "conv2d");
        QTest::keyClick(m_window.get(), Qt::Key_B, Qt::ControlModifier);
        QCOMPARE(session().marks().bookmarks, std::vector<std::string>{"conv2d"});
        QCOMPARE(session().undoStack().undoText(), QStringLiteral("Bookmark conv2d"));
        // In every pane the node has its ribbon.
        for (StagePane* pane : m_window->board().panes())
            QCOMPARE(pane->view().bookmarkedItems().size(), std::size_t(1));
        // An observer is no node of the exported graph, but about one.
        select(StageKind::Prepared, "activation_post_process_0");
        QVERIFY(note->isVisible());
        select(StageKind::Converted, "add");
        QVERIFY(note->isVisible());
        QTest::mouseClick(note, Qt::LeftButton);
        QTest::keyClicks(note, "why is");
        QVERIFY(QTest::qWaitFor([&] { return session().marks().notes.size() == 1; }, 5000));
        QTest::keyClicks(note, " it so");
        QVERIFY(QTest::qWaitFor([&] { return session().marks().noteOn("add") == "why is it so"; },
                                5000));
        QCOMPARE(session().undoStack().count(), 2); // one sitting, one step
        QTest::keyClicks(note, "?");
        m_window->close(); // without waiting
        QCOMPARE(session().marks().noteOn("add"), std::string("why is it so?"));
        QVERIFY(answer("unsavedWork", QMessageBox::Cancel));
        QTest::keyClicks(note, "!");
        select(StageKind::Exported, "conv2d"); // without waiting
        QCOMPARE(session().marks().noteOn("add"), std::string("why is it so?!"));
        QCOMPARE(note->toPlainText(), QString());
        QCOMPARE(m_window->board().paneOf(StageKind::Converted)->view().notedItems().size(),
                 std::size_t(1));

        m_window->tables().showTable("bookmarks");
        QCOMPARE(m_window->tables().titleOf("bookmarks"), QStringLiteral("Bookmarks 2"));
        auto* table = m_window->findChild<NodeTable*>("table.bookmarks");
        QVERIFY(table && table->isVisible());
        QCOMPARE(table->tableModel().rowCount(), 2);
        QCOMPARE(table->table().rows[1].cells[3].text, std::string("why is it so?!"));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(1, 0)).center());
        const GraphPtr exported = session().snapshot()->graph(StageKind::Exported);
        QCOMPARE(session().selection().nodesIn(StageKind::Exported),
                 std::vector<NodeId>{exported->findByName("add")->id});
        QCOMPARE(note->toPlainText(), QStringLiteral("why is it so?!"));
        // Nothing of it is a matter of the recipe: no stage runs again.
        const SnapshotPtr snapshot = session().fullSnapshot();
        while (!session().marks().notes.empty())
            session().undoStack().undo();
        QCOMPARE(session().marks().bookmarks.size(), std::size_t(1));
        QCOMPARE(note->toPlainText(), QString());
        session().undoStack().undo();
        QVERIFY(session().marks() == NodeMarks());
        QCOMPARE(session().fullSnapshot(), snapshot);
        QCOMPARE(m_window->board().paneOf(StageKind::Exported)->view().bookmarkedItems().size(),
                 std::size_t(0));
        QVERIFY(!table->isVisible());
    }

    void theWindowStandsAsItStood()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        m_window->outline().show();
        m_window->inspector().hide();
        m_window->tables().showTable("sharing");
        m_window->board().setStacked(true);
        session().view().setStages({StageKind::Converted, StageKind::Annotated});
        // No larger than the screen of the platform without one: Qt 6.8 fits what it restores into the screen.
        m_window->resize(1300, 720);
        m_window->close();
        QVERIFY(m_window->isHidden());
        m_window = std::make_unique<MainWindow>(m_application.preferences());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QCOMPARE(m_window->height(), 720);
        QVERIFY(openAndWait(*m_window, "residual"));
        QVERIFY(m_window->outline().isVisible() && !m_window->inspector().isVisible());
        QCOMPARE(m_window->tables().shownTable(), QStringLiteral("sharing"));
        QVERIFY(m_window->board().isStacked());
        QCOMPARE(session().view().stages(),
                 (std::vector<StageKind>{StageKind::Converted, StageKind::Annotated}));
        QSettings().clear();
    }

    void evaluationDataCount()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("work.pt2ew");
        QVERIFY(openAndWait(*m_window, caseFile("residual", "model.pt2")));
        EvaluationChoice choice;
        choice.path = caseFile("residual", "eval.npz").toStdString();
        choice.format.mean = {0.25};
        m_window->comparison().setChoice(choice);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->isWindowModified());
        QCOMPARE(save(path), QString());
        QVERIFY(!m_window->isWindowModified());
        session().close();
        QVERIFY(open(path));
        QVERIFY(m_window->comparison().choice() == choice);
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(!m_window->comparison().report()); // nothing is run for it
    }
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestProjects test(application);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_projects.moc"

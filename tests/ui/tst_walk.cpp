// The whole way, by the mouse alone and by the keyboard alone: open, focus, edit, undo, calibrate, run, compare, save,
// crash, open again, figure. The first half runs in a child process that is killed; the second in this one, which finds
// what the other has left. PT2E_WALK_PICTURES=FOLDER also takes a picture of each step, in both themes, and with
// PT2E_WALK_LANGUAGES=zh_TW in that language, too.
#include "tests/ui/UiTest.h"
#include "ui/canvas/StageBoard.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/panels/StatusLine.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QTimer>
#include <QtTest>

#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

const QString kEdited = QStringLiteral("relu");

/// What both hands do; a step that cannot be done says so and ends the walk.
class Hand
{
public:
    Hand(UiApplication& application, MainWindow& window, QString folder)
        : m_window(window),
          m_application(application),
          m_folder(std::move(folder))
    {}
    virtual ~Hand() = default;

    virtual bool open(const QString& model) = 0;
    virtual bool focusOn(const std::string& node) = 0;
    virtual bool takeAnnotationAway() = 0; ///< of the selected node's output
    virtual bool undo() = 0;
    virtual bool hideAndRun() = 0; ///< calibrates anew
    virtual bool compare() = 0;
    virtual bool save() = 0; ///< the project, in the folder
    virtual bool recover() = 0;
    virtual bool figure() = 0;

    /// "2-focus": pictures of the window as it stands.
    void picture(const QString& step)
    {
        const QString into = qEnvironmentVariable("PT2E_WALK_PICTURES");
        if (into.isEmpty())
            return;
        // The hands go by English words: that language is the last one.
        for (const QString& language : languages()) {
            m_application.preferences().setLanguage(language);
            for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
                m_application.preferences().setTheme(theme);
                waitUntilIdle(m_window);
                QTest::qWait(60); // layouts settle in several rounds
                m_window.grab().save(QString("%1/%2-%3-%4-%5.png")
                                         .arg(into, name(), step, language,
                                              theme == ThemeChoice::Dark ? "dark" : "light"));
            }
        }
        waitUntilIdle(m_window);
    }
    virtual QString name() const = 0;

protected:
    static QStringList languages()
    {
        QStringList all =
            qEnvironmentVariable("PT2E_WALK_LANGUAGES").split(',', Qt::SkipEmptyParts);
        all.removeAll(QStringLiteral("en"));
        return all << QStringLiteral("en");
    }
    Session& session() { return m_window.session(); }
    bool settled() { return waitUntilIdle(m_window); }
    QString file(const char* name) const
    {
        return m_folder + QLatin1Char('/') + QLatin1String(name);
    }
    bool isEdited() const { return !m_window.session().recipe().edits.empty(); }

    /// Answers the file dialog that `asking` opens.
    bool answer(const QString& path, const std::function<void()>& asking)
    {
        bool isAnswered = false;
        bool isBusy = false; // keys let timers through
        int tries = 0;
        QTimer timer;
        QObject::connect(&timer, &QTimer::timeout, [&] {
            QPointer dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            auto* entry = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
            if (!entry || !entry->isVisible() || isBusy)
                return;
            isBusy = true;
            entry->setCompleter(nullptr); // its list opens whenever the file system has answered
            entry->setFocus();
            entry->selectAll();
            QTest::keyClicks(entry, path);
            confirm(*dialog, *entry);
            isAnswered = !dialog || !dialog->isVisible();
            if (!isAnswered && ++tries == 20)
                dialog->reject();
            isBusy = false;
        });
        timer.start(50);
        asking();
        // Without a window manager nobody else gives the keys back.
        m_window.activateWindow();
        return isAnswered && QTest::qWaitForWindowActive(&m_window) && settled();
    }
    virtual void confirm(QFileDialog& dialog, QLineEdit& entry) = 0;

    MainWindow& m_window;

private:
    UiApplication& m_application;
    QString m_folder;
};

class Mouse final : public Hand
{
public:
    using Hand::Hand;
    QString name() const override { return QStringLiteral("mouse"); }

    bool open(const QString& model) override
    {
        return click(m_window.findChild<QAbstractButton*>("gallery." + model)) && settled();
    }

    bool focusOn(const std::string& node) override
    {
        StagePane* pane = m_window.board().paneOf(StageKind::Exported);
        const QPoint at = placeOf(m_window, StageKind::Exported, node);
        if (!pane || at.isNull())
            return false;
        QTest::mouseClick(&pane->view(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(&pane->view(), Qt::LeftButton, {}, at);
        return settled();
    }

    bool takeAnnotationAway() override
    {
        auto* choice = visible<QComboBox>("spec." + kEdited);
        if (!click(choice))
            return false;
        QAbstractItemView* list = choice->view();
        const int row = choice->findText(QStringLiteral("none"), Qt::MatchStartsWith);
        if (row < 0 || !QTest::qWaitForWindowExposed(list->window()))
            return false;
        const QModelIndex item = list->model()->index(row, 0);
        list->scrollTo(item);
        QTest::qWait(QApplication::doubleClickInterval() + 50); // a popup takes no click at once
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(item).center());
        return settled();
    }

    bool undo() override { return choose("&Edit", "&Undo") && settled(); }
    bool hideAndRun() override
    {
        return choose("&Run", "&Hide results") && settled() && click(button("run")) && settled();
    }
    bool compare() override { return click(button("compare")) && settled(); }
    bool save() override
    {
        return answer(file("walk.pt2ew"), [this] { choose("&File", "&Save"); });
    }
    bool recover() override
    {
        return QTest::qWaitFor([this] { return button("notice.recover") != nullptr; }, 20000)
               && click(button("notice.recover")) && settled();
    }
    bool figure() override
    {
        return answer(file("walk.svg"), [this] { choose("&File", "&Export"); });
    }

private:
    template<typename W>
    W* visible(const QString& name)
    {
        for (W* widget : m_window.findChildren<W*>(name)) {
            if (widget->isVisible())
                return widget;
        }
        return nullptr;
    }
    QAbstractButton* button(const char* name)
    {
        return visible<QAbstractButton>(QString::fromUtf8(name));
    }
    static bool click(QWidget* widget)
    {
        if (!widget || !widget->isVisible() || !widget->isEnabled())
            return false;
        QTest::mouseClick(widget, Qt::LeftButton);
        return true;
    }

    /// An entry of a menu, by the beginnings of their texts.
    bool choose(const char* menu, const char* entry)
    {
        const auto begin = [](const QList<QAction*>& actions, const char* text) -> QAction* {
            for (QAction* action : actions) {
                if (action->text().startsWith(QLatin1String(text)))
                    return action;
            }
            return nullptr;
        };
        QMenuBar* bar = m_window.menuBar();
        QAction* title = begin(bar->actions(), menu);
        if (!title)
            return false;
        const QPoint at = bar->actionGeometry(title).center();
        // A menu remembers where the pointer was when it opened, and takes no press near there.
        QTest::mouseMove(m_window.windowHandle(), bar->mapTo(&m_window, at));
        QTest::mouseClick(bar, Qt::LeftButton, {}, at);
        if (!QTest::qWaitForWindowExposed(title->menu()))
            return false;
        QAction* action = begin(title->menu()->actions(), entry);
        if (!action || !action->isEnabled())
            return false;
        QTest::mouseClick(title->menu(), Qt::LeftButton, {},
                          title->menu()->actionGeometry(action).center());
        return true;
    }

    void confirm(QFileDialog& dialog, QLineEdit&) override
    {
        auto* box = dialog.findChild<QDialogButtonBox*>();
        click(box->button(QDialogButtonBox::Save));
    }
};

class Keyboard final : public Hand
{
public:
    using Hand::Hand;
    QString name() const override { return QStringLiteral("keyboard"); }

    bool open(const QString& model) override
    {
        return tabTo([&](QWidget* at) { return at->objectName() == "gallery." + model; })
               && press(Qt::Key_Space) && settled();
    }

    bool focusOn(const std::string& node) override
    {
        m_window.activateWindow();
        press(Qt::Key_K, Qt::ControlModifier);
        auto* palette = m_window.findChild<CommandPalette*>();
        if (!palette || !QTest::qWaitFor([&] { return palette->isVisible(); }, 5000))
            return false;
        QTest::keyClicks(QApplication::focusWidget(), QString::fromStdString(node));
        if (!settled())
            return false;
        press(Qt::Key_Return);
        if (!settled() || session().selection().isEmpty())
            return false;
        press(Qt::Key_F, Qt::ControlModifier);
        return settled();
    }

    bool takeAnnotationAway() override
    {
        if (!tabTo([](QWidget* at) { return at->objectName() == "spec." + kEdited; }))
            return false;
        auto* choice = qobject_cast<QComboBox*>(QApplication::focusWidget());
        const int row = choice->findText(QStringLiteral("none"), Qt::MatchStartsWith);
        // The list is opened, so that nothing is chosen on the way.
        press(Qt::Key_Space);
        QAbstractItemView* list = choice->view();
        if (row < 0 || !QTest::qWaitForWindowExposed(list->window()))
            return false;
        for (int i = 0; i < 20 && list->currentIndex().row() != row; ++i)
            QTest::keyClick(list, list->currentIndex().row() < row ? Qt::Key_Down : Qt::Key_Up);
        QTest::keyClick(list, Qt::Key_Return);
        return settled();
    }

    bool undo() override { return press(Qt::Key_Z, Qt::ControlModifier) && settled(); }
    bool hideAndRun() override
    {
        return press(Qt::Key_F9) && settled() && press(Qt::Key_F5) && settled();
    }
    bool compare() override { return press(Qt::Key_F6) && settled(); }
    bool save() override
    {
        return answer(file("walk.pt2ew"), [this] { press(Qt::Key_S, Qt::ControlModifier); });
    }
    bool recover() override
    {
        const auto isRecover = [](QWidget* at) { return at->objectName() == "notice.recover"; };
        return QTest::qWaitFor(
                   [this] {
                       auto* found = m_window.findChild<QAbstractButton*>("notice.recover");
                       return found && found->isVisible();
                   },
                   20000)
               && tabTo(isRecover) && press(Qt::Key_Space) && settled();
    }
    bool figure() override
    {
        return answer(file("walk.svg"), [this] { press(Qt::Key_E, Qt::ControlModifier); });
    }

private:
    bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* at = QApplication::focusWidget();
        QTest::keyClick(at ? at : &m_window, key, modifiers);
        return true;
    }
    /// By the Tab key, once around the window at most.
    bool tabTo(const std::function<bool(QWidget*)>& isThere)
    {
        m_window.activateWindow();
        for (int i = 0; i < 200; ++i) {
            QWidget* at = QApplication::focusWidget();
            if (at && isThere(at))
                return true;
            press(Qt::Key_Tab);
        }
        return false;
    }
    void confirm(QFileDialog&, QLineEdit& entry) override
    {
        QTest::keyClick(&entry, Qt::Key_Return);
    }
};

std::unique_ptr<Hand> handOf(const QString& name, UiApplication& application, MainWindow& window,
                             const QString& folder)
{
    if (name == QLatin1String("mouse"))
        return std::make_unique<Mouse>(application, window, folder);
    return std::make_unique<Keyboard>(application, window, folder);
}

/// Up to the crash; prints the steps that were done.
int walkUntilTheCrash(UiApplication& application, const QString& name, const QString& folder)
{
    MainWindow window(application.preferences());
    window.resize(1480, 940);
    window.show();
    (void)QTest::qWaitForWindowActive(&window);
    waitUntilIdle(window);
    const auto hand = handOf(name, application, window, folder);
    Session& session = window.session();
    const auto step = [&](const char* what, bool isDone) {
        std::printf("%s %s\n", what, isDone ? "done" : "FAILED");
        std::fflush(stdout);
        if (!isDone) {
            hand->picture(QString::fromUtf8(what) + "-failed");
            _exit(1);
        }
        hand->picture(QString::fromUtf8(what));
    };
    step("1-open", hand->open("residual") && session.reached() == StageKind::Converted);
    step("2-focus",
         hand->focusOn(kEdited.toStdString()) && !session.view().options().focus.empty());
    step("3-edit", hand->takeAnnotationAway() && session.recipe().edits.size() == 1);
    step("4-undo", hand->undo() && session.recipe().edits.empty());
    step("5-calibrate-and-run", hand->hideAndRun() && session.snapshot()->calibrated
                                    && session.snapshot()->calibrated->batches == 8
                                    && session.snapshot()->converted);
    step("6-compare", hand->compare() && window.comparison().report());
    step("7-save",
         hand->save() && QFile::exists(folder + "/walk.pt2ew") && !window.isWindowModified());
    step("8-edit", hand->focusOn(kEdited.toStdString()) && hand->takeAnnotationAway()
                       && session.recipe().edits.size() == 1);
    QTest::qWait(1100); // the journal's second
    std::raise(SIGKILL);
    return 1;
}

} // namespace

class TestWalk : public QObject
{
    Q_OBJECT
public:
    explicit TestWalk(UiApplication& application) : m_application(application) {}

private Q_SLOTS:
    void byMouseAlone() { walk("mouse"); }
    void byKeyboardAlone() { walk("keyboard"); }

private:
    void walk(const QString& name)
    {
        QTemporaryDir folder;
        QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
        QProcess child;
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--walk"), name, folder.path()});
        QVERIFY2(child.waitForFinished(120000), qPrintable(child.errorString()));
        const QByteArray steps = child.readAllStandardOutput();
        QVERIFY2(child.exitStatus() == QProcess::CrashExit, steps.constData());
        QCOMPARE(steps.count(" done"), 8);

        qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
        MainWindow window(m_application.preferences());
        window.resize(1480, 940);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto hand = handOf(name, m_application, window, folder.path());
        QVERIFY(hand->recover());
        Session& session = window.session();
        QCOMPARE(session.recipe().edits.size(), std::size_t(1));
        QCOMPARE(session.recipe().edits[0].at.node, kEdited.toStdString());
        QVERIFY(window.isWindowModified());
        hand->picture("9-reopened");
        QVERIFY(hand->undo());
        QVERIFY(session.recipe().edits.empty());
        QVERIFY(hand->hideAndRun());
        QVERIFY(hand->figure());
        QFile figure(folder.filePath("walk.svg"));
        QVERIFY(figure.open(QIODevice::ReadOnly));
        QVERIFY(figure.readAll().contains("conv2d"));
        hand->picture("10-figure");
        window.projects().autosave().end();
    }

    UiApplication& m_application;
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--walk"))
        return walkUntilTheCrash(application, arguments.value(2), arguments.value(3));
    TestWalk test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_walk.moc"

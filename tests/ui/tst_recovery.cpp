// Whatever moment the program is killed at, nothing is lost but the last second.
//
// A child process shows the real window and edits by itself, telling each edit when it is made; it is killed at a random
// moment, and another window recovers its work. PT2E_KILLS=12 and PT2E_SEED=… change how often and when.
#include "tests/ui/UiTest.h"

#include "ui/panels/ProjectDesk.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QPushButton>
#include <QTimer>
#include <QtTest/QtTest>

#include <cstdio>
#include <random>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

/// All that is edited, in one line.
QByteArray stateOf(Session& session)
{
    Project project;
    project.model.what = "residual";
    project.recipe = session.recipe();
    project.marks = session.marks();
    const std::string text = writeProject(project, {});
    return QByteArray::fromStdString(sha256(std::as_bytes(std::span(text))));
}

// ---- the child

/// One edit as a person makes it, by the window's own ways.
void editOnce(MainWindow& window, std::mt19937& random, int number)
{
    Session& session = window.session();
    switch (random() % 8) {
    case 0:
        if (session.undoStack().canUndo())
            session.undoStack().undo();
        return;
    case 1:
        if (session.undoStack().canRedo())
            session.undoStack().redo();
        return;
    case 2:
        session.changeMarks(session.marks().withNote("relu", "note " + std::to_string(number)),
                            QStringLiteral("Note on relu"));
        return;
    case 3:
        session.changeMarks(
            session.marks().withBookmark("add", !session.marks().isBookmarked("add")),
            QStringLiteral("Bookmark"));
        return;
    default: break;
    }
    Edit edit;
    edit.at.node = random() % 2 ? "relu" : "conv2d";
    edit.spec.kind = EditSpec::Kind::Fixed;
    edit.spec.fixed.scale = 0.001 * (number + 1);
    edit.spec.fixed.zeroPoint = static_cast<std::int64_t>(random() % 200) - 100;
    session.changeRecipe(withEdit(session.recipe(), edit), QStringLiteral("Edit %1").arg(number));
}

int editUntilKilled(UiApplication& application, unsigned seed)
{
    MainWindow window(application.preferences());
    window.show();
    window.open(QStringLiteral("residual"));
    std::mt19937 random(seed);
    int number = 0;
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        if (number > 0) // the state it begins with is told, too
            editOnce(window, random, number);
        ++number;
        std::printf("%lld %s\n", static_cast<long long>(QDateTime::currentMSecsSinceEpoch()),
                    stateOf(window.session()).constData());
        std::fflush(stdout);
        timer.start(static_cast<int>(random() % 40));
    });
    QObject::connect(&window.session(), &Session::modelChanged, &timer, [&] { timer.start(0); });
    return QApplication::exec();
}

// ---- the parent

struct Told
{
    qint64 time;
    QByteArray state;
};

class Child
{
public:
    Child(const QString& home, unsigned seed, int lifetime) : m_home(home), m_lifetime(lifetime)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), home);
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_timer.setSingleShot(true);
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_timer, [this] {
            if (!std::exchange(m_hasBegun, true))
                m_timer.start(m_lifetime);
        });
        QObject::connect(&m_timer, &QTimer::timeout, &m_process, [this] {
            m_killedAt = QDateTime::currentMSecsSinceEpoch();
            m_process.kill(); // SIGKILL
        });
        m_process.start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("--edit"), QString::number(seed)});
    }
    bool isDead() const { return m_process.state() == QProcess::NotRunning; }
    const QString& home() const { return m_home; }
    bool wasKilled() const
    {
        return m_killedAt > 0 && m_process.exitStatus() == QProcess::CrashExit;
    }
    qint64 killedAt() const { return m_killedAt; }
    std::vector<Told> told()
    {
        std::vector<Told> edits;
        for (const QByteArray& line : m_process.readAllStandardOutput().split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.size() == 2 && words[1].size() == 64)
                edits.push_back({words[0].toLongLong(), words[1]});
        }
        return edits;
    }

private:
    QString m_home;
    int m_lifetime;
    QProcess m_process;
    QTimer m_timer;
    bool m_hasBegun = false;
    qint64 m_killedAt = 0;
};

int number(const char* variable, int otherwise)
{
    bool isNumber = false;
    const int value = qEnvironmentVariableIntValue(variable, &isNumber);
    return isNumber ? value : otherwise;
}

} // namespace

class TestRecovery : public QObject
{
    Q_OBJECT
public:
    explicit TestRecovery(UiApplication& application) : m_application(application) {}

private Q_SLOTS:
    void nothingIsLostButTheLastSecond()
    {
        const int kills = number("PT2E_KILLS", 50);
        const auto seed = static_cast<unsigned>(
            number("PT2E_SEED", static_cast<int>(QDateTime::currentMSecsSinceEpoch() % 1000000)));
        std::printf("PT2E_KILLS=%d PT2E_SEED=%u\n", kills, seed);
        std::mt19937 random(seed);
        QTemporaryDir homes;
        std::vector<std::unique_ptr<Child>> children;
        int edits = 0, behind = 0;
        for (int i = 0; i < kills; ++i) {
            // The next ones begin while this one's work is recovered.
            while (static_cast<int>(children.size()) < std::min(kills, i + 3)) {
                const auto childSeed = static_cast<unsigned>(random());
                children.push_back(
                    std::make_unique<Child>(homes.filePath(QString::number(children.size())),
                                            childSeed, 100 + static_cast<int>(random() % 1400)));
            }
            Child& child = *children[static_cast<std::size_t>(i)];
            QVERIFY(QTest::qWaitFor([&] { return child.isDead(); }, 60000));
            QVERIFY(child.wasKilled());
            const std::vector<Told> told = child.told();
            QVERIFY(!told.empty());
            const int lost = recover(child, told);
            QVERIFY2(lost >= 0, qPrintable(QString::number(i)));
            edits += static_cast<int>(told.size());
            behind = std::max(behind, lost);
        }
        std::printf("%d kills, %d edits; most edits lost at a kill: %d\n", kills, edits, behind);
    }

private:
    /// How many of the edits that were told are not there; -1 where one older than a second is missing.
    int recover(Child& child, const std::vector<Told>& told)
    {
        qputenv("XDG_DATA_HOME", child.home().toLocal8Bit());
        MainWindow window(m_application.preferences());
        window.show();
        Autosave& autosave = window.projects().autosave();
        const auto fail = [&](const char* what) {
            std::printf("%s: %s\n", qPrintable(child.home()), what);
            return -1;
        };
        QSignalSpy scanned(&autosave, &Autosave::foundChanged);
        if (!QTest::qWaitFor([&] { return !scanned.isEmpty(); }, 20000))
            return fail("nothing is looked for");
        if (autosave.found().empty()) {
            // All was undone, by the last step that was told or the one behind it.
            const QByteArray& start = told.front().state;
            const bool isStart = std::any_of(
                told.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(told.size(), 2)),
                told.end(), [&](const Told& edit) { return edit.state == start; });
            return isStart ? 0 : fail("nothing is offered");
        }
        auto* button = window.findChild<QPushButton*>(QStringLiteral("notice.recover"));
        QSignalSpy recovered(&window.projects().document(), &Document::replaced);
        QTest::mouseClick(button, Qt::LeftButton);
        if (!QTest::qWaitFor([&] { return !recovered.isEmpty(); }, 20000))
            return fail("nothing is recovered");
        const QByteArray state = stateOf(window.session());
        autosave.end();
        if (state == told.back().state || isOneStepBehind(window.session(), told.back().state))
            return 0;
        for (std::size_t i = told.size(); i-- > 0;) {
            if (told[i].state == state)
                return static_cast<int>(told.size() - 1 - i);
            if (told[i].time < child.killedAt() - 1000)
                return fail("an edit older than a second is lost");
        }
        return fail("what is recovered was never there");
    }

    /// The child was killed behind an edit, an undo or a redo that it could not tell of any more.
    static bool isOneStepBehind(Session& session, const QByteArray& told)
    {
        QUndoStack& stack = session.undoStack();
        const int index = stack.index();
        bool isFound = false;
        for (const int other : {index - 1, index + 1}) {
            if (other < 0 || other > stack.count())
                continue;
            stack.setIndex(other);
            isFound = isFound || stateOf(session) == told;
        }
        stack.setIndex(index);
        return isFound;
    }

    UiApplication& m_application;
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--edit"))
        return editUntilKilled(application, arguments.value(2).toUInt());
    TestRecovery test(application);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_recovery.moc"

#include "tests/ui/UiTest.h"

#include "ui/canvas/StageBoard.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/render/Fonts.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QSettings>
#include <QTimer>
#include <QtTest>

#include <cstdio>
#include <mutex>

namespace pt2e::ui {

namespace {

std::mutex s_mutex;
QStringList s_warnings;
QtMessageHandler s_before = nullptr;

void recordMessage(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    // The offscreen platform says this of every window; it is not about us.
    const bool isPlatform = message.startsWith(QLatin1String("This plugin does not support"));
    if (type != QtDebugMsg && type != QtInfoMsg && !isPlatform) {
        const std::lock_guard lock(s_mutex);
        s_warnings << message;
    }
    if (s_before && !isPlatform)
        s_before(type, context, message);
}

} // namespace

UiApplication::UiApplication(int& argc, char** argv)
{
    makeQtDeterministic();
    watchWarnings();
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", m_home.path().toLocal8Bit()); // Qt warns of a default of its own
    if (qEnvironmentVariableIsEmpty("XDG_DATA_HOME"))
        qputenv("XDG_DATA_HOME", m_home.path().toLocal8Bit()); // journals
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
    m_application = std::make_unique<QApplication>(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("pt2e-tests"));
    QApplication::setApplicationName(QStringLiteral("pt2e-tests"));
    for (const QString& missing : registerFonts())
        std::fprintf(stderr, "%s\n", qPrintable(missing));
    m_preferences = std::make_unique<Preferences>();
    m_preferences->setLanguage(QStringLiteral("en"));
    m_preferences->setTheme(ThemeChoice::Light);
    m_language = std::make_unique<Language>(*m_preferences);
    m_appearance = std::make_unique<Appearance>(*m_preferences);
}

UiApplication::~UiApplication()
{
    m_appearance.reset();
    m_language.reset();
    m_application.reset();
    qInstallMessageHandler(s_before);
}

void UiApplication::watchWarnings()
{
    const QtMessageHandler before = qInstallMessageHandler(recordMessage);
    if (before != recordMessage)
        s_before = before;
}

QStringList UiApplication::takeWarnings()
{
    const std::lock_guard lock(s_mutex);
    return std::exchange(s_warnings, {});
}

bool waitUntilIdle(MainWindow& window, int timeLimitMs)
{
    JobRunner& jobs = window.session().jobs();
    QElapsedTimer timer;
    timer.start();
    while (jobs.isBusy()) {
        if (timer.elapsed() > timeLimitMs)
            return false;
        QEventLoop loop;
        QObject::connect(&jobs, &JobRunner::workEnded, &loop, &QEventLoop::quit);
        QTimer::singleShot(timeLimitMs, &loop, &QEventLoop::quit);
        loop.exec();
    }
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::processEvents();
    return !jobs.isBusy() || waitUntilIdle(window, timeLimitMs);
}

bool openAndWait(MainWindow& window, const QString& what, ModelRequest request)
{
    if (window.projects().document().isModified())
        window.session().close(); // what was edited is given up
    window.open(what, request);
    return waitUntilIdle(window) && window.session().model()
           && window.session().reached() == StageKind::Converted;
}

QPoint placeOf(MainWindow& window, StageKind stage, const std::string& node)
{
    StagePane* pane = window.board().paneOf(stage);
    const GraphPtr graph = graphOf(window.session().entered(), stage);
    const Node* found = graph ? graph->findByName(node) : nullptr;
    if (!pane || !found || !pane->view().content())
        return {};
    const int item = pane->view().content()->scene.itemOf(found->id);
    return item < 0 ? QPoint() : pane->view().itemRect(item).center().toPoint();
}

void WindowTest::init()
{
    UiApplication::watchWarnings();
    UiApplication::takeWarnings();
    m_window = std::make_unique<MainWindow>(m_application.preferences());
    m_window->resize(1480, 940);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    QVERIFY(waitUntilIdle(*m_window));
}

void WindowTest::cleanup()
{
    if (m_window)
        m_window->projects().autosave().end(); // no work to recover for the next one
    m_window.reset();
    m_application.preferences().setLanguage(QStringLiteral("en"));
    m_application.preferences().setTheme(ThemeChoice::Light);
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    const QStringList warnings = UiApplication::takeWarnings();
    QVERIFY2(warnings.isEmpty(), qPrintable(warnings.join(QLatin1Char('\n'))));
}

} // namespace pt2e::ui

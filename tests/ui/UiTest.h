// What the window's tests, its screenshots and its benchmark share: a real main window on an isolated user, waits on
// signals, and no warning of Qt that goes unseen.
#pragma once

#include "ui/panels/MainWindow.h"
#include "ui/session/Appearance.h"
#include "ui/session/Language.h"

#include <QApplication>
#include <QTemporaryDir>

#include <memory>

namespace pt2e::ui {

/// The application with fonts, an empty settings folder, language and look. One per program, first in main().
class UiApplication
{
public:
    UiApplication(int& argc, char** argv);
    ~UiApplication();

    Preferences& preferences() { return *m_preferences; }
    /// From now on warnings are recorded; QtTest puts a handler of its own in place when it starts.
    static void watchWarnings();
    /// Warnings and worse since the last call, those of the offscreen platform itself left out.
    static QStringList takeWarnings();

private:
    QTemporaryDir m_home;
    std::unique_ptr<QApplication> m_application;
    std::unique_ptr<Preferences> m_preferences;
    std::unique_ptr<Language> m_language;
    std::unique_ptr<Appearance> m_appearance;
};

/// A test class with a real main window for each function. Behind each, preferences are English and light again, and no
/// warning of Qt has gone by.
class WindowTest : public QObject
{
    Q_OBJECT
public:
    explicit WindowTest(UiApplication& application) : m_application(application) {}

private Q_SLOTS:
    void init();
    void cleanup();

protected:
    UiApplication& m_application;
    std::unique_ptr<MainWindow> m_window;
};

/// Waits until no job is queued or running and all deliveries are done; false after the time limit.
bool waitUntilIdle(MainWindow& window, int timeLimitMs = 120000);
/// Opens a built-in model or file and waits for all stages; unsaved work is given up without asking.
bool openAndWait(MainWindow& window, const QString& what, ModelRequest request = {});
/// Middle of a node's item in a pane, in the graph view's coordinates; null if it is not there.
QPoint placeOf(MainWindow& window, StageKind stage, const std::string& node);

} // namespace pt2e::ui

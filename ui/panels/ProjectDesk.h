// Projects in the window: their commands, what is asked before work is lost, what is offered after a crash or when a file
// has changed.
#pragma once

#include "ui/panels/NoticeBar.h"
#include "ui/session/Autosave.h"
#include "ui/session/Preferences.h"

#include <QObject>

#include <functional>

class QAction;
class QMenu;

namespace pt2e::ui {

class MainWindow;

/// "work.pt2ew".
bool looksLikeProject(const QString& path);

class ProjectDesk : public QObject
{
    Q_OBJECT
public:
    /// `window` gets the dialogs. The session's objects must outlive it.
    ProjectDesk(Preferences& preferences, Session& session, Comparison& comparison,
                Overlays& overlays, MainWindow* window);

    Document& document() { return m_document; }
    Autosave& autosave() { return m_autosave; }
    NoticeBar* notices() { return m_notices; }
    /// With a place for the mark of changed work.
    QString windowTitle() const;

    void makeActions(QMenu* menu);
    void makeMarkActions(QMenu* menu);
    void updateActions();

    /// What is to be done once the present work is safe or given up: at once if there is none to lose.
    void whenSafe(std::function<void()> go);
    /// False: the user is being asked, and the window is closed again behind that.
    bool mayClose();
    void open(const QString& path); ///< asks before
    void save(); ///< asks where if it was never saved
    void saveAs();
    void saveTo(const QString& path);

Q_SIGNALS:
    void told(const QString& message);
    void problemsWanted();
    void titleChanged();
    /// Before it is looked whether there is unsaved work, and before it is saved: what is being typed counts.
    void settling();

private:
    void offerRecovery();
    void tellModelChanged();
    void tellModelDiffers();
    void askForModel(const QString& model, const QString& projectFile);
    void onSaved(const QString& path, const QString& problem);

    Preferences& m_preferences;
    Session& m_session;
    MainWindow* m_window;
    Document m_document;
    Autosave m_autosave;
    NoticeBar* m_notices;
    QAction* m_save = nullptr;
    QAction* m_saveAs = nullptr;
    QAction* m_bookmark = nullptr;
    std::function<void()> m_afterSave;
    bool m_isClosing = false; ///< the user has decided
};

} // namespace pt2e::ui

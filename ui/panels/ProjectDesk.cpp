#include "ui/panels/ProjectDesk.h"

#include "ui/panels/MainWindow.h"
#include "ui/session/Marking.h"

#include <QAction>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace pt2e::ui {

namespace {

const QString kSuffix = QStringLiteral(".pt2ew");
const QString kRecover = QStringLiteral("recover");
const QString kUnsaved = QStringLiteral("unsavedWork");
const QString kModel = QStringLiteral("model");

QString modelNameOf(const Project& project)
{
    return QFileInfo(QString::fromStdString(project.model.what)).fileName();
}

} // namespace

bool looksLikeProject(const QString& path) { return path.endsWith(kSuffix, Qt::CaseInsensitive); }

ProjectDesk::ProjectDesk(Preferences& preferences, Session& session, Comparison& comparison,
                         Overlays& overlays, MainWindow* window)
    : m_preferences(preferences),
      m_session(session),
      m_window(window),
      m_document(session, comparison, overlays),
      m_autosave(m_document, session.jobs()),
      m_notices(new NoticeBar(window))
{
    connect(&m_document, &Document::titleChanged, this, &ProjectDesk::titleChanged);
    connect(&m_document, &Document::titleChanged, this, &ProjectDesk::updateActions);
    connect(&m_document, &Document::saved, this, &ProjectDesk::onSaved);
    connect(&m_document, &Document::replaced, this, [this] {
        m_notices->remove(kModel);
        if (!m_document.path().isEmpty())
            m_preferences.addRecentProject(m_document.path());
    });
    connect(&m_document, &Document::modelFileChanged, this, &ProjectDesk::tellModelChanged);
    connect(&m_document, &Document::modelDiffers, this, &ProjectDesk::tellModelDiffers);
    connect(&m_document, &Document::modelMissing, this, &ProjectDesk::askForModel);
    connect(&session, &Session::openFailed, this, &ProjectDesk::offerRecovery);
    connect(&m_autosave, &Autosave::foundChanged, this, &ProjectDesk::offerRecovery);
    connect(&m_autosave, &Autosave::failed, this, [this](const QString& message) {
        Q_EMIT told(tr("Changes are not kept against a crash. %1").arg(message));
    });
}

QString ProjectDesk::windowTitle() const
{
    const QString name = m_document.name();
    return name.isEmpty() ? tr("PT2E Workbench") : tr("%1[*] – PT2E Workbench").arg(name);
}

void ProjectDesk::makeActions(QMenu* menu)
{
    m_save = m_window->addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Save project"),
                                 QKeySequence::Save, [this] { save(); });
    m_saveAs =
        m_window->addAction(menu, QT_TRANSLATE_NOOP("Menu", "Save project &as…"),
                            QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { saveAs(); });
    updateActions();
}

void ProjectDesk::makeMarkActions(QMenu* menu)
{
    m_bookmark = m_window->addAction(
        menu, QT_TRANSLATE_NOOP("Menu", "&Bookmark on or off"),
        QKeySequence(QStringLiteral("Ctrl+B")), [this] {
            if (!toggleBookmark(m_session))
                Q_EMIT told(tr("Select a node of the exported graph, or one that was "
                               "made of it."));
        });
    updateActions();
}

void ProjectDesk::updateActions()
{
    for (QAction* action : {m_save, m_saveAs, m_bookmark}) {
        if (action)
            action->setEnabled(m_session.model() != nullptr);
    }
}

// ---- opening and closing

void ProjectDesk::whenSafe(std::function<void()> go)
{
    Q_EMIT settling();
    if (!m_document.isModified()) {
        go();
        return;
    }
    const auto* asked = m_window->findChild<QMessageBox*>(kUnsaved);
    if (asked && asked->isVisible())
        return;
    auto* box = new QMessageBox(m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(kUnsaved);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(tr("Unsaved changes"));
    box->setText(tr("Save the changes to %1?").arg(m_document.name()));
    box->setInformativeText(tr(
        "A project keeps the settings, edits, bookmarks and notes. The model's file is not changed."));
    box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box->setDefaultButton(QMessageBox::Save);
    box->button(QMessageBox::Save)->setText(tr("Save"));
    box->button(QMessageBox::Discard)->setText(tr("Discard"));
    box->button(QMessageBox::Cancel)->setText(tr("Cancel"));
    connect(box, &QMessageBox::finished, this, [this, go = std::move(go)](int answer) {
        if (answer == QMessageBox::Discard) {
            m_autosave.end();
            go();
        } else if (answer == QMessageBox::Save) {
            m_afterSave = go;
            save();
        } else {
            offerRecovery(); // if that was what the answer was needed for
        }
    });
    box->open();
}

bool ProjectDesk::mayClose()
{
    Q_EMIT settling();
    if (!m_isClosing && m_document.isModified()) {
        whenSafe([this] {
            m_isClosing = true;
            m_window->close();
        });
        return false;
    }
    m_isClosing = false;
    m_autosave.end();
    return true;
}

void ProjectDesk::open(const QString& path)
{
    whenSafe([this, path] { m_document.open(path); });
}

void ProjectDesk::askForModel(const QString& model, const QString& projectFile)
{
    offerRecovery();
    const QString name = QFileInfo(model).fileName();
    auto* box = new QMessageBox(m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("missingModel"));
    box->setIcon(QMessageBox::Warning);
    box->setWindowTitle(tr("The model is not there"));
    box->setText(tr("%1 is not where the project says.").arg(name));
    box->setInformativeText(tr("It was %1. Where is it now?").arg(model));
    QPushButton* choose = box->addButton(tr("Choose the file…"), QMessageBox::AcceptRole);
    choose->setObjectName(QStringLiteral("chooseModel"));
    box->addButton(QMessageBox::Cancel)->setText(tr("Cancel"));
    connect(choose, &QPushButton::clicked, this, [this, name, projectFile] {
        const QString file = QFileDialog::getOpenFileName(
            m_window, tr("Where is %1?").arg(name), QFileInfo(projectFile).path(),
            tr("Exported programs (*.pt2);;All files (*)"));
        if (!file.isEmpty())
            m_document.openWith(file);
    });
    box->open();
}

// ---- saving

void ProjectDesk::save()
{
    if (m_document.path().isEmpty())
        saveAs();
    else
        saveTo(m_document.path());
}

void ProjectDesk::saveAs()
{
    const QString model = QString::fromStdString(m_document.project().model.what);
    const QString beside =
        m_document.path().isEmpty()
            ? QFileInfo(model).dir().filePath(QFileInfo(model).completeBaseName() + kSuffix)
            : m_document.path();
    QString path = QFileDialog::getSaveFileName(m_window, tr("Save the project"), beside,
                                                tr("Projects (*.pt2ew)"));
    if (path.isEmpty()) {
        m_afterSave = nullptr;
        return;
    }
    if (QFileInfo(path).suffix().isEmpty())
        path += kSuffix;
    saveTo(path);
}

void ProjectDesk::saveTo(const QString& path)
{
    Q_EMIT settling();
    m_document.save(path);
}

void ProjectDesk::onSaved(const QString& path, const QString& problem)
{
    const QString name = QFileInfo(path).fileName();
    const std::function<void()> go = std::exchange(m_afterSave, nullptr);
    if (!problem.isEmpty()) {
        Q_EMIT told(tr("Cannot save %1. %2").arg(name, problem));
        return;
    }
    m_preferences.addRecentProject(path);
    Q_EMIT told(tr("Saved %1").arg(name));
    if (go)
        go();
}

// ---- what is offered

void ProjectDesk::offerRecovery()
{
    if (m_autosave.found().empty()) {
        m_notices->remove(kRecover);
        return;
    }
    const JournalHistory& history = m_autosave.found().front().history;
    const JournalEntry& last = history.last();
    const QString name = last.projectFile.empty()
                             ? modelNameOf(last.project)
                             : QFileInfo(QString::fromStdString(last.projectFile)).fileName();
    const QString time =
        QDateTime::fromMSecsSinceEpoch(last.time).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    const int steps = static_cast<int>(last.index);
    m_notices->show({kRecover,
                     [name, time, steps] {
                         return tr("Work on %1 was not saved when the program ended:").arg(name)
                                + QLatin1Char(' ')
                                + tr("%1, last at %2").arg(tr("%n edits", nullptr, steps), time);
                     },
                     {{kRecover, [] { return tr("Recover"); },
                       [this] { whenSafe([this] { m_autosave.recoverNewest(); }); }},
                      {QStringLiteral("discard"), [] { return tr("Discard"); },
                       [this] { m_autosave.discardNewest(); }}}});
}

void ProjectDesk::tellModelChanged()
{
    const QString name = m_session.modelName();
    m_notices->show({kModel,
                     [name] { return tr("%1 has changed on disk.").arg(name); },
                     {{QStringLiteral("reload"), [] { return tr("Reload"); },
                       [this] { m_document.reloadModel(); }},
                      {QStringLiteral("later"), [] { return tr("Keep what is shown"); }, {}}}});
}

void ProjectDesk::tellModelDiffers()
{
    const QString name = m_session.modelName();
    m_notices->show({kModel,
                     [name] {
                         return tr("%1 is not the file that this work was made with. Edits were "
                                   "applied again by the names of nodes; what no longer fits is "
                                   "listed in Problems.")
                             .arg(name);
                     },
                     {{QStringLiteral("problems"), [] { return tr("Show problems"); },
                       [this] { Q_EMIT problemsWanted(); }},
                      {QStringLiteral("close"), [] { return tr("Close"); }, {}}}});
}

} // namespace pt2e::ui

// Document: what reads and writes files, on the interactive lane.
#include "ui/session/Document.h"

#include <QFileInfo>

namespace pt2e::ui {

namespace {

const QString kHashTag = QStringLiteral("hash-model");
const QString kSaveTag = QStringLiteral("save-project");

bool isMissing(const ModelRequest& model)
{
    const QString path = QString::fromStdString(model.what);
    return QFileInfo(path).isAbsolute() && !QFileInfo::exists(path);
}

} // namespace

/// What was found on opening, beside the project itself.
struct Document::Opened
{
    ModelPtr model;
    Project::Hashes hashes;
    ModuleFolding modules; ///< how it is shown where the project does not say
};

/// What the project says of the model that is not so stands in the model's diagnostics.
Result<Document::Opened> Document::openFor(const Project& project, FileHasher& hasher,
                                           const JobContext& context)
{
    PT2E_ASSIGN(const ModelPtr opened, openModel(project.model, context));
    PT2E_ASSIGN(const Project::Hashes hashes, hashFiles(project, hasher, context));
    auto model = std::make_shared<Model>(*opened);
    for (const Diagnostics& found :
         {checkFiles(project, hashes), checkMarks(project.marks, *model->exported)})
        model->diagnostics.insert(model->diagnostics.end(), found.begin(), found.end());
    return Opened{model, hashes, startFolding(*model->exported)};
}

void Document::start(const QString& title, std::function<Result<Wanted>()> find)
{
    m_session.jobs().start(
        Lane::Interactive, Session::kOpenTag, title,
        [this, title, hasher = m_hasher, find = std::move(find)](JobPort& port) -> Delivery {
            const auto failed = [this](const QString& what, const Error& error) -> Delivery {
                if (error.code == ErrorCode::Cancelled)
                    return {};
                return [this, what, message = QString::fromStdString(error.message())] {
                    Q_EMIT m_session.openFailed(what, message);
                };
            };
            const Result<Wanted> wanted = find();
            if (!wanted)
                return failed(QString::fromStdString(wanted.error().where), wanted.error());
            const Project& project = wanted->project;
            if (isMissing(project.model))
                return [this, wanted = *wanted] {
                    m_missing = wanted;
                    Q_EMIT modelMissing(QString::fromStdString(wanted.project.model.what),
                                        wanted.path);
                };
            Result<Opened> opened = openFor(project, *hasher, port.context());
            if (!opened)
                return failed(QString::fromStdString(project.model.what), opened.error());
            return [this, wanted = *wanted, opened = std::move(*opened)] { adopt(wanted, opened); };
        });
}

void Document::start(const Wanted& wanted)
{
    const QString name =
        QFileInfo(wanted.path.isEmpty() ? QString::fromStdString(wanted.project.model.what)
                                        : wanted.path)
            .fileName();
    start(tr("Opening %1").arg(name), [wanted]() -> Result<Wanted> { return wanted; });
}

void Document::open(const QString& path)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    start(tr("Opening %1").arg(QFileInfo(file).fileName()), [file]() -> Result<Wanted> {
        PT2E_ASSIGN(Project project, loadProject(file.toStdString()));
        Wanted wanted;
        wanted.steps.push_back({{}, project.recipe, project.marks});
        wanted.project = std::move(project);
        wanted.path = file;
        return wanted;
    });
}

void Document::openWith(const QString& model)
{
    if (!m_missing)
        return;
    Wanted wanted = *std::exchange(m_missing, {});
    wanted.project.model.what = QFileInfo(model).absoluteFilePath().toStdString();
    wanted.isModified = true; // the file says another place
    start(wanted);
}

void Document::recover(const JournalHistory& history)
{
    Wanted wanted;
    wanted.project = history.last().project;
    wanted.path = QString::fromStdString(history.last().projectFile);
    wanted.steps = history.steps();
    wanted.current = history.current();
    wanted.isModified = true;
    wanted.isRecovered = true;
    start(wanted);
}

void Document::reloadModel()
{
    if (!m_model)
        return;
    Wanted wanted;
    wanted.project = project();
    wanted.path = m_path;
    wanted.isReload = true;
    start(wanted);
}

void Document::adopt(const Wanted& wanted, const Opened& opened)
{
    const Project& project = wanted.project;
    const bool isOther =
        !project.hashes.model.empty() && project.hashes.model != opened.hashes.model;
    m_incoming = wanted;
    m_incoming->project.hashes = opened.hashes;
    Session::Opening opening;
    opening.model = opened.model;
    opening.request = project.model;
    if (wanted.isReload) {
        // What was changed while it was read counts.
        m_incoming->project.evaluation = m_comparison.choice();
        m_incoming->path = m_path;
        rememberSelection();
    } else {
        opening.steps = wanted.steps;
        opening.current = wanted.current;
        opening.modules = opened.modules;
    }
    const ProjectView view = wanted.isReload ? this->project().view : project.view;
    m_session.show(opening);
    m_incoming.reset();
    if (!wanted.isReload || isOther)
        showView(view, isOther);
    restoreSelection();
    if (isOther)
        Q_EMIT modelDiffers();
}

void Document::save(const QString& path)
{
    if (!m_model)
        return;
    const QString file = QFileInfo(path).absoluteFilePath();
    const int step = m_session.undoStack().index();
    m_session.jobs().start(
        Lane::Interactive, kSaveTag, tr("Saving %1").arg(QFileInfo(file).fileName()),
        [this, file, step, project = project(), model = m_model,
         hasher = m_hasher](JobPort& port) -> Delivery {
            Project written = project;
            Result<Project::Hashes> now = hashFiles(project, *hasher, port.context());
            if (!now)
                return {}; // cancelled
            if (!project.hashes.model.empty()) // the one that was read, whatever is there now
                now->model = project.hashes.model;
            written.hashes = *now;
            const Result<void> done = saveProject(file.toStdString(), written);
            const QString problem =
                done ? QString() : QString::fromStdString(done.error().message());
            return [this, file, step, problem, written, model] {
                if (problem.isEmpty() && model == m_model) {
                    m_path = file;
                    m_hashes = written.hashes;
                    m_savedEvaluation = written.evaluation;
                    if (step == m_session.undoStack().index())
                        m_session.undoStack().setClean();
                    else
                        m_session.undoStack().resetClean(); // no step is what stands in the file
                    Q_EMIT edited();
                    Q_EMIT titleChanged();
                }
                Q_EMIT saved(file, problem);
            };
        });
}

/// A model that was opened by itself: what it is, for the project that may be made of it.
void Document::hashModel()
{
    if (m_model->path.empty())
        return;
    m_session.jobs().start(
        Lane::Batch, kHashTag, {},
        [this, model = m_model, project = project(), hasher = m_hasher](JobPort& port) -> Delivery {
            const Result<std::string> hash = hasher->hash(project.model.what, port.context());
            if (!hash)
                return {};
            return [this, model, hash = *hash] {
                if (model == m_model && m_hashes.model.empty())
                    m_hashes.model = hash;
            };
        });
}

void Document::checkModelFile()
{
    if (!m_model)
        return;
    m_session.jobs().start(Lane::Interactive, kHashTag, {},
                           [this, model = m_model, known = m_hashes.model, project = project(),
                            hasher = m_hasher](JobPort& port) -> Delivery {
                               const Result<std::string> hash =
                                   hasher->hash(project.model.what, port.context());
                               if (!hash || *hash == known)
                                   return {};
                               return [this, model] {
                                   if (model == m_model)
                                       Q_EMIT modelFileChanged();
                               };
                           });
}

} // namespace pt2e::ui

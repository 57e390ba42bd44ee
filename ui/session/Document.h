// The piece of work that is open, as a project holds it: what is edited (Session), what is judged on (Comparison), what
// is seen (ViewState, Overlays), and the file it is kept in. GUI thread only.
#pragma once

#include "core/pipeline/Journal.h"
#include "ui/session/ModelWatch.h"
#include "ui/session/Overlays.h"

#include <QObject>

#include <memory>
#include <optional>

namespace pt2e::ui {

class Document : public QObject
{
    Q_OBJECT
public:
    /// All three must outlive it.
    Document(Session& session, Comparison& comparison, Overlays& overlays,
             QObject* parent = nullptr);

    /// The project file; empty: never saved.
    const QString& path() const { return m_path; }
    /// "work.pt2ew", or the model's name.
    QString name() const;
    /// There is work that the project file does not hold. What is seen is no work.
    bool isModified() const;
    Project project() const;
    /// What a journal says of the present state, and of the steps that led there.
    JournalEntry entry() const;
    std::vector<JournalStep> history() const;

    /// Opens a project; Session::openFailed() or modelMissing() tell if that cannot be.
    void open(const QString& path);
    /// Goes on where modelMissing() told of a model: it is this file now.
    void openWith(const QString& model);
    void recover(const JournalHistory& history);
    /// The model's file once more; recipe, marks, undo, focus and selection stay, by name.
    void reloadModel();
    /// saved() tells when it is done.
    void save(const QString& path);

Q_SIGNALS:
    void titleChanged(); ///< name() or isModified()
    void edited(); ///< something that counts in isModified(), or the file that it is kept in
    void viewed(); ///< what else a project holds
    void replaced(bool isRecovered); ///< another piece of work is open
    void saved(const QString& path,
               const QString& problem); ///< problem is empty when all went well
    void modelMissing(const QString& model, const QString& projectFile);
    void modelFileChanged(); ///< by somebody else; reloadModel() follows it
    void modelDiffers(); ///< what was opened is not the model that the project was made with

private:
    /// What is being opened.
    struct Wanted
    {
        Project project;
        QString path;
        std::vector<JournalStep> steps;
        std::size_t current = 0;
        bool isModified = false;
        bool isRecovered = false;
        bool isReload = false;
    };
    struct Opened;
    static Result<Opened> openFor(const Project& project, FileHasher& hasher,
                                  const JobContext& context);
    void start(const Wanted& wanted);
    void start(const QString& title, std::function<Result<Wanted>()> find);
    void adopt(const Wanted& wanted, const Opened& opened);
    void showView(const ProjectView& view, bool isOtherModel);
    void replace();
    void hashModel();
    void checkModelFile();
    void rememberSelection();
    void restoreSelection();

    Session& m_session;
    Comparison& m_comparison;
    Overlays& m_overlays;
    ModelWatch m_watch;
    std::shared_ptr<FileHasher> m_hasher;
    QString m_path;
    ModelPtr m_model; ///< that m_path and the hashes are about
    Project::Hashes m_hashes;
    EvaluationChoice m_savedEvaluation;
    std::optional<Wanted> m_incoming; ///< while Session shows it
    std::optional<Wanted> m_missing; ///< what could not be opened without its model
    StageKind m_selectedStage = StageKind::Exported; ///< to be selected when it is reached
    std::vector<std::string> m_selected;
};

} // namespace pt2e::ui

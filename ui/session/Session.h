// What is open: model, recipe, stages, selection, view. The one object that panels know.
//
// Data flows one way: model + recipe → snapshot → views. Panels read the snapshot and ask for a changed recipe; the
// session makes an undoable command of it and has the stages run again on a lane of the JobRunner.
// GUI thread only.
#pragma once

#include "core/pipeline/Journal.h"
#include "core/pipeline/Pipeline.h"
#include "ui/jobs/JobRunner.h"
#include "ui/session/Selection.h"
#include "ui/session/ViewState.h"

#include <QObject>
#include <QUndoStack>

#include <memory>
#include <span>

namespace pt2e::ui {

class BothQuantizers;
struct Edited;
struct SharedPipeline;

class Session : public QObject
{
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    /// Loads LibTorch on the batch lane: reading a file needs none. Called after the first painted frame.
    void warmUp();

    /// Opens a file or a built-in model and runs all stages. Keeps what was open until the new model is there.
    void open(const ModelRequest& request);
    void close();
    /// A model that was opened for a piece of work.
    struct Opening
    {
        ModelPtr model;
        ModelRequest request;
        /// What undo steps through, at least one step; `current` of them is shown. Empty: the present recipe, marks and
        /// undo stack stay as they are (the model was read again).
        std::vector<JournalStep> steps;
        std::size_t current = 0;
        ModuleFolding modules; ///< to begin with
    };
    void show(const Opening& opening);

    const ModelPtr& model() const { return m_model; }
    QString modelName() const { return nameOf(m_model); }
    /// "net.pt2", or the name of a built-in model; empty: no model.
    static QString nameOf(const ModelPtr& model);
    const ModelRequest& request() const { return m_request; }
    const Recipe& recipe() const { return m_recipe; }
    /// What may be shown: covered stages (hideResults) are missing in it. Null without a model, else at least exported.
    const SnapshotPtr& snapshot() const { return m_shown; }
    /// The file holds a program that is quantized already: it is shown and run as it is, without stages.
    bool isQuantizedFile() const { return m_model && m_model->form.isQuantized(); }
    /// What may be shown as seen from the sub-graph that the view is in: panes, inspector and selection refer to it.
    const SnapshotPtr& entered() const { return m_entered; }
    /// Selects nodes of a stage of snapshot() and enters the sub-graph they stand in, or leaves one they do not.
    void lookAt(StageKind stage, std::vector<NodeId> nodes);
    /// lookAt, and expands the modules that a single node is collapsed in. Several are shown by the boxes they are in.
    void find(StageKind stage, std::vector<NodeId> nodes);
    /// Names on the paths between the two selected nodes, of which one is reached from the other; else empty.
    std::vector<std::string> selectedPath() const;
    /// With covered stages too: for dumps and tests, not for panels.
    const SnapshotPtr& fullSnapshot() const { return m_snapshot; }
    /// The snapshot that the last edit replaced, for showing what changed; null after a fresh open.
    const SnapshotPtr& previous() const { return m_previous; }

    const NodeMarks& marks() const { return m_marks; } ///< bookmarks and notes
    /// Changes the recipe through the undo stack; nothing happens if it is equal.
    void changeRecipe(const Recipe& recipe, const QString& text);
    /// Changes of one sitting (0: of none) are one step of undo.
    void changeMarks(const NodeMarks& marks, const QString& text, int sitting = 0);
    QUndoStack& undoStack() { return m_undoStack; }

    void runAll(); ///< F5: all stages, and uncovers them
    void runNext(); ///< F10: the next stage that is not run or not yet uncovered
    void cancelRun();
    bool isRunning() const;

    /// Hide results: covers every stage behind the exported one, until F10 and F5 show them again.
    void hideResults();
    bool isCovered(StageKind stage) const { return stage > m_shownUpTo; }
    StageKind shownUpTo() const { return m_shownUpTo; }
    StageKind reached() const; ///< the last stage the snapshot has

    Selection& selection() { return m_selection; }
    const Selection& selection() const { return m_selection; }
    ViewState& view() { return m_view; }
    const ViewState& view() const { return m_view; }
    JobRunner& jobs() { return m_jobs; }
    /// For jobs, which may outlive this.
    std::shared_ptr<BothQuantizers> quantizers() const { return m_quantizers; }
    /// Null without a model. Jobs wait for each other in it, so that one which edits need must not be kept waiting.
    std::shared_ptr<SharedPipeline> pipeline() const { return m_pipeline; }

    static const QString kOpenTag, kRunTag, kCompareTag;

Q_SIGNALS:
    void modelChanged();
    void recipeChanged();
    void marksChanged();
    /// Also when stages are covered or uncovered, and when a run starts, stops or ends.
    void snapshotChanged();
    void openFailed(const QString& what, const QString& message);
    /// A stage could not be reached; cancelling is not an error.
    void runFailed(const QString& message);
    void torchReady(const QString& version);
    void torchFailed(const QString& message);

private:
    void setModel(ModelPtr model, const ModuleFolding& modules = {});
    void forgetModel();
    std::shared_ptr<const void> held() const;
    void startModel();
    void restoreSteps(const Opening& opening);
    void push(const Edited& after, const QString& text, int sitting = 0);
    void apply(const Edited& wanted);
    void run(StageKind upTo);
    void rerun();
    /// previous: what an edit began with; null: it was none.
    void setSnapshot(SnapshotPtr snapshot, SnapshotPtr previous = nullptr);
    void updateShown();
    void updateEntered();
    void setShownUpTo(StageKind stage);
    Recipe defaultRecipe() const;

    ModelRequest m_request;
    ModelPtr m_model;
    Recipe m_recipe;
    NodeMarks m_marks;
    SnapshotPtr m_snapshot, m_shown, m_previous;
    SnapshotPtr m_entered; ///< of m_shown and m_enteredPath
    std::string m_enteredPath;
    bool m_isEditRunning = false, m_hadNoStages = false; ///< latter: the model before
    bool m_isRestoring = false; ///< commands come in that were done before
    std::vector<StageKind> m_floatStages; ///< what the panes showed before a program without stages
    StageKind m_shownUpTo = StageKind::Converted;
    StageKind m_wanted = StageKind::Converted; ///< how far stages are to be run after an edit
    std::shared_ptr<SharedPipeline> m_pipeline;
    std::shared_ptr<BothQuantizers> m_quantizers;
    QUndoStack m_undoStack;
    Selection m_selection;
    ViewState m_view;
    JobRunner m_jobs; ///< last: destroyed first, while all that its deliveries touch is still there
};

} // namespace pt2e::ui

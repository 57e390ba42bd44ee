// A second recipe beside the present one: its stages in a pipeline of its own, where the two differ, and both run on the
// same data. Follows the present recipe; GUI thread only.
#pragma once

#include "core/analysis/RecipeComparison.h"
#include "core/view/RecipeTables.h"
#include "ui/session/Comparison.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace pt2e::ui {

/// What stands beside the present recipe.
enum class Beside : std::uint8_t {
    Nothing,
    TorchAo, ///< that quantizer with the present settings, without edits
    ExecuTorch,
    Before, ///< the recipe before its last change
    Kept, ///< the one held by keep()
    File
};

class SecondRecipe : public QObject
{
    Q_OBJECT
public:
    static const QString kTag; ///< of the job that makes its stages
    static const QString kRunTag; ///< of the one that runs both

    /// Both are run on the data that the comparison is about.
    SecondRecipe(Session& session, Comparison& comparison, QObject* parent = nullptr);
    ~SecondRecipe() override;

    Beside beside() const { return m_beside; }
    /// Before, Kept and File only where there is one.
    void choose(Beside beside);
    bool has(Beside beside) const;
    void keep(); ///< holds the present recipe and chooses it
    void chooseFile(
        const QString& path); ///< reads it and chooses it; failed() where it is no recipe
    /// "torchao" and "executorch", "now" and "before": what heads the columns, untranslated.
    RecipeNames names() const;

    /// Its stages, and where they differ from those of first(); null while nothing is chosen or nothing known.
    const SnapshotPtr& snapshot() const { return m_second; }
    const SnapshotPtr& first() const { return m_first; }
    const std::shared_ptr<const RecipeComparison>& comparison() const { return m_comparison; }
    /// One of the recipes has changed since.
    bool isStale() const;
    /// Why its stages end early; empty where they do not.
    QString problem() const;

    /// "ExecuTorch", "before", "kept", "other.json": for titles, translated; empty while nothing is chosen.
    QString title() const;
    /// snapshot() as seen from the sub-graph that the view is in; null where it must not be shown yet.
    SnapshotPtr entered() const;
    /// Its stages that are shown in panes, behind those of the present recipe.
    const std::vector<StageKind>& panes() const { return m_panes; }
    void setPanes(std::vector<StageKind> stages);

    bool canRun() const;
    bool isRunning() const { return m_session.jobs().isRunning(kRunTag); }
    bool isAtWork() const { return m_session.jobs().isRunning(kTag); }
    void run(); ///< outputs, accuracy, size and time of both
    void cancel();

Q_SIGNALS:
    void changed(); ///< another choice, other stages, figures, or they became stale
    void panesChanged();
    void failed(const QString& message);

private:
    struct Run
    {
        std::array<Recipe, 2> recipes;
        RecipeRuns runs;
    };
    std::optional<Recipe> wanted() const;
    void onRecipe();
    void refresh();
    void forget();
    RecipeRuns knownRuns(const Recipe& first, const Recipe& second) const;
    void setRuns(const SnapshotPtr& first, const SnapshotPtr& second, const RecipeRuns& runs);

    Session& m_session;
    Comparison& m_evaluation;
    Beside m_beside = Beside::Nothing;
    std::optional<Recipe> m_before, m_kept, m_fromFile;
    QString m_fileName;
    Recipe m_present; ///< to see what changed
    ModelPtr m_model;
    std::shared_ptr<SharedPipeline> m_pipeline; ///< the second one
    SnapshotPtr m_first, m_second;
    SnapshotPtr m_atWorkOn; ///< what the job that makes the stages is about
    Recipe m_atWorkWith;
    std::shared_ptr<const RecipeComparison> m_comparison;
    std::vector<StageKind> m_panes;
    mutable SnapshotPtr m_entered, m_enteredFrom; ///< entered(), made once
    mutable std::string m_enteredPath;
    std::vector<Run> m_runs; ///< the last ones: undo brings their figures back
};

} // namespace pt2e::ui

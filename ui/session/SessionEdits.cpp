// Session: what is edited, step by step.
#include "ui/session/EditCommand.h"
#include "ui/session/Session.h"

namespace pt2e::ui {

void Session::push(const Edited& after, const QString& text, int sitting)
{
    auto* command = new EditCommand({m_recipe, m_marks}, after, text,
                                    [this](const Edited& wanted) { apply(wanted); });
    command->setSitting(sitting);
    m_undoStack.push(command);
}

void Session::changeRecipe(const Recipe& recipe, const QString& text)
{
    if (m_model && recipe != m_recipe)
        push({recipe, m_marks}, text);
}

void Session::changeMarks(const NodeMarks& marks, const QString& text, int sitting)
{
    if (m_model && marks != m_marks)
        push({m_recipe, marks}, text, sitting);
}

void Session::apply(const Edited& wanted)
{
    const bool isOtherRecipe = wanted.recipe != m_recipe;
    const bool areOtherMarks = wanted.marks != m_marks;
    m_recipe = wanted.recipe;
    m_marks = wanted.marks;
    if (m_isRestoring)
        return;
    if (areOtherMarks)
        Q_EMIT marksChanged();
    if (isOtherRecipe) {
        Q_EMIT recipeChanged();
        rerun();
    }
}

void Session::show(const Opening& opening)
{
    auto before = held();
    if (!opening.steps.empty())
        forgetModel();
    else
        m_hadNoStages = isQuantizedFile();
    m_request = opening.request;
    m_model = opening.model;
    if (!opening.steps.empty()) {
        restoreSteps(opening);
        m_view.reset(opening.modules);
    }
    startModel();
    m_jobs.letGo(std::move(before));
}

/// The undo stack as it was, without anything being run for it.
void Session::restoreSteps(const Opening& opening)
{
    m_isRestoring = true;
    m_undoStack.clear();
    m_recipe = opening.steps.front().recipe;
    m_marks = opening.steps.front().marks;
    for (std::size_t i = 1; i < opening.steps.size(); ++i) {
        const JournalStep& step = opening.steps[i];
        push({step.recipe, step.marks}, QString::fromStdString(step.text));
    }
    m_undoStack.setIndex(static_cast<int>(opening.current));
    m_isRestoring = false;
}

} // namespace pt2e::ui

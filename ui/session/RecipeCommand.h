// The one undo command: a recipe before and after. Views change nothing else.
#pragma once

#include "core/pipeline/Recipe.h"

#include <QUndoCommand>

#include <functional>

namespace pt2e::ui {

class RecipeCommand : public QUndoCommand
{
public:
    /// What applies a recipe to the session; it outlives the undo stack.
    using Apply = std::function<void(const Recipe&)>;

    RecipeCommand(Recipe before, Recipe after, const QString& text, Apply apply);
    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }

private:
    Recipe m_before;
    Recipe m_after;
    Apply m_apply;
};

} // namespace pt2e::ui

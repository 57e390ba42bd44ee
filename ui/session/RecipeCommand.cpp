#include "ui/session/RecipeCommand.h"

namespace pt2e::ui {

RecipeCommand::RecipeCommand(Recipe before, Recipe after, const QString& text, Apply apply)
    : QUndoCommand(text),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_apply(std::move(apply))
{}

} // namespace pt2e::ui

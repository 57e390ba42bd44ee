#include "ui/session/EditCommand.h"

namespace pt2e::ui {

EditCommand::EditCommand(Edited before, Edited after, const QString& text, Apply apply)
    : QUndoCommand(text),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_apply(std::move(apply))
{}

bool EditCommand::mergeWith(const QUndoCommand* later)
{
    m_after = static_cast<const EditCommand*>(later)->m_after;
    return true;
}

} // namespace pt2e::ui

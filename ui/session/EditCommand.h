// The one undo command: all that is edited, before and after. Views change nothing else.
#pragma once

#include "core/pipeline/Project.h"

#include <QUndoCommand>

#include <functional>

namespace pt2e::ui {

/// What undo steps through: the recipe, and the marks on nodes.
struct Edited
{
    Recipe recipe;
    NodeMarks marks;
};

class EditCommand : public QUndoCommand
{
public:
    /// What applies it to the session; it outlives the undo stack.
    using Apply = std::function<void(const Edited&)>;

    EditCommand(Edited before, Edited after, const QString& text, Apply apply);
    /// Commands of the same sitting become one; 0: of none.
    void setSitting(int sitting) { m_sitting = sitting; }
    int id() const override { return m_sitting > 0 ? m_sitting : -1; }
    bool mergeWith(const QUndoCommand* later) override;

    const Edited& before() const { return m_before; }
    const Edited& after() const { return m_after; }
    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }

private:
    Edited m_before;
    Edited m_after;
    Apply m_apply;
    int m_sitting = 0;
};

} // namespace pt2e::ui

// Where Tab goes: through a window as one reads it, whatever was built when.
#pragma once

#include <vector>

class QWidget;

namespace pt2e::ui {

/// What Tab reaches in the window, in the order of its layouts; where there is no layout, from top to bottom and left to
/// right. Qt's own order is that of construction, in which a part that was built anew comes last.
std::vector<QWidget*> tabOrder(const QWidget& window);

/// Moves the focus one further, or back; false where there is nothing to go to. For QWidget::focusNextPrevChild of a
/// window.
bool focusNextInOrder(const QWidget& window, bool isForward);

} // namespace pt2e::ui

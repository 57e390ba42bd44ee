#include "ui/panels/TabOrder.h"

#include <QLayout>
#include <QScrollArea>
#include <QWidget>

#include <algorithm>

namespace pt2e::ui {

namespace {

void addOfLayout(const QLayout& layout, std::vector<QWidget*>& found)
{
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        if (QWidget* widget = item->widget())
            found.push_back(widget);
        else if (const QLayout* inner = item->layout())
            addOfLayout(*inner, found);
    }
}

std::vector<QWidget*> childrenInOrder(const QWidget& parent)
{
    std::vector<QWidget*> ordered;
    if (const QLayout* layout = parent.layout())
        addOfLayout(*layout, ordered);
    std::vector<QWidget*> others;
    for (QWidget* child : parent.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (std::find(ordered.begin(), ordered.end(), child) == ordered.end())
            others.push_back(child);
    }
    std::stable_sort(others.begin(), others.end(), [](const QWidget* a, const QWidget* b) {
        return a->y() != b->y() ? a->y() < b->y() : a->x() < b->x();
    });
    ordered.insert(ordered.end(), others.begin(), others.end());
    return ordered;
}

void collect(const QWidget& parent, std::vector<QWidget*>& order)
{
    for (QWidget* child : childrenInOrder(parent)) {
        if (child->isWindow() || !child->isVisible())
            continue;
        const bool takesTab = (child->focusPolicy() & Qt::TabFocus) != 0 && child->isEnabled();
        if (takesTab && !child->focusProxy())
            order.push_back(child);
        collect(*child, order);
    }
}

} // namespace

std::vector<QWidget*> tabOrder(const QWidget& window)
{
    std::vector<QWidget*> order;
    collect(window, order);
    return order;
}

bool focusNextInOrder(const QWidget& window, bool isForward)
{
    const std::vector<QWidget*> order = tabOrder(window);
    if (order.empty())
        return false;
    // What has the focus may be a part of what Tab reaches, such as the editor in a list.
    auto at = order.end();
    for (QWidget* widget = window.focusWidget(); widget && at == order.end();
         widget = widget->parentWidget())
        at = std::find(order.begin(), order.end(), widget);
    const std::size_t count = order.size();
    std::size_t next = isForward ? 0 : count - 1;
    if (at != order.end()) {
        const auto now = static_cast<std::size_t>(at - order.begin());
        next = isForward ? (now + 1) % count : (now + count - 1) % count;
    }
    QWidget* reached = order[next];
    reached->setFocus(isForward ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (QWidget* around = reached->parentWidget(); around; around = around->parentWidget()) {
        if (auto* scroll = qobject_cast<QScrollArea*>(around))
            scroll->ensureWidgetVisible(reached);
    }
    return true;
}

} // namespace pt2e::ui

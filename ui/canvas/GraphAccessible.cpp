#include "ui/canvas/GraphAccessible.h"

#include "ui/canvas/GraphView.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace pt2e::ui {

namespace {

QString kindName(ItemKind kind)
{
    const auto name = [](const char* text) {
        return QCoreApplication::translate("GraphItem", text);
    };
    switch (kind) {
    case ItemKind::Op: return name(QT_TRANSLATE_NOOP("GraphItem", "op"));
    case ItemKind::Placeholder: return name(QT_TRANSLATE_NOOP("GraphItem", "input"));
    case ItemKind::Output: return name(QT_TRANSLATE_NOOP("GraphItem", "output"));
    case ItemKind::Weight: return name(QT_TRANSLATE_NOOP("GraphItem", "weight"));
    case ItemKind::Observer: return name(QT_TRANSLATE_NOOP("GraphItem", "observer"));
    case ItemKind::Quantize: return name(QT_TRANSLATE_NOOP("GraphItem", "quantize"));
    case ItemKind::Dequantize: return name(QT_TRANSLATE_NOOP("GraphItem", "dequantize"));
    case ItemKind::Ghost: return name(QT_TRANSLATE_NOOP("GraphItem", "removed node"));
    case ItemKind::Module: return name(QT_TRANSLATE_NOOP("GraphItem", "collapsed module"));
    case ItemKind::Stub: return name(QT_TRANSLATE_NOOP("GraphItem", "hidden neighbour"));
    }
    return {};
}

class ItemAccessible : public QAccessibleInterface
{
public:
    ItemAccessible(GraphView* view, int item) : m_view(view), m_item(item) {}

    bool isValid() const override
    {
        return m_view->content()
               && m_item < static_cast<int>(m_view->content()->scene.items.size());
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view->window()->windowHandle(); }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text which) const override
    {
        if (!isValid() || which != QAccessible::Name)
            return {};
        const SceneItem& item = m_view->content()->scene.items[static_cast<std::size_t>(m_item)];
        QStringList parts{kindName(item.kind), QString::fromStdString(item.title)};
        for (const std::string& more : {item.name, item.detail, item.badge}) {
            if (!more.empty())
                parts << QString::fromStdString(more);
        }
        if (item.isUnquantized)
            parts << QCoreApplication::translate("GraphItem", "not quantized");
        const auto& content = *m_view->content();
        const auto out = content.edgesOut[static_cast<std::size_t>(m_item)].size();
        const auto in = content.edgesIn[static_cast<std::size_t>(m_item)].size();
        parts << QCoreApplication::translate("GraphItem", "%1 in, %2 out").arg(in).arg(out);
        return parts.join(QStringLiteral(", "));
    }
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect own = m_view->itemRect(m_item).toAlignedRect();
        return {m_view->mapToGlobal(own.topLeft()), own.size()};
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.selectable = true;
        state.focusable = true;
        const auto& selected = m_view->selectedItems();
        state.selected = std::find(selected.begin(), selected.end(), m_item) != selected.end();
        state.focused = m_view->hasFocus() && m_view->currentItem() == m_item;
        return state;
    }

private:
    GraphView* m_view;
    int m_item;
};

class GraphAccessible : public QAccessibleWidget
{
public:
    explicit GraphAccessible(GraphView* view)
        : QAccessibleWidget(view, QAccessible::List),
          m_view(view)
    {}
    ~GraphAccessible() override { forget(); }

    int childCount() const override
    {
        return m_view->content() ? static_cast<int>(m_view->content()->scene.items.size()) : 0;
    }
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        m_children.resize(static_cast<std::size_t>(childCount()), 0);
        QAccessible::Id& id = m_children[static_cast<std::size_t>(index)];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(new ItemAccessible(m_view, index));
        return QAccessible::accessibleInterface(id);
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        return child(m_view->itemAt(m_view->mapFromGlobal(QPoint(x, y))));
    }
    int indexOfChild(const QAccessibleInterface* wanted) const override
    {
        for (std::size_t i = 0; i < m_children.size(); ++i) {
            if (m_children[i] && QAccessible::accessibleInterface(m_children[i]) == wanted)
                return static_cast<int>(i);
        }
        return -1;
    }
    QAccessibleInterface* focusChild() const override { return child(m_view->currentItem()); }

    void forget()
    {
        for (const QAccessible::Id id : m_children) {
            if (id)
                QAccessible::deleteAccessibleInterface(id);
        }
        m_children.clear();
    }

private:
    GraphView* m_view;
    mutable std::vector<QAccessible::Id> m_children; ///< 0: not asked for yet
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    if (auto* view = qobject_cast<GraphView*>(object))
        return new GraphAccessible(view);
    return nullptr;
}

} // namespace

void installGraphAccessibility()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

void tellGraphChanged(GraphView* view)
{
    if (!QAccessible::isActive())
        return;
    if (auto* accessible =
            dynamic_cast<GraphAccessible*>(QAccessible::queryAccessibleInterface(view)))
        accessible->forget();
    QAccessibleEvent event(view, QAccessible::ObjectReorder);
    QAccessible::updateAccessibility(&event);
}

} // namespace pt2e::ui

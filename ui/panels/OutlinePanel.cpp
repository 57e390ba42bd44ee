#include "ui/panels/OutlinePanel.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include <vector>

namespace pt2e::ui {

OutlinePanel::OutlinePanel(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_model(new OutlineModel(this)),
      m_tree(new QTreeView(this)),
      m_title(new QLabel(this)),
      m_none(new QLabel(this))
{
    setObjectName(QStringLiteral("card"));
    m_title->setProperty("title", true);
    m_title->setProperty("inset", true);
    m_none->setProperty("muted", true);
    m_none->setWordWrap(true);
    m_none->setProperty("inset", true);
    m_tree->setObjectName(QStringLiteral("outline"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(OutlineModel::NameColumn, QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(OutlineModel::ClassColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(OutlineModel::CountColumn,
                                           QHeaderView::ResizeToContents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 5);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(m_none);
    layout->addWidget(m_tree, 1);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (m_isFollowing || !index.isValid())
                    return;
                m_isFollowing = true;
                m_session.lookAt(StageKind::Exported,
                                 index.data(OutlineModel::NodesRole).value<std::vector<NodeId>>());
                m_session.view().setModules(expandedAround(index));
                m_isFollowing = false;
            });
    m_tree->installEventFilter(this);
    connect(&session, &Session::modelChanged, this, &OutlinePanel::refresh);
    connect(&session.selection(), &Selection::changed, this, &OutlinePanel::follow);
    retranslate();
    refresh();
}

void OutlinePanel::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    if (m_isOutdated)
        refresh();
    follow();
}

void OutlinePanel::refresh()
{
    m_isOutdated = !isVisible();
    if (m_isOutdated)
        return;
    m_isFollowing = true;
    m_model->setGraph(m_session.model() ? m_session.model()->exported : nullptr);
    expandSome();
    m_none->setVisible(m_model->rowCount() == 0);
    m_isFollowing = false;
}

/// As deep as modules can be taken in at a glance.
void OutlinePanel::expandSome()
{
    constexpr std::size_t kManyRows = 100;
    const auto rowsIn = [this](const std::vector<QModelIndex>& parents) {
        std::vector<QModelIndex> rows;
        for (const QModelIndex& parent : parents)
            for (int row = 0; row < m_model->rowCount(parent); ++row)
                rows.push_back(m_model->index(row, 0, parent));
        return rows;
    };
    std::vector<QModelIndex> level = rowsIn({QModelIndex()});
    std::size_t shown = level.size();
    for (int depth = 0; depth < 2; ++depth) {
        std::vector<QModelIndex> inner = rowsIn(level);
        shown += inner.size();
        if (shown > kManyRows)
            return;
        for (const QModelIndex& parent : level)
            m_tree->expand(parent);
        level = std::move(inner);
    }
}

/// What is needed to see the module, be it as a box.
ModuleFolding OutlinePanel::expandedAround(const QModelIndex& module) const
{
    ModuleFolding modules = m_session.view().options().modules;
    std::vector<std::string> around;
    for (QModelIndex at = module.parent(); at.isValid(); at = at.parent())
        around.push_back(at.data(OutlineModel::PathRole).toString().toStdString());
    for (std::size_t i = 0; i < around.size(); ++i)
        if (modules.isBox(around[i], static_cast<int>(around.size() - i)))
            modules.expand(around[i]);
    return modules;
}

/// Plus and minus expand and collapse the module in the panes, and its row with it.
bool OutlinePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_tree || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(0);
    const bool isPlus = key == Qt::Key_Plus || key == Qt::Key_Equal;
    if (!current.isValid() || (!isPlus && key != Qt::Key_Minus))
        return QFrame::eventFilter(watched, event);
    ModuleFolding modules = expandedAround(current);
    const std::string path = current.data(OutlineModel::PathRole).toString().toStdString();
    if (isPlus)
        modules.expand(path);
    else
        modules.collapse(path);
    m_tree->setExpanded(current, isPlus);
    m_session.view().setModules(modules);
    return true;
}

void OutlinePanel::follow()
{
    if (m_isFollowing || !isVisible())
        return;
    const auto& nodes = m_session.selection().nodesIn(StageKind::Exported);
    if (nodes.empty())
        return;
    m_isFollowing = true;
    m_tree->setCurrentIndex(m_model->indexOf(nodes.back()));
    m_isFollowing = false;
}

void OutlinePanel::retranslate()
{
    m_title->setText(tr("Modules"));
    m_none->setText(tr("The nodes of this model name no modules."));
    m_tree->setAccessibleName(tr("Module outline"));
    m_model->retranslate();
}

void OutlinePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

#include "ui/panels/OutlinePanel.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

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
                m_isFollowing = false;
            });
    connect(&session, &Session::modelChanged, this, &OutlinePanel::refresh);
    connect(&session.selection(), &Selection::changed, this, &OutlinePanel::follow);
    retranslate();
    refresh();
}

void OutlinePanel::refresh()
{
    m_isFollowing = true;
    m_model->setGraph(m_session.model() ? m_session.model()->exported : nullptr);
    m_tree->expandToDepth(1);
    m_none->setVisible(m_model->rowCount() == 0);
    m_isFollowing = false;
}

void OutlinePanel::follow()
{
    const auto& nodes = m_session.selection().nodesIn(StageKind::Exported);
    if (m_isFollowing || nodes.empty())
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

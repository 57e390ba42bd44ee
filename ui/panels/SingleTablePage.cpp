#include "ui/panels/SingleTablePage.h"

#include "ui/panels/TablesPanel.h"

#include <QEvent>
#include <QVBoxLayout>

namespace pt2e::ui {

SingleTablePage::SingleTablePage(Session& session, const QString& id, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_table(new NodeTable(session, id, this)),
      m_layout(new QVBoxLayout(this)),
      m_id(id)
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    m_layout->addWidget(m_table, 1);
}

void SingleTablePage::addTo(TablesPanel& tables)
{
    tables.addPage(m_id, this, this);
    connect(this, &SingleTablePage::titleChanged, &tables, &TablesPanel::refreshTitles);
}

void SingleTablePage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_table->retranslate();
        retranslate();
        Q_EMIT titleChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

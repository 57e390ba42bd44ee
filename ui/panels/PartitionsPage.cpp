#include "ui/panels/PartitionsPage.h"

#include "core/view/CompareTables.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace pt2e::ui {

PartitionsPage::PartitionsPage(Session& session, Comparison& comparison, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_comparison(comparison),
      m_summary(new QLabel(this)),
      m_table(new NodeTable(session, QStringLiteral("partitions"), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_summary->setProperty("inset", true);
    m_summary->setWordWrap(true);
    m_summary->setObjectName(QStringLiteral("partitionSummary"));
    layout->addWidget(m_summary);
    layout->addWidget(m_table, 1);
    connect(&comparison, &Comparison::changed, this, &PartitionsPage::refresh);
    refresh();
}

QString PartitionsPage::title() const
{
    return m_filled && m_comparison.isStale() ? tr("Partitions (stale)") : tr("Partitions");
}

void PartitionsPage::refresh()
{
    const auto wanted = m_session.isCovered(StageKind::Converted) ? nullptr : m_comparison.report();
    if (wanted != m_filled)
        m_table->setTable(wanted ? comparePartitionTable(*wanted) : Table{});
    m_filled = wanted;
    m_table->setVisible(m_filled != nullptr);
    m_summary->setProperty("muted", m_filled == nullptr);
    m_summary->setText(m_filled
                           ? tr("%n partitions", nullptr, m_comparison.partitionCount())
                           : tr("Compare (F6) shows what ran where, by which kernel, and why not "
                                "in int8."));
}

void PartitionsPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_table) {
        m_table->retranslate();
        m_filled = nullptr;
        refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

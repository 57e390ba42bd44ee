#include "ui/panels/PartitionsPage.h"

#include "core/view/CompareTables.h"

#include <QEvent>
#include <QFrame>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr int kMostRows = 4; ///< of the overview, without scrolling
}

PartitionsPage::PartitionsPage(Session& session, Comparison& comparison, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_comparison(comparison),
      m_summary(new QLabel(this)),
      m_overview(new NodeTable(session, QStringLiteral("partition-overview"), this)),
      m_table(new NodeTable(session, QStringLiteral("partitions"), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_summary->setProperty("inset", true);
    m_summary->setProperty("muted", true);
    m_summary->setWordWrap(true);
    m_summary->setObjectName(QStringLiteral("partitionSummary"));
    layout->addWidget(m_summary);
    auto* rule = new QFrame(this);
    rule->setProperty("rule", true);
    m_parts = new QWidget(this);
    auto* parts = new QVBoxLayout(m_parts);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(3);
    parts->addWidget(m_overview);
    parts->addWidget(rule);
    parts->addWidget(m_table, 1);
    layout->addWidget(m_parts, 1);
    layout->addStretch(0);
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
    if (wanted != m_filled) {
        m_overview->setTable(wanted ? comparePartitionOverview(*wanted) : Table{});
        m_table->setTable(wanted ? comparePartitionTable(*wanted) : Table{});
        fitOverview();
    }
    m_filled = wanted;
    m_parts->setVisible(m_filled != nullptr);
    m_summary->setVisible(m_filled == nullptr);
    m_summary->setText(
        tr("Compare (F6) shows what ran where, by which kernel, and why not in int8."));
}

std::vector<Table> PartitionsPage::shownTables() const
{
    return m_filled ? std::vector{m_overview->table(), m_table->table()} : std::vector<Table>{};
}

void PartitionsPage::selectRows()
{
    // The overview's rows stand for many nodes: one of them chosen would select the whole partition's row.
    m_table->selectRows();
}

/// As high as its rows are, up to a few.
void PartitionsPage::fitOverview()
{
    const int rows = std::clamp(m_overview->tableModel().rowCount(), 1, kMostRows);
    m_overview->setFixedHeight(m_overview->horizontalHeader()->sizeHint().height()
                               + rows * m_overview->verticalHeader()->defaultSectionSize() + 4);
}

void PartitionsPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_table) {
        m_overview->retranslate();
        m_table->retranslate();
        refresh();
    }
    if (event->type() == QEvent::FontChange && m_table)
        fitOverview();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

#include "ui/panels/NodeTable.h"

#include "core/view/BodyView.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QStyle>

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace pt2e::ui {

namespace {

constexpr int kMaxColumnWidth = 920;
constexpr int kMinColumnWidth = 96; ///< of a column that gives room to others

/// Takes from the widest columns what does not fit: their texts are elided, and all columns are seen.
void fitWidths(std::vector<int>& widths, int room)
{
    const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), 0); };
    while (total() > room) {
        const int widest = *std::max_element(widths.begin(), widths.end());
        if (widest <= kMinColumnWidth)
            return;
        // Down to the next narrower one, or as far as is needed.
        int next = kMinColumnWidth;
        int count = 0;
        for (const int width : widths) {
            count += width == widest ? 1 : 0;
            next = width < widest ? std::max(next, width) : next;
        }
        const int wanted = widest - (total() - room + count - 1) / count;
        for (int& width : widths)
            width = width == widest ? std::max(next, wanted) : width;
    }
}

/// The stage in which a row's nodes are selected: one that a pane shows, with as many of them as possible.
StageKind stageFor(const Session& session, const Table& table, const std::vector<NodeId>& nodes)
{
    const auto& shown = session.view().stages();
    StageKind best = table.stages.empty() ? StageKind::Exported : table.stages.front();
    int bestPoints = -1;
    for (const StageKind stage : table.stages) {
        const GraphPtr graph = graphOf(session.snapshot(), stage);
        if (!graph)
            continue;
        int points = 0;
        for (const NodeId node : nodes)
            points += bodyOf(*graph, node) ? 2 : 0;
        points += points > 0 && std::find(shown.begin(), shown.end(), stage) != shown.end() ? 1 : 0;
        if (points > bestPoints) {
            bestPoints = points;
            best = stage;
        }
    }
    return best;
}

} // namespace

NodeTable::NodeTable(Session& session, const QString& id, QWidget* parent)
    : QTableView(parent),
      m_session(session),
      m_model(new TableModel(this)),
      m_filter(new TableFilter(this))
{
    setObjectName(QStringLiteral("table.") + id);
    m_filter->setSourceModel(m_model);
    setModel(m_filter);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false); // the arrows move; Tab goes on to what is next
    setShowGrid(false);
    setWordWrap(false);
    // Of "loop/activation_post_process_0" the end tells most; sentences are read from their beginning.
    setTextElideMode(id == QLatin1String("observers") || id == QLatin1String("annotations")
                         ? Qt::ElideMiddle
                         : Qt::ElideRight);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &NodeTable::selectNodes);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int column, int, int width) {
                const auto at = static_cast<std::size_t>(column);
                if (!m_isFitting && at + 1 < m_wanted.size()) // chosen by hand
                    m_wanted[at] = width;
            });
}

void NodeTable::setTable(Table table)
{
    const bool hadColumns = m_model->columnCount() > 0;
    const bool wasEmpty = m_model->rowCount() == 0;
    const bool isOther = m_model->table().columns != table.columns;
    m_isSelecting = true;
    m_model->setTable(std::move(table));
    m_isSelecting = false;
    describe();
    m_isSized = m_isSized && hadColumns && !wasEmpty && !isOther;
    if (!m_isSized && isVisible())
        sizeColumns();
}

void NodeTable::setWords(const QString& words) { m_filter->setWords(words); }

/// A screen reader says what is drawn where there are no rows.
void NodeTable::describe()
{
    setAccessibleDescription(m_model->rowCount() == 0 ? m_emptyText : QString());
}

void NodeTable::setEmptyText(const QString& text)
{
    if (m_emptyText == text)
        return;
    m_emptyText = text;
    describe();
    viewport()->update();
}

void NodeTable::sizeColumns()
{
    m_isSized = true;
    const QScopedValueRollback guard(m_isFitting, true);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    m_wanted.clear();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const int wanted =
            std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        const bool isFiller = m_model->table().columns[static_cast<std::size_t>(column)].empty();
        m_wanted.push_back(isFiller ? horizontalHeader()->minimumSectionSize()
                                    : std::min(wanted + 12, kMaxColumnWidth));
    }
    fitColumns();
}

void NodeTable::fitColumns()
{
    const QScopedValueRollback guard(m_isFitting, true);
    std::vector<int> widths = m_wanted;
    fitWidths(widths, width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    // The last one takes the rest, and is not made smaller than what it was given.
    for (std::size_t column = 0; column < widths.size(); ++column)
        setColumnWidth(static_cast<int>(column), widths[column]);
}

void NodeTable::selectNodes()
{
    if (m_isSelecting)
        return;
    std::vector<NodeId> nodes;
    std::unordered_set<NodeId> known;
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        for (const NodeId node : m_filter->mapToSource(index)
                                     .data(TableModel::NodesRole)
                                     .value<std::vector<NodeId>>()) {
            if (node.isValid() && known.insert(node).second)
                nodes.push_back(node);
        }
    }
    if (nodes.empty())
        return;
    m_isSelecting = true; // the row the user chose stays as it is
    const StageKind stage = stageFor(m_session, m_model->table(), nodes);
    m_session.lookAt(stage, std::move(nodes));
    m_isSelecting = false;
}

void NodeTable::selectRows()
{
    if (m_isSelecting)
        return;
    m_isSelecting = true;
    std::vector<NodeId> nodes;
    for (const StageKind stage : m_model->table().stages) {
        const auto& inStage = m_session.selection().nodesIn(stage);
        nodes.insert(nodes.end(), inStage.begin(), inStage.end());
    }
    // In ranges as they stand: thousands of single rows take the view seconds.
    std::vector<int> chosen;
    for (const int row : m_model->rowsOf(nodes)) {
        const QModelIndex index = m_filter->mapFromSource(m_model->index(row, 0));
        if (index.isValid())
            chosen.push_back(index.row());
    }
    std::sort(chosen.begin(), chosen.end());
    QItemSelection rows;
    for (std::size_t first = 0; first < chosen.size();) {
        std::size_t last = first;
        while (last + 1 < chosen.size() && chosen[last + 1] == chosen[last] + 1)
            ++last;
        rows.select(m_filter->index(chosen[first], 0), m_filter->index(chosen[last], 0));
        first = last + 1;
    }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.isEmpty())
        scrollTo(rows.first().topLeft());
    m_isSelecting = false;
}

/// Not before it is seen: a comparison fills many tables at once.
void NodeTable::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    if (!m_isSized && m_model->columnCount() > 0)
        sizeColumns();
}

/// What found no room gets it back, also after a narrower moment before the window stood.
void NodeTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (m_isSized && event->size().width() != event->oldSize().width())
        fitColumns();
}

void NodeTable::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_filter->rowCount() > 0)
        return;
    const QString text = m_model->rowCount() == 0 ? m_emptyText : tr("No row has all these words.");
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const int margin = fontMetrics().height();
    painter.drawText(viewport()->rect().adjusted(margin, margin / 2, -margin, -margin / 2),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
}

void NodeTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_model && m_model->columnCount() > 0) {
        m_isSized = false;
        if (isVisible())
            sizeColumns();
    }
}

} // namespace pt2e::ui

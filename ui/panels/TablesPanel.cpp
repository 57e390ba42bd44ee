#include "ui/panels/TablesPanel.h"

#include "core/view/BodyView.h"
#include "ui/models/CoreText.h"
#include "ui/models/OpCountTable.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QMenu>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace pt2e::ui {

namespace {

constexpr int kMaxColumnWidth = 920;
constexpr int kMinColumnWidth = 96; ///< of a column that gives room to others
const QString kTag = QStringLiteral("tables"); ///< of the job that makes them

const QStringList& fixedIds()
{
    static const QStringList ids{QStringLiteral("diff-ops"),    QStringLiteral("observers"),
                                 QStringLiteral("annotations"), QStringLiteral("unannotated"),
                                 QStringLiteral("sharing"),     QStringLiteral("problems")};
    return ids;
}

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

/// Both quantizers side by side, however it is called in the recipe; one alone where the other one raises.
Table unquantizedOf(const Snapshot& snapshot, BothQuantizers& quantizers, const JobContext& context)
{
    const auto [torchao, executorch] = quantizers.of(snapshot, context);
    if (!torchao || !executorch)
        return unannotatedTable(snapshot);
    return unannotatedAgainst(*torchao, std::string(flavorName(QuantizerFlavor::TorchAo)),
                              *executorch, std::string(flavorName(QuantizerFlavor::ExecuTorch)));
}

std::map<QString, Table> tablesOf(const Snapshot& snapshot, BothQuantizers& quantizers,
                                  const JobContext& context)
{
    return {{QStringLiteral("diff-ops"), mergedOpCounts(opCountTables(snapshot))},
            {QStringLiteral("observers"), observerTable(snapshot)},
            {QStringLiteral("annotations"), annotationTable(snapshot)},
            {QStringLiteral("unannotated"), unquantizedOf(snapshot, quantizers, context)},
            {QStringLiteral("sharing"), sharingTable(snapshot)},
            {QStringLiteral("problems"), problemsTable(snapshot)}};
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

TablesPanel::TablesPanel(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_quantizers(std::make_shared<BothQuantizers>()),
      m_tabs(new QTabWidget(this)),
      m_filter(new QLineEdit(this)),
      m_copy(new QToolButton(this))
{
    setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 2, 1, 4);
    layout->addWidget(m_tabs);
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setUsesScrollButtons(true);
    m_tabs->tabBar()->setDrawBase(false);
    auto* corner = new QWidget(m_tabs);
    auto* cornerLayout = new QHBoxLayout(corner);
    cornerLayout->setContentsMargins(8, 2, 8, 3);
    cornerLayout->setSpacing(6);
    m_filter->setObjectName(QStringLiteral("tableFilter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(160);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    m_copy->setProperty("flat", true);
    m_copy->setProperty("hasMenu", true);
    m_copy->setMenu(new QMenu(m_copy));
    cornerLayout->addWidget(m_filter);
    cornerLayout->addWidget(m_copy);
    m_tabs->setCornerWidget(corner, Qt::TopRightCorner);
    for (const QString& id : fixedIds())
        tab(id, false);

    connect(m_filter, &QLineEdit::textChanged, this, &TablesPanel::filter);
    connect(m_tabs, &QTabWidget::currentChanged, this, &TablesPanel::filter);
    connect(&session, &Session::snapshotChanged, this, &TablesPanel::refresh);
    connect(&session.jobs(), &JobRunner::finished, this,
            [this](const JobState& job, bool wasCancelled) {
                if (job.tag == kTag && m_isOutdated && !wasCancelled)
                    refresh();
            });
    connect(&session.selection(), &Selection::changed, this, &TablesPanel::selectRows);
    refresh();
    refreshTitles();
}

QStringList TablesPanel::ids() const { return fixedIds() + m_comparisonIds; }

QString TablesPanel::titleOf(const QString& id) const
{
    const auto it = m_byId.find(id);
    const int count = it == m_byId.end() ? 0 : it->second.model->rowCount();
    if (id == QLatin1String("diff-ops"))
        return tr("Op counts");
    if (id == QLatin1String("observers"))
        return tr("Observers");
    if (id == QLatin1String("annotations"))
        return tr("Annotations");
    if (id == QLatin1String("unannotated"))
        return tr("Not quantized %1").arg(unquantizedCount());
    if (id == QLatin1String("sharing"))
        return tr("Sharing");
    if (id == QLatin1String("problems"))
        return tr("Problems %1").arg(count);
    const QString title = it == m_byId.end() ? id : coreText(it->second.model->table().title);
    return m_isStale ? tr("%1 (stale)").arg(title) : title;
}

/// Of the recipe's quantizer: the table has the other one's, too.
int TablesPanel::unquantizedCount() const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    return snapshot && snapshot->annotated
               ? static_cast<int>(snapshot->annotated->unannotated.size())
               : 0;
}

TablesPanel::Tab& TablesPanel::tab(const QString& id, bool isComparison)
{
    const auto known = m_byId.find(id);
    if (known != m_byId.end())
        return known->second;
    Tab made;
    made.model = new TableModel(this);
    made.filter = new TableFilter(this);
    made.filter->setSourceModel(made.model);
    made.view = new QTableView(m_tabs);
    made.view->setObjectName(QStringLiteral("table.") + id);
    made.view->setModel(made.filter);
    made.view->setSelectionBehavior(QAbstractItemView::SelectRows);
    made.view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    made.view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    made.view->setShowGrid(false);
    made.view->setWordWrap(false);
    // Of "loop/activation_post_process_0" the end tells most; sentences are read from their beginning.
    made.view->setTextElideMode(
        id == QLatin1String("observers") || id == QLatin1String("annotations") ? Qt::ElideMiddle
                                                                               : Qt::ElideRight);
    made.view->setSortingEnabled(true);
    made.view->sortByColumn(-1, Qt::AscendingOrder);
    made.view->setTabKeyNavigation(false);
    made.view->verticalHeader()->hide();
    made.view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    made.view->horizontalHeader()->setHighlightSections(false);
    made.view->horizontalHeader()->setStretchLastSection(true);
    made.view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    made.view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    made.page = made.view;
    m_tabs->addTab(made.page, id);
    if (isComparison)
        m_comparisonIds << id;
    connect(made.view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this, id] { selectNodes(id); });
    return m_byId.emplace(id, made).first->second;
}

void TablesPanel::fill(const QString& id, Table table, bool isComparison)
{
    Tab& target = tab(id, isComparison);
    const bool hadColumns = target.model->columnCount() > 0;
    const bool wasEmpty = target.model->rowCount() == 0;
    m_isSelecting = true;
    target.model->setTable(std::move(table));
    m_isSelecting = false;
    if (!hadColumns || wasEmpty)
        sizeColumns(target);
}

void TablesPanel::sizeColumns(const Tab& tab)
{
    tab.view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    tab.view->resizeColumnsToContents();
    std::vector<int> widths;
    for (int column = 0; column < tab.model->columnCount(); ++column)
        widths.push_back(std::min(tab.view->columnWidth(column) + 12, kMaxColumnWidth));
    // Less the layout's margins and a scroll bar.
    fitWidths(widths, width() - 2 - style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    for (std::size_t column = 0; column + 1 < widths.size();
         ++column) // the last one takes the rest
        tab.view->setColumnWidth(static_cast<int>(column), widths[column]);
}

void TablesPanel::refresh()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    JobRunner& jobs = m_session.jobs();
    if (!snapshot) {
        jobs.cancel(kTag);
        m_filled = nullptr;
        std::map<QString, Table> none;
        for (const QString& id : fixedIds())
            none[id] = {};
        showAll(std::move(none));
        return;
    }
    if (snapshot == m_filled)
        return;
    // As for the panes: what is being made is shown, then the newest.
    m_isOutdated = jobs.isRunning(kTag);
    if (m_isOutdated)
        return;
    m_filled = snapshot;
    jobs.start(Lane::Interactive, kTag, {},
               [this, snapshot, quantizers = m_quantizers](JobPort& port) -> Delivery {
                   return [this, tables = tablesOf(*snapshot, *quantizers, port.context())] {
                       showAll(tables);
                   };
               });
}

void TablesPanel::showAll(std::map<QString, Table> tables)
{
    for (auto& [id, table] : tables)
        fill(id, std::move(table));
    refreshTitles();
    selectRows();
}

void TablesPanel::setComparison(std::vector<Table> tables, bool isStale)
{
    m_isStale = isStale;
    if (tables.empty()) {
        for (const QString& id : std::exchange(m_comparisonIds, {})) {
            Tab& old = m_byId.at(id);
            m_tabs->removeTab(m_tabs->indexOf(old.page));
            old.view->deleteLater();
            old.filter->deleteLater();
            old.model->deleteLater();
            m_byId.erase(id);
        }
    }
    for (Table& table : tables) {
        const QString id = QString::fromStdString(table.id);
        fill(id, std::move(table), true);
    }
    refreshTitles();
}

void TablesPanel::refreshTitles()
{
    for (const auto& [id, tab] : m_byId) {
        m_tabs->setTabText(m_tabs->indexOf(tab.page), titleOf(id));
        tab.view->setAccessibleName(titleOf(id));
    }
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setAccessibleName(tr("Filter rows"));
    m_copy->setText(tr("Copy"));
    QMenu* menu = m_copy->menu();
    menu->clear();
    menu->addAction(tr("As text"), this, [this] { copyAs(QStringLiteral("text")); });
    menu->addAction(tr("As CSV"), this, [this] { copyAs(QStringLiteral("csv")); });
    menu->addAction(tr("As JSON"), this, [this] { copyAs(QStringLiteral("json")); });
}

void TablesPanel::showTable(const QString& id)
{
    const auto it = m_byId.find(id);
    if (it != m_byId.end())
        m_tabs->setCurrentWidget(it->second.page);
}

QString TablesPanel::shownTable() const
{
    for (const auto& [id, tab] : m_byId) {
        if (tab.page == m_tabs->currentWidget())
            return id;
    }
    return {};
}

const TableModel& TablesPanel::model(const QString& id) const { return *m_byId.at(id).model; }

QTableView* TablesPanel::viewOf(const QString& id) const { return m_byId.at(id).view; }

void TablesPanel::filter()
{
    for (const auto& [id, tab] : m_byId)
        tab.filter->setWords(tab.page == m_tabs->currentWidget() ? m_filter->text() : QString());
    selectRows();
}

void TablesPanel::copyAs(const QString& format)
{
    const auto it = m_byId.find(shownTable());
    if (it == m_byId.end())
        return;
    const Table& table = it->second.model->table();
    const std::string text = format == QLatin1String("csv")    ? tableAsCsv(table)
                             : format == QLatin1String("json") ? tableAsJson(table)
                                                               : tableAsText(table);
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
}

void TablesPanel::selectNodes(const QString& id)
{
    if (m_isSelecting)
        return;
    const Tab& tab = m_byId.at(id);
    std::vector<NodeId> nodes;
    for (const QModelIndex& index : tab.view->selectionModel()->selectedRows()) {
        for (const NodeId node : tab.filter->mapToSource(index)
                                     .data(TableModel::NodesRole)
                                     .value<std::vector<NodeId>>()) {
            if (node.isValid() && std::find(nodes.begin(), nodes.end(), node) == nodes.end())
                nodes.push_back(node);
        }
    }
    if (nodes.empty())
        return;
    m_isSelecting = true; // the row the user chose stays as it is
    const StageKind stage = stageFor(m_session, tab.model->table(), nodes);
    m_session.lookAt(stage, std::move(nodes));
    m_isSelecting = false;
}

void TablesPanel::selectRows()
{
    if (m_isSelecting)
        return;
    m_isSelecting = true;
    const Selection& selection = m_session.selection();
    for (const auto& [id, tab] : m_byId) {
        if (tab.page != m_tabs->currentWidget())
            continue;
        std::vector<NodeId> nodes;
        for (const StageKind stage : tab.model->table().stages) {
            const auto& inStage = selection.nodesIn(stage);
            nodes.insert(nodes.end(), inStage.begin(), inStage.end());
        }
        QItemSelection rows;
        for (const int row : tab.model->rowsOf(nodes)) {
            const QModelIndex index = tab.filter->mapFromSource(tab.model->index(row, 0));
            if (index.isValid())
                rows.select(index, index);
        }
        tab.view->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect
                                                     | QItemSelectionModel::Rows);
        if (!rows.isEmpty())
            tab.view->scrollTo(rows.first().topLeft());
    }
    m_isSelecting = false;
}

void TablesPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        refreshTitles();
        for (const auto& [id, tab] : m_byId)
            tab.model->retranslate();
    } else if (event->type() == QEvent::FontChange) {
        for (const auto& [id, tab] : m_byId)
            sizeColumns(tab);
    }
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

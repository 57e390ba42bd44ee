#include "ui/panels/TablesPanel.h"

#include "ui/models/CoreText.h"
#include "ui/models/OpCountTable.h"
#include "ui/models/TableCopy.h"
#include "ui/panels/FittingTabs.h"
#include "ui/session/BothQuantizers.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {

const QString kTag = QStringLiteral("tables"); ///< of the job that makes them
const QString kLog = QStringLiteral("log");

#define PT2E_TEXT(text) QT_TRANSLATE_NOOP("pt2e::ui::TablesPanel", text)

/// A table that is always there.
struct FixedTable
{
    const char* id;
    StageKind stage; ///< that must be reached for it to have rows
    const char* title; ///< where nothing is counted
    const char* counted; ///< the title with a count; null: there is none
    const char* emptyText; ///< what it says without rows
};

constexpr FixedTable kFixed[] = {
    {"diff-ops", StageKind::Prepared, PT2E_TEXT("Op counts"), nullptr,
     PT2E_TEXT("There are no operators.")},
    {"observers", StageKind::Prepared, PT2E_TEXT("Observers"), nullptr,
     PT2E_TEXT("prepare_pt2e inserted no observer.")},
    {"annotations", StageKind::Annotated, PT2E_TEXT("Annotations"), nullptr,
     PT2E_TEXT("No operator is annotated.")},
    {"unannotated", StageKind::Annotated, PT2E_TEXT("Not quantized"), PT2E_TEXT("Not quantized %1"),
     PT2E_TEXT("No operator was left out.")},
    {"sharing", StageKind::Prepared, PT2E_TEXT("Sharing"), nullptr,
     PT2E_TEXT("No points share an observer.")},
    {"problems", StageKind::Exported, nullptr, PT2E_TEXT("Problems %1"),
     PT2E_TEXT("No errors and no warnings.")}};

#undef PT2E_TEXT

const FixedTable& fixedTable(const QString& id)
{
    return *std::find_if(std::begin(kFixed), std::end(kFixed),
                         [&](const FixedTable& table) { return id == QLatin1String(table.id); });
}

const QStringList& fixedIds()
{
    static const QStringList ids = [] {
        QStringList all;
        for (const FixedTable& table : kFixed)
            all << QLatin1String(table.id);
        return all;
    }();
    return ids;
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

} // namespace

TablesPanel::TablesPanel(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_tabs(new FittingTabs(this)),
      m_filter(new QLineEdit(this)),
      m_copy(new QToolButton(this))
{
    setObjectName(QStringLiteral("card"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 2, 1, 4);
    layout->addWidget(m_tabs);
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setExpanding(false);
    m_tabs->tabBar()->setDrawBase(false);
    auto* corner = new QWidget(m_tabs);
    auto* cornerLayout = new QHBoxLayout(corner);
    cornerLayout->setContentsMargins(8, 2, 8, 3);
    cornerLayout->setSpacing(6);
    m_filter->setObjectName(QStringLiteral("tableFilter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(120);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    m_copy->setProperty("flat", true);
    m_copy->setProperty("hasMenu", true);
    m_copy->setMenu(new QMenu(m_copy));
    cornerLayout->addWidget(m_tabs->more());
    cornerLayout->addWidget(m_filter);
    cornerLayout->addWidget(m_copy);
    m_tabs->setCornerWidget(corner, Qt::TopRightCorner);
    for (const QString& id : fixedIds())
        addTable(id);

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
    retranslate();
}

QStringList TablesPanel::ids() const { return fixedIds(); }

QStringList TablesPanel::tabIds() const
{
    QStringList ids = fixedIds();
    for (const auto& [id, page] : m_pages)
        ids.insert(id == kLog ? ids.size() : ids.indexOf(QStringLiteral("problems")), id);
    return ids;
}

void TablesPanel::addPage(const QString& id, QWidget* widget, TablePage* page)
{
    m_pages[id] = {widget, page};
    // Problems, and behind them the log, stay last.
    const int last = m_tabs->indexOf(m_byId.at(QStringLiteral("problems")));
    m_tabs->insertTab(id == kLog ? m_tabs->count() : last, widget, page->title());
    refreshTitles();
}

QString TablesPanel::titleOf(const QString& id) const
{
    if (const auto page = m_pages.find(id); page != m_pages.end())
        return page->second.page->title();
    const FixedTable& table = fixedTable(id);
    const std::optional<std::size_t> count = countOf(id);
    return count ? tr(table.counted).arg(*count) : tr(table.title);
}

/// Of what is not quantized, that of the recipe's quantizer: the table has the other one's, too.
std::optional<std::size_t> TablesPanel::countOf(const QString& id) const
{
    if (id == QLatin1String("problems"))
        return m_byId.at(id)->table().rows.size();
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (id == QLatin1String("unannotated") && snapshot && snapshot->annotated)
        return snapshot->annotated->unannotated.size();
    return std::nullopt;
}

/// Why it has no rows; empty without a model.
QString TablesPanel::emptyTextOf(const QString& id) const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const FixedTable& table = fixedTable(id);
    if (!snapshot)
        return {};
    return snapshot->graph(table.stage)
               ? tr(table.emptyText)
               : tr("Its stage was not reached yet: F10 runs the next one, F5 all.");
}

void TablesPanel::addTable(const QString& id)
{
    auto* table = new NodeTable(m_session, id, m_tabs);
    m_tabs->addTab(table, id);
    m_byId[id] = table;
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
               [this, snapshot, quantizers = m_session.quantizers()](JobPort& port) -> Delivery {
                   return
                       [this, tables = tablesOf(*snapshot, *quantizers, port.context())]() mutable {
                           showAll(std::move(tables));
                       };
               });
}

void TablesPanel::showAll(std::map<QString, Table> tables)
{
    for (auto& [id, table] : tables)
        m_byId.at(id)->setTable(std::move(table));
    refreshTitles();
    selectRows();
}

void TablesPanel::refreshTitles()
{
    bool isOther = false;
    const auto set = [&](QWidget* page, const QString& title) {
        const int index = m_tabs->indexOf(page);
        if (m_tabs->tabText(index) == title)
            return; // setting it would lay the bar out again
        m_tabs->setTabText(index, title);
        isOther = true;
    };
    for (const auto& [id, table] : m_byId) {
        const QString title = titleOf(id);
        set(table, title);
        table->setAccessibleName(title);
        table->setEmptyText(emptyTextOf(id));
    }
    for (const auto& [id, page] : m_pages)
        set(page.widget, page.page->title());
    if (isOther)
        m_tabs->fit();
}

void TablesPanel::retranslate()
{
    refreshTitles();
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setAccessibleName(tr("Filter rows"));
    m_copy->setText(tr("Copy"));
    QMenu* menu = m_copy->menu();
    menu->clear();
    menu->addAction(tr("As text"), this, [this] { copyAs(QStringLiteral("text")); })
        ->setObjectName(QStringLiteral("copy.text"));
    menu->addAction(tr("As CSV"), this, [this] { copyAs(QStringLiteral("csv")); })
        ->setObjectName(QStringLiteral("copy.csv"));
    menu->addAction(tr("As JSON"), this, [this] { copyAs(QStringLiteral("json")); })
        ->setObjectName(QStringLiteral("copy.json"));
    for (const auto& [id, table] : m_byId)
        table->retranslate();
    m_tabs->fit();
}

void TablesPanel::showTable(const QString& id)
{
    if (const auto it = m_byId.find(id); it != m_byId.end())
        m_tabs->showPage(it->second);
    for (const auto& [name, page] : m_pages) {
        if (name == id || page.page->showTable(id))
            m_tabs->showPage(page.widget);
    }
}

QString TablesPanel::shownTable() const
{
    for (const auto& [id, table] : m_byId) {
        if (table == m_tabs->currentWidget())
            return id;
    }
    for (const auto& [id, page] : m_pages) {
        if (page.widget == m_tabs->currentWidget())
            return id;
    }
    return {};
}

const TableModel& TablesPanel::model(const QString& id) const
{
    return m_byId.at(id)->tableModel();
}

QTableView* TablesPanel::viewOf(const QString& id) const { return m_byId.at(id); }

void TablesPanel::filter()
{
    for (const auto& [id, table] : m_byId)
        table->setWords(table == m_tabs->currentWidget() ? m_filter->text() : QString());
    for (const auto& [id, page] : m_pages)
        page.page->setWords(page.widget == m_tabs->currentWidget() ? m_filter->text() : QString());
    selectRows();
}

void TablesPanel::copyAs(const QString& format)
{
    std::vector<Table> tables;
    const QString id = shownTable();
    if (const auto it = m_byId.find(id); it != m_byId.end())
        tables = {it->second->table()};
    else if (const auto page = m_pages.find(id); page != m_pages.end())
        tables = page->second.page->shownTables();
    QGuiApplication::clipboard()->setText(
        tablesAs(tables, format == QLatin1String("csv")    ? CopyFormat::Csv
                         : format == QLatin1String("json") ? CopyFormat::Json
                                                           : CopyFormat::Text));
}

void TablesPanel::selectRows()
{
    for (const auto& [id, table] : m_byId) {
        if (table == m_tabs->currentWidget())
            table->selectRows();
    }
    for (const auto& [id, page] : m_pages) {
        if (page.widget == m_tabs->currentWidget())
            page.page->selectRows();
    }
}

void TablesPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

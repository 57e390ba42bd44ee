#include "ui/panels/RecipesPage.h"

#include "ui/models/SentenceText.h"
#include "ui/panels/TablesPanel.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTimer>
#include <QToolButton>

namespace pt2e::ui {

namespace {

constexpr int kLeastBox = 150;
constexpr int kRoomForBoth = 1500; ///< tables side by side

} // namespace

RecipesPage* RecipesPage::addTo(TablesPanel& tables, Session& session, SecondRecipe& second)
{
    auto* page = new RecipesPage(session, second, &tables);
    tables.addPage(QStringLiteral("recipes"), page, page);
    connect(page, &RecipesPage::titleChanged, &tables, &TablesPanel::refreshTitles);
    return page;
}

RecipesPage::RecipesPage(Session& session, SecondRecipe& second, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_second(second),
      m_label(new QLabel(this)),
      m_choice(new QComboBox(this)),
      m_keep(new QPushButton(this)),
      m_run(new QPushButton(this)),
      m_stale(new QLabel(this)),
      m_note(new QLabel(this)),
      m_stack(new QStackedWidget(this))
{
    build();
    connect(&second, &SecondRecipe::changed, this, &RecipesPage::refresh);
    connect(&session, &Session::snapshotChanged, this, &RecipesPage::refresh); // covered or not
    connect(&session.jobs(), &JobRunner::started, this, &RecipesPage::refreshHead);
    connect(&session.jobs(), &JobRunner::finished, this, &RecipesPage::refreshHead);
    connect(m_choice, &QComboBox::activated, this, &RecipesPage::chosen);
    connect(m_keep, &QPushButton::clicked, &second, &SecondRecipe::keep);
    connect(m_run, &QPushButton::clicked, this,
            [this] { m_second.isRunning() ? m_second.cancel() : m_second.run(); });
    retranslate();
}

void RecipesPage::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(buildHead());
    layout->addWidget(m_stack, 1);
    m_start = addEmptyPage(m_stack);
    auto* results = new QSplitter(Qt::Horizontal, m_stack);
    results->setHandleWidth(8);
    results->setChildrenCollapsible(false);
    m_summary = new NodeTable(m_session, QStringLiteral("recipes"), results);
    m_differences = new NodeTable(m_session, QStringLiteral("recipe-differences"), results);
    m_summary->horizontalHeader()->setStretchLastSection(false); // numbers stand together
    results->addWidget(m_summary);
    results->addWidget(m_differences);
    results->setStretchFactor(0, 9);
    results->setStretchFactor(1, 11);
    results->setSizes({450, 550});
    m_results = results;
    m_stack->addWidget(results);
}

QHBoxLayout* RecipesPage::buildHead()
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 2, 10, 2);
    head->setSpacing(8);
    m_label->setProperty("muted", true);
    m_choice->setObjectName(QStringLiteral("recipeBeside"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_choice->setMinimumWidth(kLeastBox);
    m_keep->setObjectName(QStringLiteral("recipeKeep"));
    m_run->setObjectName(QStringLiteral("recipeRun"));
    m_run->setProperty("outline", true);
    m_stale->setObjectName(QStringLiteral("recipeStale"));
    m_stale->setProperty("warn", true);
    m_note->setObjectName(QStringLiteral("recipeNote"));
    m_note->setProperty("muted", true);
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* segments = new QHBoxLayout;
    segments->setSpacing(0);
    m_showDifferences = addSegment(segments, QStringLiteral("recipeDifferences"));
    m_showSummary = addSegment(segments, QStringLiteral("recipeSummary"));
    m_showDifferences->setChecked(true);
    head->addWidget(m_label);
    head->addWidget(m_choice);
    head->addWidget(m_keep);
    head->addWidget(m_run);
    head->addLayout(segments);
    head->addWidget(m_stale);
    head->addWidget(m_note, 1);
    return head;
}

QToolButton* RecipesPage::addSegment(QHBoxLayout* head, const QString& name)
{
    auto* button = new QToolButton(this);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setProperty("segment", true);
    button->setObjectName(name);
    head->addWidget(button);
    connect(button, &QToolButton::clicked, this, &RecipesPage::arrange);
    return button;
}

/// Both tables where there is room, else the chosen one.
void RecipesPage::arrange()
{
    const bool hasRoom = width() >= kRoomForBoth;
    const bool hasResults = m_stack->currentWidget() == m_results;
    const std::pair<NodeTable*, bool> tables[] = {
        {m_summary, hasRoom || m_showSummary->isChecked()},
        {m_differences, hasRoom || m_showDifferences->isChecked()}};
    for (const auto& [table, isWanted] : tables) {
        if (table->isHidden() == !isWanted)
            continue;
        table->setVisible(isWanted);
        // Columns get their widths when it has got its place.
        QTimer::singleShot(0, table, [table = table] {
            if (table->isVisible() && table->model()->columnCount() > 0)
                table->sizeColumns();
        });
    }
    for (QToolButton* button : {m_showSummary, m_showDifferences})
        button->setVisible(hasResults && !hasRoom);
}

QString RecipesPage::title() const
{
    return m_second.isStale() && !isCovered() ? tr("Recipes (stale)") : tr("Recipes");
}

std::vector<Table> RecipesPage::shownTables() const
{
    if (!m_second.comparison() || isCovered())
        return {};
    return {m_summary->table(), m_differences->table()};
}

bool RecipesPage::showTable(const QString& id)
{
    if (id != QLatin1String("recipe-differences"))
        return false;
    m_showDifferences->setChecked(true);
    arrange();
    return true;
}

void RecipesPage::fillChoices()
{
    const QSignalBlocker blocker(m_choice);
    m_choice->clear();
    const auto add = [&](Beside beside, const QString& text) {
        m_choice->addItem(text, static_cast<int>(beside));
    };
    add(Beside::Nothing, tr("nothing"));
    add(Beside::TorchAo, QStringLiteral("torchao"));
    add(Beside::ExecuTorch, QStringLiteral("ExecuTorch"));
    add(Beside::Before, tr("before the last edit"));
    add(Beside::Kept, tr("the recipe kept"));
    add(Beside::File, tr("a file…"));
    m_choice->setItemData(1, tr("That quantizer with the present settings, without edits"),
                          Qt::ToolTipRole);
    m_choice->setItemData(2, tr("That quantizer with the present settings, without edits"),
                          Qt::ToolTipRole);
    m_choice->setItemData(5, tr("A recipe as JSON, calibrated on the present data"),
                          Qt::ToolTipRole);
}

void RecipesPage::chosen(int index)
{
    const auto beside = static_cast<Beside>(m_choice->itemData(index).toInt());
    if (beside == Beside::File)
        askForFile();
    else
        m_second.choose(beside);
    refreshHead();
}

void RecipesPage::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("A recipe to compare with"), {},
                                                      tr("Recipes (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_second.chooseFile(path);
}

void RecipesPage::refresh()
{
    const bool hasResults = m_second.comparison() && !isCovered();
    m_stack->setCurrentWidget(hasResults ? m_results : m_start.widget);
    if (hasResults)
        fill();
    arrange();
    refreshHead();
    Q_EMIT titleChanged();
}

void RecipesPage::fill()
{
    const RecipeNames names = m_second.names();
    if (m_filled == m_second.comparison() && m_names == names)
        return;
    m_filled = m_second.comparison();
    m_names = names;
    m_summary->setTable(recipeSummaryTable(*m_filled, names));
    m_differences->setTable(recipeDifferenceTable(*m_filled, names));
    m_differences->selectRows();
}

QString RecipesPage::note() const
{
    if (isCovered() || m_second.beside() == Beside::Nothing)
        return {};
    if (m_second.isAtWork())
        return tr("Working…");
    if (!m_second.problem().isEmpty())
        return tr("The second recipe ends early: %1").arg(m_second.problem());
    const auto& comparison = m_second.comparison();
    if (!comparison)
        return {};
    QString text =
        comparison->differences.empty()
            ? tr("Both make the same of this model.")
            : tr("%n differences", nullptr, static_cast<int>(comparison->differences.size()));
    if (const auto& report = comparison->runs.compared[0])
        text += QStringLiteral(" · ") + tr("both run on %1").arg(sentenceText(report->data));
    return text;
}

void RecipesPage::refreshHead()
{
    const bool hasModel = m_session.model() && !m_session.isQuantizedFile();
    const bool isRunning = m_second.isRunning();
    m_choice->setEnabled(hasModel && !isRunning);
    m_choice->setCurrentIndex(m_choice->findData(static_cast<int>(m_second.beside())));
    if (auto* items = qobject_cast<QStandardItemModel*>(m_choice->model())) {
        for (const Beside beside : {Beside::Before, Beside::Kept})
            items->item(m_choice->findData(static_cast<int>(beside)))
                ->setEnabled(m_second.has(beside));
    }
    m_keep->setEnabled(hasModel && !isRunning);
    m_run->setText(isRunning ? tr("Cancel") : tr("Run both"));
    m_run->setEnabled(isRunning || (m_second.canRun() && !isCovered()));
    m_stale->setVisible(m_second.isStale() && !isCovered() && !isRunning);
    const QString text = note();
    m_note->setText(m_note->fontMetrics().elidedText(text, Qt::ElideRight, m_note->width()));
    m_note->setToolTip(text);
}

void RecipesPage::retranslate()
{
    m_label->setText(tr("Beside this recipe"));
    m_choice->setAccessibleName(tr("Beside this recipe"));
    fillChoices();
    m_keep->setText(tr("Keep this one"));
    m_keep->setToolTip(tr("Holds the recipe as it is now, to stand beside later ones"));
    m_showSummary->setText(tr("In all"));
    m_showDifferences->setText(tr("Differences"));
    m_run->setToolTip(
        tr("Outputs, accuracy, size and time of both, on the data of the comparison"));
    m_stale->setText(tr("stale"));
    m_start.title->setText(tr("Two recipes on this model"));
    m_start.text->setText(tr(
        "Choose what stands beside the present recipe: the other quantizer, the recipe before the "
        "last edit, one that you keep, or a file. The tables then show what each of them "
        "quantizes and where they differ; “Run both” adds outputs, accuracy, size and time."));
    m_summary->setAccessibleName(tr("What both recipes come to"));
    m_differences->setAccessibleName(tr("Where the recipes differ"));
    m_summary->retranslate();
    m_differences->retranslate();
    refresh();
}

void RecipesPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_differences)
        retranslate();
    QWidget::changeEvent(event);
}

void RecipesPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
    refreshHead(); // the note is cut to its room
}

} // namespace pt2e::ui

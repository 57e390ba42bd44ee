#include "ui/panels/ComparisonPanel.h"

#include "core/view/CompareTables.h"
#include "ui/models/CoreText.h"
#include "ui/models/SentenceText.h"
#include "ui/panels/AccuracyPage.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace pt2e::ui {

namespace {

const QString kAccuracy = QStringLiteral("accuracy");
const QString kOutputs = QStringLiteral("comparison");
const QString kOperators = QStringLiteral("operators");
const QString kQuantizations = QStringLiteral("quantizations");
const QString kLeftOut = QStringLiteral("left-out");

Table leftOutTable(const CompareReport& report)
{
    Table table{"left-out", "Left out", {"place", "reason"}, {}, {}};
    const auto cell = [](const std::string& text) { return Cell{text, std::nullopt, false}; };
    for (const Diagnostic& problem : report.problems)
        table.rows.push_back({{cell(problem.place), cell(problem.message)}, {}});
    return table;
}

} // namespace

ComparisonPanel::ComparisonPanel(Session& session, Comparison& comparison, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_comparison(comparison),
      m_stale(new QLabel(this)),
      m_data(new QLabel(this)),
      m_all(new QPushButton(this)),
      m_choose(new QPushButton(this)),
      m_stack(new QStackedWidget(this))
{
    build();
    connect(&comparison, &Comparison::changed, this, &ComparisonPanel::refresh);
    connect(&session, &Session::modelChanged, this, &ComparisonPanel::refreshStart);
    connect(&session, &Session::snapshotChanged, this, &ComparisonPanel::refreshHead);
    connect(&session.jobs(), &JobRunner::started, this, &ComparisonPanel::refreshHead);
    connect(&session.jobs(), &JobRunner::finished, this, &ComparisonPanel::refreshHead);
    connect(m_all, &QPushButton::clicked, &comparison, &Comparison::runOnAll);
    connect(m_startRun, &QPushButton::clicked, &comparison, &Comparison::run);
    connect(m_choose, &QPushButton::clicked, this, &ComparisonPanel::dataWanted);
    connect(m_startChoose, &QPushButton::clicked, this, &ComparisonPanel::dataWanted);
    connect(m_question, &QComboBox::currentIndexChanged, this, &ComparisonPanel::fillOperators);
    retranslate();
    fill();
}

void ComparisonPanel::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(buildHead());
    layout->addWidget(m_stack, 1);
    m_start = buildStart();
    m_stack->addWidget(m_start);

    // Three parts side by side: in a narrow window they are scrolled.
    auto* area = new QScrollArea(m_stack);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    m_accuracy = new AccuracyPage(m_session, m_comparison);
    area->setWidget(m_accuracy);
    addView(kAccuracy, area, nullptr);
    auto* outputs = new NodeTable(m_session, kOutputs, m_stack);
    addView(kOutputs, outputs, outputs);

    auto* page = new QWidget(m_stack);
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(2);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(14, 6, 14, 2);
    bar->setSpacing(8);
    m_questionLabel = new QLabel(page);
    m_questionLabel->setProperty("muted", true);
    m_question = new QComboBox(page);
    m_question->setObjectName(QStringLiteral("question"));
    m_question->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_questionNote = new QLabel(page);
    m_questionNote->setProperty("muted", true);
    m_questionNote->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    bar->addWidget(m_questionLabel);
    bar->addWidget(m_question);
    bar->addWidget(m_questionNote, 1);
    auto* operators = new NodeTable(m_session, kOperators, page);
    pageLayout->addLayout(bar);
    pageLayout->addWidget(operators, 1);
    addView(kOperators, page, operators);

    for (const QString& id : {kQuantizations, kLeftOut}) {
        auto* table = new NodeTable(m_session, id, m_stack);
        addView(id, table, table);
    }
}

QHBoxLayout* ComparisonPanel::buildHead()
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 2, 10, 2);
    head->setSpacing(8);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(0);
    m_stale->setProperty("warn", true);
    m_stale->setObjectName(QStringLiteral("comparisonStale"));
    m_data->setProperty("muted", true);
    m_data->setObjectName(QStringLiteral("comparisonData"));
    m_data->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_data->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_all->setObjectName(QStringLiteral("compareAll"));
    m_choose->setObjectName(QStringLiteral("compareData"));
    head->addLayout(m_buttons);
    head->addWidget(m_stale);
    head->addWidget(m_data, 1);
    head->addWidget(m_all);
    head->addWidget(m_choose);
    return head;
}

QWidget* ComparisonPanel::buildStart()
{
    auto* page = new QWidget(m_stack);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(14, 4, 14, 10);
    layout->setSpacing(8);
    m_startText = new QLabel(page);
    m_startText->setProperty("title", true);
    m_startData = new QLabel(page);
    m_startData->setProperty("muted", true);
    m_startData->setWordWrap(true);
    m_startRun = new QPushButton(page);
    m_startRun->setProperty("outline", true);
    m_startRun->setObjectName(QStringLiteral("startCompare"));
    m_startChoose = new QPushButton(page);
    m_startChoose->setObjectName(QStringLiteral("startCompareData"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_startRun);
    row->addWidget(m_startChoose);
    row->addStretch(1);
    layout->addWidget(m_startText);
    layout->addWidget(m_startData);
    layout->addLayout(row);
    layout->addStretch(1);
    return page;
}

void ComparisonPanel::addView(const QString& id, QWidget* page, NodeTable* table)
{
    auto* button = new QToolButton(this);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setProperty("segment", true);
    button->setObjectName(QStringLiteral("comparisonView.") + id);
    m_buttons->addWidget(button);
    m_stack->addWidget(page);
    m_views[id] = {page, table, button};
    connect(button, &QToolButton::clicked, this, [this, id] { show(id); });
}

NodeTable* ComparisonPanel::table(const QString& id) const
{
    const auto view = m_views.find(id);
    return view == m_views.end() ? nullptr : view->second.table;
}

std::optional<ErrorQuestion> ComparisonPanel::question() const
{
    const int index = m_question->currentIndex();
    return index <= 0 ? std::nullopt
                      : std::optional(kErrorQuestions[static_cast<std::size_t>(index - 1)]);
}

QString ComparisonPanel::title() const
{
    return m_filled && m_comparison.isStale() ? tr("Comparison (stale)") : tr("Comparison");
}

std::vector<Table> ComparisonPanel::shownTables() const
{
    const QString id = shown();
    if (id.isEmpty())
        return {};
    const View& view = m_views.at(id);
    return view.table ? std::vector{view.table->table()} : m_accuracy->tables();
}

void ComparisonPanel::setWords(const QString& words)
{
    for (const auto& [id, view] : m_views) {
        if (view.table)
            view.table->setWords(words);
    }
}

void ComparisonPanel::selectRows()
{
    const QString id = shown();
    if (!id.isEmpty() && m_views.at(id).table)
        m_views.at(id).table->selectRows();
}

bool ComparisonPanel::showTable(const QString& id)
{
    if (!m_views.contains(id))
        return false;
    if (m_filled && !m_views.at(id).button->isHidden())
        show(id);
    return true;
}

void ComparisonPanel::show(const QString& id)
{
    const View& view = m_views.at(id);
    view.button->setChecked(true);
    m_stack->setCurrentWidget(view.page);
    if (view.table)
        view.table->selectRows();
}

QString ComparisonPanel::shown() const
{
    for (const auto& [id, view] : m_views) {
        if (view.page == m_stack->currentWidget())
            return id;
    }
    return {};
}

void ComparisonPanel::refresh()
{
    const auto& report = m_comparison.report();
    const auto wanted = m_session.isCovered(StageKind::Converted) ? nullptr : report;
    if (wanted != m_filled) {
        m_filled = wanted;
        fill();
    }
    refreshHead();
    Q_EMIT titleChanged();
}

void ComparisonPanel::fill()
{
    if (!m_filled) {
        m_stack->setCurrentWidget(m_start);
        for (const auto& [id, view] : m_views)
            view.button->hide();
        return;
    }
    const CompareReport& report = *m_filled;
    m_accuracy->refresh();
    table(kOutputs)->setTable(compareOutputTable(report));
    table(kQuantizations)->setTable(compareQuantizationTable(report));
    table(kLeftOut)->setTable(leftOutTable(report));
    fillOperators();
    m_views.at(kAccuracy).button->setVisible(report.classified.has_value());
    m_views.at(kOutputs).button->show();
    m_views.at(kOperators).button->setVisible(!report.nodes.nodes.empty());
    m_views.at(kQuantizations).button->setVisible(!report.nodes.pairs.empty());
    m_views.at(kLeftOut).button->setVisible(!report.problems.empty());
    refreshLeftOut();
    const QString before = shown();
    const bool canStay = !before.isEmpty() && !m_views.at(before).button->isHidden();
    show(canStay ? before : report.classified ? kAccuracy : kOutputs);
}

void ComparisonPanel::refreshLeftOut()
{
    const std::size_t count = m_filled ? m_filled->problems.size() : 0;
    m_views.at(kLeftOut).button->setText(
        tr("Left out %1").arg(groupedNumber(static_cast<std::int64_t>(count))));
}

void ComparisonPanel::fillOperators()
{
    if (!m_filled)
        return;
    const auto chosen = question();
    table(kOperators)
        ->setTable(chosen ? compareQuestionTable(*m_filled, *chosen)
                          : compareOperatorTable(*m_filled));
    const QString notes[] = {
        tr("SQNR of each operator's value, worst alone first"),
        tr("only this operator is quantized, and fed with the float model's values"),
        tr("all weights are quantized, no activation is"),
        tr("all activations are quantized, no weight is"),
        tr("simulated against float: what has come together up to here"),
        tr("XNNPACK against simulated: what the int8 kernels add"),
        tr("XNNPACK against float: all of it"),
    };
    m_questionNote->setText(notes[std::max(0, m_question->currentIndex())]);
    m_questionNote->setToolTip(m_questionNote->text());
}

void ComparisonPanel::refreshHead()
{
    const bool hasReport = m_filled != nullptr;
    for (QWidget* widget : {static_cast<QWidget*>(m_data), static_cast<QWidget*>(m_choose)})
        widget->setVisible(hasReport);
    m_stale->setVisible(hasReport && m_comparison.isStale());
    const std::int64_t all = m_comparison.samplesInAll();
    m_all->setVisible(hasReport && all > 0);
    m_all->setEnabled(m_comparison.canRun() && !m_comparison.isRunning());
    m_all->setText(tr("All %1 samples").arg(groupedNumber(all)));
    m_choose->setEnabled(m_comparison.canRun());
    m_startRun->setEnabled(m_comparison.canRun());
    m_startChoose->setEnabled(m_comparison.canRun());
    if (hasReport) {
        const QString data = sentenceText(m_filled->data);
        m_data->setText(data);
        m_data->setToolTip(
            tr("%1\nsha256 %2").arg(data, QString::fromStdString(m_filled->dataHash)));
    }
}

void ComparisonPanel::refreshStart()
{
    const ModelPtr& model = m_session.model();
    QString text = tr("Float model, simulated int8 and XNNPACK run on the same data, which "
                      "calibration has not seen where there is such.");
    if (model && model->data)
        text += QLatin1Char(' ')
                + (model->data->isInstalled()
                       ? tr("This model's labelled test images are there: accuracy is shown, too.")
                       : QString::fromStdString(model->data->missing()));
    else
        text += QLatin1Char(' ') + tr("With labelled data of your own accuracy is shown, too.");
    m_startData->setText(text);
    refreshHead();
}

void ComparisonPanel::retranslate()
{
    m_stale->setText(tr("stale: the recipe has changed since"));
    m_choose->setText(tr("Other data…"));
    m_startText->setText(tr("Nothing has been compared yet"));
    m_startRun->setText(tr("Compare  F6"));
    m_startChoose->setText(tr("Other data…"));
    m_views.at(kAccuracy).button->setText(tr("Accuracy"));
    m_views.at(kOutputs).button->setText(tr("Outputs"));
    m_views.at(kOperators).button->setText(tr("Operators"));
    m_views.at(kQuantizations).button->setText(tr("Quantizations"));
    m_questionLabel->setText(tr("Question"));
    m_question->setAccessibleName(tr("Question"));
    const int current = std::max(0, m_question->currentIndex());
    const QSignalBlocker blocker(m_question);
    m_question->clear();
    m_question->addItem(tr("all side by side"));
    for (const ErrorQuestion question : kErrorQuestions)
        m_question->addItem(coreText(questionName(question)));
    m_question->setCurrentIndex(current);
    for (const auto& [id, view] : m_views) {
        if (view.table)
            view.table->retranslate();
    }
    fillOperators();
    refreshLeftOut();
    refreshStart();
}

void ComparisonPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_question) {
        retranslate();
        Q_EMIT titleChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

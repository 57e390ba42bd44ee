#include "ui/panels/SensitivityPanel.h"

#include "core/view/SensitivityTables.h"
#include "ui/models/CoreText.h"
#include "ui/models/SentenceText.h"
#include "ui/panels/MixedPrecisionPart.h"
#include "ui/panels/TablesPanel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {

constexpr int kLeastBox = 110; ///< in a narrow window the words of a box are cut off

/// How much worse than nothing lost, or in one-off mode how much better than everything quantized; never below 0.
class Losses
{
public:
    Losses(const SensitivityReport& report, SensitivityMetric metric)
        : m_report(report),
          m_metric(metric)
    {
        const bool isOff = report.mode == SensitivityMode::OneOff;
        double best = 0;
        for (const GroupResult& result : report.results) {
            const double value = valueOf(result.score, metric).value_or(NAN);
            if (std::isfinite(value))
                best = std::max(best, value);
        }
        if (isOff)
            m_start = report.quantized ? valueOf(*report.quantized, metric).value_or(0) : 0;
        else if (metric == SensitivityMetric::Sqnr)
            m_start = std::ceil(best / 10) * 10;
        else if (metric == SensitivityMetric::Accuracy)
            m_start = report.floats.accuracy.value_or(1);
        else
            m_start = metric == SensitivityMetric::Mse ? 0 : 1;
        for (const GroupResult& result : report.results) {
            const double loss = of(result.score);
            m_most = std::isfinite(loss) ? std::max(m_most, loss) : m_most;
        }
    }
    double start() const { return m_start; }
    double of(const SensitivityScore& score) const
    {
        const std::optional<double> value = valueOf(score, m_metric);
        if (!value || std::isnan(*value))
            return 0;
        const bool isOff = m_report.mode == SensitivityMode::OneOff;
        const bool growsDown = (m_metric == SensitivityMetric::Mse) != isOff;
        return std::max(0.0, growsDown ? *value - m_start : m_start - *value);
    }
    double lengthOf(const SensitivityScore& score) const
    {
        return m_most > 0 ? std::min(1.0, of(score) / m_most) : 0;
    }

private:
    const SensitivityReport& m_report;
    SensitivityMetric m_metric;
    double m_start = 0;
    double m_most = 0;
};

QString startText(const SensitivityReport& report, SensitivityMetric metric, double start)
{
    if (report.mode == SensitivityMode::OneOff && report.quantized)
        return metricText(*report.quantized, metric);
    if (metric == SensitivityMetric::Sqnr)
        return QStringLiteral("%1 dB").arg(start);
    SensitivityScore score;
    score.output.cosine = start;
    score.output.mse = start;
    score.agreement = start;
    score.accuracy = start;
    return metricText(score, metric);
}

QString seconds(double left)
{
    return left < 1 ? SensitivityPanel::tr("less than a second left")
                    : SensitivityPanel::tr("about %n s left", nullptr,
                                           static_cast<int>(std::ceil(left)));
}

} // namespace

QString metricText(const SensitivityScore& score, SensitivityMetric metric)
{
    const Cell cell = metricCell(score, metric);
    const QString text = cell.pattern ? coreText(cell.text) : QString::fromStdString(cell.text);
    return metric == SensitivityMetric::Sqnr && std::isfinite(score.output.sqnrDb)
               ? text + QStringLiteral(" dB")
               : text;
}

QString metricTitle(SensitivityMetric metric)
{
    switch (metric) {
    case SensitivityMetric::Sqnr: return SensitivityPanel::tr("SQNR of the outputs");
    case SensitivityMetric::Cosine: return SensitivityPanel::tr("cosine of the outputs");
    case SensitivityMetric::Mse: return SensitivityPanel::tr("mean squared error");
    case SensitivityMetric::Agreement: return SensitivityPanel::tr("same class as float");
    case SensitivityMetric::Accuracy: break;
    }
    return SensitivityPanel::tr("accuracy");
}

SensitivityPanel* SensitivityPanel::addTo(TablesPanel& tables, Session& session,
                                          Comparison& comparison)
{
    auto* run = new SensitivityRun(session, comparison, &tables);
    auto* panel = new SensitivityPanel(session, *run, &tables);
    tables.addPage(QStringLiteral("sensitivity"), panel, panel);
    connect(panel, &SensitivityPanel::titleChanged, &tables, &TablesPanel::refreshTitles);
    return panel;
}

SensitivityPanel::SensitivityPanel(Session& session, SensitivityRun& run, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_run(run),
      m_mode(new QComboBox(this)),
      m_metric(new QComboBox(this)),
      m_start(new QPushButton(this)),
      m_progress(new QLabel(this)),
      m_stale(new QLabel(this)),
      m_scores(new QToolButton(this)),
      m_stack(new QStackedWidget(this)),
      m_bars(new CostBars)
{
    build();
    connect(&run, &SensitivityRun::changed, this, &SensitivityPanel::refresh);
    connect(&session.jobs(), &JobRunner::started, this, &SensitivityPanel::refreshHead);
    connect(m_start, &QPushButton::clicked, this,
            [this] { m_run.isRunning() ? m_run.cancel() : m_run.run(); });
    connect(m_mode, &QComboBox::activated, this, [this](int index) {
        m_run.setMode(kSensitivityModes[static_cast<std::size_t>(index)]);
    });
    connect(m_metric, &QComboBox::activated, this, [this](int index) {
        m_run.setMetric(kSensitivityMetrics[static_cast<std::size_t>(index)]);
    });
    connect(m_bars, &CostBars::rowChosen, this, &SensitivityPanel::choose);
    retranslate();
}

void SensitivityPanel::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(buildHead());
    layout->addWidget(m_stack, 1);
    m_startPage = addEmptyPage(m_stack);
    m_results = new QWidget(m_stack);
    auto* row = new QHBoxLayout(m_results);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    auto* area = new QScrollArea(m_results);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    m_bars->setObjectName(QStringLiteral("sensitivityBars"));
    area->setWidget(m_bars);
    m_mixed = new MixedPrecisionPart(m_session, m_run, m_results);
    row->addWidget(area, 3);
    row->addWidget(m_mixed, 2);
    m_stack->addWidget(m_results);
}

QHBoxLayout* SensitivityPanel::buildHead()
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 2, 10, 2);
    head->setSpacing(8);
    m_mode->setObjectName(QStringLiteral("sensitivityMode"));
    m_mode->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_metric->setObjectName(QStringLiteral("sensitivityMetric"));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (QComboBox* box : {m_mode, m_metric})
        box->setMinimumWidth(kLeastBox);
    m_start->setObjectName(QStringLiteral("sensitivityRun"));
    m_start->setProperty("outline", true);
    m_progress->setObjectName(QStringLiteral("sensitivityProgress"));
    m_progress->setProperty("muted", true);
    m_progress->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_stale->setObjectName(QStringLiteral("sensitivityStale"));
    m_stale->setProperty("warn", true);
    m_scores->setObjectName(QStringLiteral("sensitivityScores"));
    m_scores->setPopupMode(QToolButton::InstantPopup);
    m_scores->setProperty("flat", true);
    m_scores->setProperty("hasMenu", true);
    m_scores->setMenu(new QMenu(m_scores));
    head->addWidget(m_start);
    head->addWidget(m_mode);
    head->addWidget(m_metric);
    head->addWidget(m_stale);
    head->addWidget(m_progress, 1);
    head->addWidget(m_scores);
    return head;
}

std::shared_ptr<const SensitivityReport> SensitivityPanel::report() const
{
    return m_session.isCovered(StageKind::Converted) ? nullptr : m_run.report();
}

QString SensitivityPanel::title() const
{
    return report() && m_run.isStale() ? tr("Sensitivity (stale)") : tr("Sensitivity");
}

std::vector<Table> SensitivityPanel::shownTables() const
{
    std::vector<Table> tables;
    if (const auto shown = report()) {
        tables.push_back(sensitivitySetupTable(*m_run.groups(), *shown, m_run.metric()));
        tables.push_back(sensitivityTable(*m_run.groups(), *shown, m_run.metric()));
    }
    if (const auto found = m_mixed->tables(); !found.empty())
        tables.insert(tables.end(), found.begin(), found.end());
    return tables;
}

void SensitivityPanel::setWords(const QString& words)
{
    m_words = words;
    fillBars();
}

/// The bar of the selected node.
void SensitivityPanel::selectRows()
{
    const NodeId current = m_session.selection().isEmpty() ? NodeId{}
                           : m_session.selection().nodesIn(StageKind::Prepared).empty()
                               ? NodeId{}
                               : m_session.selection().nodesIn(StageKind::Prepared).back();
    QString name;
    for (std::size_t row = 0; current && row < m_groups.size(); ++row) {
        const SensitivityGroup& group = m_run.groups()->groups()[m_groups[row]];
        if (std::find(group.nodes.begin(), group.nodes.end(), current) != group.nodes.end()
            && (name.isEmpty() || QString::fromStdString(group.name) == m_bars->chosen()))
            name = QString::fromStdString(group.name);
    }
    m_bars->setChosen(name);
}

void SensitivityPanel::choose(int row)
{
    const SensitivityGroup& group =
        m_run.groups()->groups()[m_groups[static_cast<std::size_t>(row)]];
    m_bars->setChosen(QString::fromStdString(group.name));
    m_run.select(group.nodes);
}

void SensitivityPanel::refresh()
{
    const bool hasResults = report() != nullptr;
    const bool hasSearch = m_run.search() && !m_session.isCovered(StageKind::Converted);
    m_stack->setCurrentWidget(hasResults || hasSearch || m_run.isRunning() ? m_results
                                                                           : m_startPage.widget);
    fillBars();
    refreshHead();
    m_mixed->refresh();
    Q_EMIT titleChanged();
}

void SensitivityPanel::fillBars()
{
    std::vector<CostBars::Row> rows;
    CostBars::Scale scale;
    m_groups.clear();
    if (const auto shown = report()) {
        const Losses losses(*shown, m_run.metric());
        const QStringList words = m_words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const std::size_t place : worstFirst(*shown, m_run.metric())) {
            const GroupResult& result = shown->results[place];
            const QString name =
                QString::fromStdString(m_run.groups()->groups()[result.group].name);
            const bool isWanted = std::all_of(words.begin(), words.end(), [&](const QString& word) {
                return name.contains(word, Qt::CaseInsensitive);
            });
            if (rows.empty() || scale.end.isEmpty())
                scale.end = metricText(result.score, m_run.metric());
            if (!isWanted)
                continue;
            rows.push_back({name, losses.lengthOf(result.score),
                            metricText(result.score, m_run.metric()), detailsOf(result)});
            m_groups.push_back(result.group);
        }
        scale.start = startText(*shown, m_run.metric(), losses.start());
        scale.title = metricTitle(m_run.metric());
    }
    m_bars->setRows(std::move(rows), std::move(scale));
    selectRows();
}

QString SensitivityPanel::detailsOf(const GroupResult& result) const
{
    const SensitivityGroup& group = m_run.groups()->groups()[result.group];
    QStringList lines{QString::fromStdString(group.name)};
    for (const SensitivityMetric metric : kSensitivityMetrics) {
        if (valueOf(result.score, metric))
            lines << QStringLiteral("%1: %2").arg(metricTitle(metric),
                                                  metricText(result.score, metric));
    }
    QStringList points;
    for (const NamedPoint& point : group.points)
        points << QString::fromStdString(point.text());
    lines << tr("points: %1").arg(points.join(QStringLiteral(", ")));
    return lines.join(QLatin1Char('\n'));
}

QString SensitivityPanel::progressText() const
{
    const auto shown = report();
    if (m_run.isSearching() || !shown)
        return m_run.isRunning() && !m_run.isSearching() ? tr("The float model runs first…")
                                                         : QString();
    QString text = tr("%1 of %2 groups").arg(shown->results.size()).arg(shown->wanted);
    if (const double left = m_run.secondsLeft(); m_run.isRunning() && left >= 0)
        text += QStringLiteral(" · ") + seconds(left);
    if (shown->quantized)
        text += QStringLiteral(" · ")
                + tr("everything quantized %1").arg(metricText(*shown->quantized, m_run.metric()));
    return text + QStringLiteral(" · ") + sentenceText(m_run.groups()->data().description);
}

void SensitivityPanel::refreshHead()
{
    const bool isRunning = m_run.isRunning();
    const bool isPart = m_run.report() && !m_run.isComplete();
    m_start->setText(isRunning ? tr("Cancel") : isPart ? tr("Resume  F7") : tr("Run  F7"));
    m_start->setEnabled(isRunning || m_run.canRun());
    m_mode->setEnabled(!isRunning);
    m_stale->setVisible(report() && m_run.isStale() && !isRunning);
    const QString progress = progressText();
    m_progress->setText(
        m_progress->fontMetrics().elidedText(progress, Qt::ElideRight, m_progress->width()));
    m_progress->setToolTip(progress);
    const QSignalBlocker blockers[] = {QSignalBlocker(m_mode), QSignalBlocker(m_metric)};
    m_mode->setCurrentIndex(static_cast<int>(m_run.mode()));
    m_metric->setCurrentIndex(static_cast<int>(m_run.metric()));
}

} // namespace pt2e::ui

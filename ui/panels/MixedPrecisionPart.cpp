#include "ui/panels/MixedPrecisionPart.h"

#include "core/view/SensitivityTables.h"
#include "ui/charts/TradeChart.h"
#include "ui/panels/SensitivityPanel.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {

bool isShare(SensitivityMetric metric)
{
    return metric == SensitivityMetric::Agreement || metric == SensitivityMetric::Accuracy;
}

double defaultTarget(SensitivityMetric metric)
{
    switch (metric) {
    case SensitivityMetric::Sqnr: return 40;
    case SensitivityMetric::Cosine: return 0.9999;
    case SensitivityMetric::Mse: return 0.001;
    case SensitivityMetric::Agreement: return 99;
    case SensitivityMetric::Accuracy: break;
    }
    return 90;
}

QString shareText(double share) { return QStringLiteral("%1\u00a0%").arg(100 * share, 0, 'f', 1); }

} // namespace

MixedPrecisionPart::MixedPrecisionPart(Session& session, SensitivityRun& run, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_run(run),
      m_title(new QLabel(this)),
      m_target(new QDoubleSpinBox(this)),
      m_find(new QPushButton(this)),
      m_chart(new TradeChart(this)),
      m_result(new QLabel(this)),
      m_apply(new QPushButton(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 14, 6);
    layout->setSpacing(6);
    m_title->setProperty("title", true);
    m_target->setObjectName(QStringLiteral("mixedTarget"));
    m_find->setObjectName(QStringLiteral("mixedFind"));
    m_chart->setObjectName(QStringLiteral("mixedChart"));
    m_result->setObjectName(QStringLiteral("mixedResult"));
    m_result->setWordWrap(true);
    m_result->setProperty("muted", true);
    m_apply->setObjectName(QStringLiteral("mixedApply"));
    m_apply->setProperty("outline", true);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_title, 1);
    row->addWidget(m_target);
    row->addWidget(m_find);
    auto* last = new QHBoxLayout;
    last->setSpacing(8);
    last->addWidget(m_result, 1);
    last->addWidget(m_apply);
    layout->addLayout(row);
    layout->addWidget(m_chart, 1);
    layout->addLayout(last);
    connect(m_find, &QPushButton::clicked, this,
            [this] { m_run.find(m_target->value() / factor()); });
    connect(m_apply, &QPushButton::clicked, &run, &SensitivityRun::apply);
    connect(m_chart, &TradeChart::dotChosen, this, &MixedPrecisionPart::choose);
    showMetric();
}

double MixedPrecisionPart::factor() const { return isShare(m_metric) ? 100 : 1; }

std::shared_ptr<const MixedPrecisionReport> MixedPrecisionPart::search() const
{
    return m_session.isCovered(StageKind::Converted) ? nullptr : m_run.search();
}

void MixedPrecisionPart::showMetric()
{
    m_metric = m_run.metric();
    const bool isSmall =
        m_metric == SensitivityMetric::Mse || m_metric == SensitivityMetric::Cosine;
    m_target->setDecimals(isSmall ? 6 : 2);
    m_target->setRange(m_metric == SensitivityMetric::Sqnr ? -50 : 0,
                       m_metric == SensitivityMetric::Sqnr     ? 200
                       : m_metric == SensitivityMetric::Cosine ? 1
                       : m_metric == SensitivityMetric::Mse    ? 1e9
                                                               : 100);
    m_target->setSingleStep(isSmall ? 0.0001 : 1);
    m_target->setSuffix(m_metric == SensitivityMetric::Sqnr ? QStringLiteral(" dB")
                        : isShare(m_metric)                 ? QStringLiteral(" %")
                                                            : QString());
    m_target->setPrefix(m_metric == SensitivityMetric::Mse ? QStringLiteral("≤ ")
                                                           : QStringLiteral("≥ "));
    m_target->setValue(defaultTarget(m_metric));
}

std::vector<Table> MixedPrecisionPart::tables() const
{
    const auto found = search();
    return found ? std::vector{mixedPrecisionTable(*m_run.searchGroups(), *found)}
                 : std::vector<Table>{};
}

void MixedPrecisionPart::refresh()
{
    if (m_metric != m_run.metric())
        showMetric();
    m_find->setEnabled(m_run.canRun() && !m_run.isRunning());
    m_apply->setVisible(search() != nullptr);
    m_apply->setEnabled(m_run.canApply());
    fillChart();
    m_result->setText(resultText());
}

void MixedPrecisionPart::fillChart()
{
    TradeChart::Data data;
    if (const auto found = search()) {
        const SensitivityMetric metric = found->goal.metric;
        const double unit = isShare(metric) ? 100 : 1;
        double high = found->goal.target;
        for (const ParetoPoint& point : found->path) {
            const double value = valueOf(point.score, metric).value_or(0);
            high = std::isfinite(value) ? std::max(high, value) : high;
        }
        for (const ParetoPoint& point : found->path) {
            const double value = valueOf(point.score, metric).value_or(0);
            const QString details =
                tr("%n groups in float: %1, %2 of the MACs and %3 of the weights in float", nullptr,
                   static_cast<int>(point.floatGroups.size()))
                    .arg(metricText(point.score, metric), shareText(point.floatMacs),
                         shareText(point.floatWeightBytes));
            data.dots.push_back(
                {point.floatMacs, unit * (std::isfinite(value) ? value : high + 10), details});
        }
        data.target = unit * found->goal.target;
        data.result = static_cast<int>(data.dots.size()) - 1;
        data.costTitle = tr("MACs in float");
        data.valueTitle = metricTitle(metric);
        data.targetText = tr("target");
    }
    m_chart->setData(std::move(data));
}

QString MixedPrecisionPart::resultText() const
{
    const auto found = search();
    if (m_run.isSearching())
        return found ? tr("searching: %n groups in float so far", nullptr,
                          static_cast<int>(found->result.floatGroups.size()))
                     : tr("searching…");
    if (!found)
        return tr("As few groups as can be that have to stay float.");
    const QString value = metricText(found->result.score, found->goal.metric);
    if (!found->isMet)
        return tr("The target is not met: %1 with %n groups in float.", nullptr,
                  static_cast<int>(found->result.floatGroups.size()))
            .arg(value);
    if (found->result.floatGroups.empty())
        return tr("The target is met with everything quantized: %1.").arg(value);
    return tr("%n groups in float: %1, %2 of the MACs and %3 of the weights in float", nullptr,
              static_cast<int>(found->result.floatGroups.size()))
        .arg(value, shareText(found->result.floatMacs), shareText(found->result.floatWeightBytes));
}

void MixedPrecisionPart::choose(int dot)
{
    const auto found = search();
    if (!found)
        return;
    std::vector<NodeId> nodes;
    for (const std::size_t group : found->path[static_cast<std::size_t>(dot)].floatGroups) {
        const auto& own = m_run.searchGroups()->groups()[group].nodes;
        nodes.insert(nodes.end(), own.begin(), own.end());
    }
    m_run.select(nodes);
}

void MixedPrecisionPart::retranslate()
{
    m_title->setText(tr("Mixed precision"));
    m_target->setAccessibleName(tr("Target"));
    m_find->setText(tr("Find"));
    m_find->setToolTip(tr("Sets to float, one by one, the group that costs the most, until the "
                          "target is met; then tries each of them quantized again"));
    m_apply->setText(tr("Apply as an edit"));
}

} // namespace pt2e::ui

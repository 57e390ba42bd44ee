#include "ui/panels/ValuesPart.h"

#include "ui/charts/Histogram.h"
#include "ui/charts/ValueChart.h"
#include "ui/models/CoreText.h"
#include "ui/session/Appearance.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace pt2e::ui {

namespace {

struct RunLook
{
    RunKind run;
    ColorRole color;
    Qt::PenStyle style;
    bool isFilled;
};
/// Told apart by the way the line is drawn as well as by colour.
constexpr RunLook kLooks[] = {
    {RunKind::Float, ColorRole::MutedText, Qt::SolidLine, true},
    {RunKind::Simulated, ColorRole::QuantStroke, Qt::SolidLine, false},
    {RunKind::Xnnpack, ColorRole::Hatch, Qt::DashLine, false},
};

} // namespace

ValuesPart::ValuesPart(NodeValues& values, QWidget* parent) : QWidget(parent), m_values(values)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_section = addSection(this, layout);
    m_measure = new QPushButton(m_section.widget);
    m_measure->setObjectName(QStringLiteral("measureValues"));
    m_chart = new ValueChart(m_section.widget);
    m_numbers = new QGridLayout;
    m_numbers->setHorizontalSpacing(12);
    m_numbers->setVerticalSpacing(4);
    for (int column = 1; column <= static_cast<int>(kRunKinds); ++column)
        m_numbers->setColumnStretch(column, 1);
    m_loss = wrappedLabel(m_section.widget);
    m_loss->setObjectName(QStringLiteral("valueLoss"));
    m_section.body->addWidget(m_measure, 0, Qt::AlignLeft);
    m_section.body->addWidget(m_chart);
    m_section.body->addLayout(m_numbers);
    m_section.body->addWidget(m_loss);
    connect(m_measure, &QPushButton::clicked, &m_values, &NodeValues::measure);
    connect(&m_values, &NodeValues::changed, this, &ValuesPart::refresh);
    refresh();
}

void ValuesPart::refresh()
{
    setVisible(m_values.isMeasurable());
    m_section.title->setText(tr("Values in the three runs"));
    m_measure->setText(tr("Measure"));
    const auto& report = m_values.report();
    m_measure->setVisible(!report && !m_values.isMeasuring() && m_values.problem().isEmpty());
    m_chart->setVisible(report != nullptr);
    clearGrid(m_numbers);
    if (report) {
        showReport(*report);
        return;
    }
    m_section.note->setText(m_values.isMeasuring() ? tr("measuring …") : QString());
    m_loss->setText(m_values.problem());
    m_loss->setVisible(!m_values.problem().isEmpty());
}

void ValuesPart::showReport(const ValueReport& report)
{
    m_section.note->setText(tr("%n batches", nullptr, static_cast<int>(report.batches)));
    ValueChart::Data data;
    data.low = report.low;
    data.high = report.high;
    for (const RunLook& look : kLooks) {
        if (const auto& run = report.runs[static_cast<std::size_t>(look.run)])
            data.series.push_back({run->counts, look.color, look.style, look.isFilled});
    }
    QString loss;
    if (report.quantized && report.quantized->grid.scales.size() == 1) {
        const QuantizationGrid& grid = report.quantized->grid;
        const auto real = [&](std::int64_t code) {
            return static_cast<double>(code - grid.zeroPoints[0]) * grid.scales[0];
        };
        data.clipLow = real(grid.quantMin);
        data.clipHigh = real(grid.quantMax);
    }
    if (report.quantized)
        loss = lossText(*report.quantized);
    m_loss->setText(loss);
    m_loss->setVisible(!loss.isEmpty());
    m_chart->setAccessibleName(tr("Values of %1 from %2 to %3")
                                   .arg(QString::fromStdString(report.name), numberText(report.low),
                                        numberText(report.high)));
    m_chart->setToolTip(tr("heights are square roots of the counts"));
    m_chart->setData(std::move(data));
    addNumbers(report);
}

QString ValuesPart::lossText(const ValueReport::Quantized& quantized) const
{
    const QuantizationLoss& loss = quantized.loss;
    QStringList lines;
    lines << tr("clipped %1 % of the values").arg(numberText(100 * loss.clipRate, 3));
    if (loss.codes > 0 && loss.usedCodes > 0)
        lines << tr("codes used: %1 of %2, %3 %")
                     .arg(loss.usedCodes)
                     .arg(loss.codes)
                     .arg(percent(loss.usedCodes, loss.codes));
    lines << tr("rounding MSE %1   clipping MSE %2")
                 .arg(numberText(loss.roundingMse, 3), numberText(loss.clippingMse, 3));
    return lines.join(QLatin1Char('\n'));
}

void ValuesPart::addNumbers(const ValueReport& report)
{
    const auto put = [this](int row, int column, const QString& text, bool isMuted) {
        auto* label = new QLabel(text, m_section.widget);
        label->setProperty(isMuted ? "muted" : "plain", true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
        m_numbers->addWidget(label, row, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        return label;
    };
    int column = 1;
    for (const RunLook& look : kLooks) {
        auto* head = new QWidget(m_section.widget);
        auto* layout = new QHBoxLayout(head);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(5);
        layout->addWidget(new SeriesKey(look.color, look.style, head));
        auto* name = new QLabel(coreText(runName(look.run)), head);
        name->setProperty("muted", true);
        layout->addWidget(name);
        m_numbers->addWidget(head, 0, column++, Qt::AlignRight);
    }
    const std::pair<QString, double ValueSpread::*> kRows[] = {{tr("smallest"), &ValueSpread::min},
                                                               {tr("largest"), &ValueSpread::max},
                                                               {tr("mean"), &ValueSpread::mean},
                                                               {tr("std"), &ValueSpread::std}};
    int row = 1;
    for (const auto& [title, figure] : kRows) {
        put(row, 0, title, true);
        for (std::size_t run = 0; run < kRunKinds; ++run) {
            const auto& spread = report.runs[run];
            QLabel* label =
                put(row, static_cast<int>(run) + 1,
                    spread ? numberText((*spread).*figure) : QStringLiteral("–"), !spread);
            if (!spread)
                label->setToolTip(tr("part of another operator in this run"));
        }
        ++row;
    }
}

void ValuesPart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_loss)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

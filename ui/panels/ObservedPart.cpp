#include "ui/panels/ObservedPart.h"

#include "core/pipeline/RangeEdits.h"
#include "ui/charts/ConvergenceChart.h"
#include "ui/charts/Histogram.h"
#include "ui/models/CoreText.h"
#include "ui/models/SentenceText.h"
#include "ui/session/SharedPipeline.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace pt2e::ui {

ObservedPart::ObservedPart(Session& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_section = addSection(this, layout);
    m_histogram = new Histogram(m_section.widget);
    m_histogram->setObjectName(QStringLiteral("observedHistogram"));
    m_numbers = wrappedLabel(m_section.widget);
    m_row = new QWidget(m_section.widget);
    auto* row = new QHBoxLayout(m_row);
    row->setContentsMargins(0, 4, 0, 0);
    m_label = new QLabel(m_row);
    m_label->setProperty("muted", true);
    m_method = new QComboBox(m_row);
    m_method->setObjectName(QStringLiteral("rangeMethod"));
    m_label->setBuddy(m_method);
    row->addWidget(m_label);
    row->addWidget(m_method, 1);
    m_section.body->addWidget(m_histogram);
    m_section.body->addWidget(m_numbers);
    m_section.body->addWidget(m_row);
    m_converge = new QPushButton(m_section.widget);
    m_converge->setObjectName(QStringLiteral("findConvergence"));
    m_converge->setProperty("link", true);
    m_convergence = new ConvergenceChart(m_section.widget);
    m_convergence->setObjectName(QStringLiteral("convergence"));
    m_enough = wrappedLabel(m_section.widget);
    m_enough->setObjectName(QStringLiteral("convergenceText"));
    m_section.body->addWidget(m_converge, 0, Qt::AlignLeft);
    m_section.body->addWidget(m_convergence);
    m_section.body->addWidget(m_enough);
    hideConvergence();
    connect(m_converge, &QPushButton::clicked, this, &ObservedPart::findConvergence);
    fillMethods();
    connect(m_method, &QComboBox::activated, this, &ObservedPart::choose);
    connect(m_histogram, &Histogram::clipsMoved, this, &ObservedPart::moveEnds);
}

QString ObservedPart::methodText(RangeMethod method)
{
    return coreText(std::string(rangeMethodName(method)));
}

void ObservedPart::fillMethods()
{
    m_label->setText(tr("Range"));
    m_converge->setText(tr("Range after each batch"));
    m_method->setAccessibleName(tr("How the range is chosen"));
    m_method->setToolTip(tr("From the histogram above; writes a fixed scale and zero point"));
    m_method->clear();
    m_method->addItem(QString()); // what it is now
    for (const RangeMethod method : rangeMethods())
        m_method->addItem(methodText(method), static_cast<int>(method));
    m_method->insertSeparator(m_method->count());
    m_method->addItem(tr("as the quantizer said"), -1);
}

void ObservedPart::setValues(const std::optional<ValueFact>& values)
{
    m_facts = values;
    setVisible(values.has_value());
    if (values)
        show(*values);
}

void ObservedPart::show(const ValueFact& values)
{
    m_section.title->setText(tr("Values at %1").arg(values.where));
    m_section.note->setText(tr("%n batches", nullptr, static_cast<int>(values.batches))
                            + QStringLiteral(" · ")
                            + tr("%1 values").arg(groupedNumber(values.state.valuesSeen)));
    Histogram::Data data;
    const auto& low = values.state.minVal;
    const auto& high = values.state.maxVal;
    if (!low.empty() && low.size() == high.size()) {
        data.low = static_cast<double>(*std::min_element(low.begin(), low.end()));
        data.high = static_cast<double>(*std::max_element(high.begin(), high.end()));
        if (low.size() > 1) {
            for (std::size_t i = 0; i < low.size(); ++i)
                data.ranges.emplace_back(low[i], high[i]);
        } else {
            data.counts = values.state.histogram;
        }
    }
    if (values.qparams && values.qparams->scale.size() == 1) {
        const auto real = [&](std::int64_t code) {
            return static_cast<double>(values.qparams->scale[0])
                   * static_cast<double>(code - values.qparams->zeroPoint[0]);
        };
        data.clipLow = real(values.config.quantMin);
        data.clipHigh = real(values.config.quantMax);
    }
    const bool isFixed = values.config.kind == ObserverKind::FixedQParams;
    const SnapshotPtr& snapshot = m_session.snapshot();
    const bool isWhole = snapshot && snapshot->calibrated
                         && snapshot->calibrated->batches == snapshot->calibrated->total;
    const bool isChoice =
        isWhole && !data.counts.empty() && data.clipLow && !isPerChannel(values.config.qscheme);
    m_row->setVisible(isChoice);
    m_method->setItemText(
        0, isFixed ? tr("fixed") : QString::fromUtf8(observerClassName(values.config.kind).data()));
    m_method->setCurrentIndex(0);
    const bool isSame =
        snapshot && m_calibrated == snapshot->calibrated && m_instance == values.instance;
    if (!isSame)
        hideConvergence();
    m_converge->setVisible(isWhole && !isSame && !isFixed && values.state.minVal.size() == 1
                           && values.batches > 1);
    m_histogram->setClipsMovable(isChoice);
    m_histogram->setToolTip(isChoice ? tr("Drag the ends of the range to fix it") : QString());
    m_histogram->setVisible(!data.counts.empty() || !data.ranges.empty());
    m_histogram->setData(std::move(data));
    const QStringList lines = describe(values);
    m_histogram->setAccessibleName(lines.join(QStringLiteral("; ")));
    m_numbers->setText(lines.join(QLatin1Char('\n')));
}

QStringList ObservedPart::describe(const ValueFact& values) const
{
    QStringList lines;
    if (!values.qparams || values.qparams->scale.empty()) {
        lines << tr("Not calibrated yet");
    } else if (const auto& scale = values.qparams->scale; scale.size() == 1) {
        QString line = tr("scale %1   zero point %2")
                           .arg(numberText(static_cast<double>(scale[0])),
                                numberText(static_cast<double>(values.qparams->zeroPoint[0])));
        if (const auto clipped = clippedShare(values))
            line += QStringLiteral("   ")
                    + tr("clipped %1 %")
                          .arg(numberText(100 * *clipped, 2))
                          .replace(QLatin1Char(' '), QChar(QChar::Nbsp));
        lines << line;
    } else {
        const auto [least, most] = std::minmax_element(scale.begin(), scale.end());
        lines << tr("%n scales, one per channel", nullptr, static_cast<int>(scale.size()))
              << tr("scale %1 to %2")
                     .arg(numberText(static_cast<double>(*least)),
                          numberText(static_cast<double>(*most)));
    }
    const auto& low = values.state.minVal;
    const auto& high = values.state.maxVal;
    if (!low.empty() && low.size() == high.size())
        lines << tr("smallest %1   largest %2")
                     .arg(
                         numberText(static_cast<double>(*std::min_element(low.begin(), low.end()))),
                         numberText(
                             static_cast<double>(*std::max_element(high.begin(), high.end()))));
    return lines;
}

void ObservedPart::choose(int index)
{
    const SnapshotPtr snapshot = m_session.snapshot();
    const QVariant chosen = m_method->itemData(index);
    if (!m_facts || !snapshot || !snapshot->calibrated || !chosen.isValid())
        return;
    if (chosen.toInt() < 0) {
        std::vector<Edit> edits =
            fixedEdits(*snapshot, m_facts->instance, m_facts->qparams.value_or(QParams{}));
        for (Edit& edit : edits)
            edit.spec = EditSpec{EditSpec::Kind::Default, {}, {}, {}, {}, {}};
        apply(edits, m_method->itemText(index));
        return;
    }
    const auto method = static_cast<RangeMethod>(chosen.toInt());
    if (const auto edits = rangeEdits(*snapshot, m_facts->instance, method))
        apply(*edits, methodText(method));
}

void ObservedPart::moveEnds(double low, double high)
{
    const SnapshotPtr snapshot = m_session.snapshot();
    if (!m_facts || !snapshot || !snapshot->calibrated)
        return;
    const auto qparams =
        qparamsOfRange(m_facts->config, {static_cast<float>(low), static_cast<float>(high)});
    if (qparams)
        apply(fixedEdits(*snapshot, m_facts->instance, *qparams), tr("by hand"));
}

void ObservedPart::apply(const std::vector<Edit>& edits, const QString& what)
{
    m_session.changeRecipe(withEdits(m_session.recipe(), edits),
                           tr("Range of %1: %2").arg(m_facts->where, what));
}

void ObservedPart::hideConvergence()
{
    m_calibrated = nullptr;
    m_found.reset();
    m_convergence->hide();
    m_enough->hide();
}

void ObservedPart::findConvergence()
{
    const SnapshotPtr& snapshot = m_session.fullSnapshot();
    if (!m_facts || !snapshot || !snapshot->calibrated)
        return;
    m_converge->setEnabled(false);
    m_session.jobs().start(Lane::Interactive, QStringLiteral("convergence"), {},
                           [self = QPointer(this), shared = m_session.pipeline(), snapshot,
                            instance = m_facts->instance](JobPort& port) -> Delivery {
                               const std::lock_guard lock(shared->mutex);
                               auto found = shared->pipeline.convergence(*snapshot, instance,
                                                                         port.context());
                               return [self, snapshot, instance, found = std::move(found)] {
                                   if (self)
                                       self->takeConvergence(snapshot->calibrated, instance, found);
                               };
                           });
}

void ObservedPart::takeConvergence(const std::shared_ptr<const CalibratedStage>& calibrated,
                                   ObserverId instance, const Result<Convergence>& found)
{
    m_converge->setEnabled(true);
    if (!m_facts || m_facts->instance != instance)
        return;
    m_calibrated = calibrated;
    m_instance = instance;
    m_converge->hide();
    m_found = found;
    showConvergence();
}

void ObservedPart::showConvergence()
{
    m_enough->show();
    if (!*m_found) {
        m_enough->setText(sentenceText(m_found->error().message()));
        return;
    }
    const Convergence& found = **m_found;
    ConvergenceChart::Data data;
    for (const Convergence::Point& point : found.points) {
        data.low.push_back(point.low);
        data.high.push_back(point.high);
    }
    data.enough = static_cast<int>(found.enough);
    m_convergence->setData(std::move(data));
    m_convergence->show();
    QStringList lines;
    lines << (found.enough < found.points.size()
                  ? tr("from batch %1 on the scale stays within 1 %").arg(found.enough)
                  : tr("the scale still moves with the last batch"));
    if (std::isfinite(found.points.front().sqnrDb) && std::isfinite(found.points.back().sqnrDb))
        lines << tr("SQNR of these values: %1 dB after the first batch, %2 dB after the last")
                     .arg(found.points.front().sqnrDb, 0, 'f', 1)
                     .arg(found.points.back().sqnrDb, 0, 'f', 1);
    m_enough->setText(lines.join(QLatin1Char('\n')));
    m_convergence->setAccessibleName(lines.join(QStringLiteral("; ")));
}

void ObservedPart::chooseForAll(Session& session, RangeMethod method)
{
    const SnapshotPtr& snapshot = session.fullSnapshot();
    if (snapshot && snapshot->calibrated)
        session.changeRecipe(withRanges(*snapshot, method),
                             tr("All ranges: %1").arg(methodText(method)));
}

void ObservedPart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        fillMethods();
        if (m_facts)
            show(*m_facts);
        if (m_found)
            showConvergence();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

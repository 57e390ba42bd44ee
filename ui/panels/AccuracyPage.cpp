#include "ui/panels/AccuracyPage.h"

#include "core/view/CompareTables.h"
#include "ui/charts/ConfusionMatrix.h"
#include "ui/charts/Histogram.h"
#include "ui/charts/IntervalChart.h"
#include "ui/models/CoreText.h"
#include "ui/panels/SampleTable.h"
#include "ui/panels/Section.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr int kMargin = 14;

QString signedPoints(double share)
{
    const QString text = QString::number(100 * std::abs(share), 'f', 2);
    const bool isZero = text.toDouble() == 0;
    return (isZero ? QString() : share < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + text;
}

QScrollArea* scrolled(QWidget* content, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

} // namespace

AccuracyPage::AccuracyPage(Session& session, Comparison& comparison, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_comparison(comparison)
{
    build();
    connect(m_run, &QComboBox::currentIndexChanged, this, [this] {
        fillMatrix();
        fillSamples();
    });
    connect(m_matrix, &ConfusionMatrix::cellChosen, this, &AccuracyPage::chooseCell);
    connect(m_flips, &QPushButton::clicked, this, &AccuracyPage::showFlips);
    retranslate();
}

void AccuracyPage::build()
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kMargin, 10, kMargin, 4);
    layout->setSpacing(16);

    auto* left = new QWidget(this);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->setSpacing(4);
    m_accuracyTitle = new QLabel(left);
    m_accuracyTitle->setProperty("title", true);
    m_chart = new IntervalChart(left);
    m_chart->setObjectName(QStringLiteral("accuracyChart"));
    leftLayout->addWidget(m_accuracyTitle);
    leftLayout->addWidget(m_chart);
    leftLayout->addSpacing(8);
    m_differences = new QGridLayout;
    m_differences->setHorizontalSpacing(10);
    m_differences->setVerticalSpacing(5);
    leftLayout->addLayout(m_differences);
    leftLayout->addStretch(1);

    auto* middle = new QVBoxLayout;
    middle->setSpacing(4);
    auto* matrixHead = new QHBoxLayout;
    m_matrixTitle = new QLabel(this);
    m_matrixTitle->setProperty("title", true);
    m_run = new QComboBox(this);
    m_run->setObjectName(QStringLiteral("confusionRun"));
    m_run->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    matrixHead->addWidget(m_matrixTitle);
    matrixHead->addStretch(1);
    matrixHead->addWidget(m_run);
    m_matrix = new ConfusionMatrix;
    m_matrix->setObjectName(QStringLiteral("confusion"));
    middle->addLayout(matrixHead);
    m_matrixArea = scrolled(m_matrix, this);
    middle->addWidget(m_matrixArea, 1);

    auto* right = new QVBoxLayout;
    right->setSpacing(4);
    auto* samplesHead = new QHBoxLayout;
    m_samplesTitle = new QLabel(this);
    m_samplesTitle->setProperty("title", true);
    m_samplesTitle->setObjectName(QStringLiteral("samplesTitle"));
    m_samplesTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_flips = new QPushButton(this);
    m_flips->setProperty("link", true);
    m_flips->setObjectName(QStringLiteral("showFlips"));
    samplesHead->addWidget(m_samplesTitle, 1);
    samplesHead->addWidget(m_flips);
    m_samples = new SampleTable(m_session, m_comparison, this);
    right->addLayout(samplesHead);
    right->addWidget(m_samples, 1);

    layout->addWidget(left, 9);
    layout->addLayout(middle, 10);
    layout->addLayout(right, 13);
}

const Classified* AccuracyPage::classified() const
{
    const auto& report = m_comparison.report();
    return report && report->classified ? &*report->classified : nullptr;
}

RunKind AccuracyPage::run() const
{
    return static_cast<RunKind>(std::max(0, m_run->currentIndex()));
}

void AccuracyPage::chooseRun(RunKind run) { m_run->setCurrentIndex(static_cast<int>(run)); }

void AccuracyPage::refresh()
{
    std::vector<IntervalChart::Row> rows;
    if (const Classified* data = classified()) {
        for (std::size_t run = 0; run < kRunKinds; ++run) {
            const Proportion& share = data->accuracy[run];
            rows.push_back(
                {coreText(runName(static_cast<RunKind>(run))), share.share, share.low, share.high});
        }
    }
    m_chart->setRows(std::move(rows));
    fillDifferences();
    fillMatrix();
    fillSamples();
}

void AccuracyPage::fillDifferences()
{
    clearGrid(m_differences);
    const Classified* data = classified();
    if (!data)
        return;
    const auto put = [&](int row, int column, const QString& text, bool isMuted) {
        auto* label = new QLabel(text, this);
        label->setProperty(isMuted ? "muted" : "plain", true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
        m_differences->addWidget(label, row, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        return label;
    };
    int row = freeRow(m_differences);
    int column = 0;
    for (const QString& title : {QString(), tr("points"), tr("agree"), tr("McNemar p")})
        put(row, column++, title, true);
    for (const RunComparison& pair : data->comparisons) {
        ++row;
        const PairedDifference& difference = pair.difference;
        put(row, 0, tr("%1 – %2").arg(coreText(runName(pair.run)), coreText(runName(pair.with))),
            false)
            ->setToolTip(
                tr("%1 samples are right now that were wrong, %2 are wrong that were right")
                    .arg(difference.fixed)
                    .arg(difference.broken));
        put(row, 1, signedPoints(difference.difference), false)
            ->setToolTip(tr("95 % interval of the difference: %1 to %2 points")
                             .arg(signedPoints(difference.low), signedPoints(difference.high)));
        const double same = data->samples > 0 ? static_cast<double>(pair.agreeing)
                                                    / static_cast<double>(data->samples)
                                              : 0;
        put(row, 2, QString::number(100 * same, 'f', 2) + QStringLiteral(" %"), false)
            ->setToolTip(tr("samples that both put into the same class, right or wrong"));
        put(row, 3, numberText(difference.p, 2), false)
            ->setToolTip(tr("McNemar's exact test: how likely a difference of this size is if "
                            "neither run is better"));
    }
    m_differences->setColumnStretch(0, 1);
}

void AccuracyPage::fillMatrix()
{
    const Classified* data = classified();
    QStringList names;
    for (const std::string& name : data ? data->classNames : std::vector<std::string>{})
        names << QString::fromStdString(name);
    m_matrix->setCounts(data ? data->confusion[static_cast<std::size_t>(run())].counts
                             : ConfusionMatrix::Counts{},
                        names);
    constexpr int kWidest = 460; // beyond that the matrix is scrolled by itself
    m_matrixArea->setMinimumWidth(std::min(m_matrix->minimumSizeHint().width() + 12, kWidest));
    m_matrix->setAccessibleName(tr("Confusion matrix: labels down, predictions across"));
}

void AccuracyPage::chooseCell(int label, int predicted)
{
    const ConfusionMatrix::Cell cell(label, predicted);
    m_matrix->setChosen(m_matrix->chosen() == cell ? std::nullopt : std::optional(cell));
    fillSamples();
}

void AccuracyPage::showFlips()
{
    m_matrix->setChosen(std::nullopt);
    fillSamples();
}

void AccuracyPage::fillSamples()
{
    const Classified* data = classified();
    const auto cell = m_matrix->chosen();
    std::vector<Flip> samples;
    if (data && cell) {
        std::copy_if(data->all.begin(), data->all.end(), std::back_inserter(samples),
                     [&](const Flip& sample) {
                         return sample.label == cell->first
                                && sample.predicted[static_cast<std::size_t>(run())]
                                       == cell->second;
                     });
    } else if (data) {
        samples = data->flips;
    }
    const QString title =
        cell              ? tr("%1: %2").arg(coreText(runName(run())), m_matrix->sentence(*cell))
        : samples.empty() ? tr("No sample flipped")
                          : tr("%n samples flipped", nullptr, static_cast<int>(samples.size()));
    m_samplesTitle->setText(title);
    m_samplesTitle->setToolTip(title);
    m_flips->setVisible(cell.has_value());
    m_samples->setAccessibleName(title);
    m_samples->setSamples(std::move(samples), data ? data->classNames : std::vector<std::string>{});
}

std::vector<Table> AccuracyPage::tables() const
{
    const Classified* data = classified();
    if (!data)
        return {};
    Classified seen = *data;
    seen.flips = m_samples->samples().samples();
    Table samples = compareFlipTable(seen);
    if (m_matrix->chosen())
        samples.title = "Samples";
    return {compareAccuracyTable(*data), compareDifferenceTable(*data),
            compareConfusionTable(*data, run()), std::move(samples)};
}

void AccuracyPage::retranslate()
{
    m_accuracyTitle->setText(tr("Accuracy, with 95 % interval"));
    m_matrixTitle->setText(tr("Label ↓, taken for →"));
    m_flips->setText(tr("Flipped samples"));
    const int current = m_run->currentIndex();
    const QSignalBlocker blocker(m_run);
    m_run->clear();
    for (std::size_t run = 0; run < kRunKinds; ++run)
        m_run->addItem(coreText(runName(static_cast<RunKind>(run))));
    m_run->setCurrentIndex(current < 0 ? static_cast<int>(RunKind::Xnnpack) : current);
    m_run->setAccessibleName(tr("Run whose confusion matrix is shown"));
}

void AccuracyPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_samples) {
        const auto cell = m_matrix->chosen();
        retranslate();
        refresh();
        m_matrix->setChosen(cell);
        fillSamples();
    }
    if (event->type() == QEvent::FontChange && m_samples) {
        const auto cell = m_matrix->chosen();
        fillMatrix(); // as wide as its numbers are
        m_matrix->setChosen(cell);
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

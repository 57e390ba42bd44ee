#include "ui/panels/StageStrip.h"

#include "ui/charts/ShareBar.h"
#include "ui/models/CoreText.h"
#include "ui/panels/StageArrow.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>

#include <array>
#include <tuple>

namespace pt2e::ui {

namespace {

constexpr std::array kStages{StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                             StageKind::Calibrated, StageKind::Converted};

/// The style sheet colours a label by its property.
void setAlarm(QLabel* label, bool isAlarm)
{
    if (label->property("alarm").toBool() == isAlarm)
        return;
    label->setProperty("alarm", isAlarm);
    label->style()->unpolish(label);
    label->style()->polish(label);
}

double share(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// A sign in front of a share of nothing: red is never the only word.
QString alarmed(const QString& text, bool isAlarm)
{
    return isAlarm ? QStringLiteral("\u26a0 ") + text : text;
}

int countOf(const GraphPtr& graph, std::string_view part)
{
    int count = 0;
    for (const Node& node : *graph)
        count += node.target.find(part) != std::string::npos ? 1 : 0;
    return count;
}

} // namespace

StageStrip::StageStrip(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_coverage(new QWidget(this)),
      m_int8(new QLabel(m_coverage)),
      m_opsBar(new ShareBar(m_coverage)),
      m_bytesBar(new ShareBar(m_coverage)),
      m_opsText(new QLabel(m_coverage)),
      m_bytesText(new QLabel(m_coverage))
{
    m_coverage->setObjectName(QStringLiteral("coverage"));
    m_opsText->setObjectName(QStringLiteral("coverageOps"));
    m_bytesText->setObjectName(QStringLiteral("coverageBytes"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (std::size_t i = 0; i <= kStages.size(); ++i) {
        auto* arrow = new StageArrow(i == 0, this);
        m_arrows.push_back(arrow);
        layout->addWidget(arrow);
        if (i < kStages.size()) {
            connect(arrow, &QAbstractButton::clicked, this, [this, stage = kStages[i]] {
                if (m_session.isCovered(stage) || m_session.reached() < stage)
                    m_session.runNext();
            });
        }
    }
    auto* grid = new QGridLayout(m_coverage);
    grid->setContentsMargins(16, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(1);
    m_int8->setProperty("muted", true);
    m_int8->setText(QStringLiteral("int8"));
    grid->addWidget(m_int8, 0, 0);
    grid->addWidget(m_opsBar, 0, 1);
    grid->addWidget(m_opsText, 0, 2);
    grid->addWidget(m_bytesBar, 1, 1);
    grid->addWidget(m_bytesText, 1, 2);
    m_opsBar->setFixedWidth(130);
    m_bytesBar->setFixedWidth(130);
    layout->addStretch(1);
    connect(&session, &Session::snapshotChanged, this, &StageStrip::refresh);
    refresh();
}

void StageStrip::setXnnpack(const QString& text)
{
    m_xnnpack = text;
    refresh();
}

bool StageStrip::isNothingQuantized() const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    return snapshot && snapshot->annotated && snapshot->annotated->coverage.ops > 0
           && snapshot->annotated->coverage.opsQuantized == 0;
}

QString StageStrip::detailOf(StageKind stage) const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (!snapshot)
        return {};
    switch (stage) {
    case StageKind::Exported:
        if (m_session.isQuantizedFile())
            return formText(snapshot->model->form);
        return tr("%n nodes", nullptr, static_cast<int>(snapshot->model->exported->size()));
    case StageKind::Annotated:
        if (!snapshot->annotated)
            return {};
        return alarmed(tr("%1 of %2 ops")
                           .arg(snapshot->annotated->coverage.opsQuantized)
                           .arg(snapshot->annotated->coverage.ops),
                       isNothingQuantized());
    case StageKind::Prepared: {
        if (!snapshot->prepared)
            return {};
        const int observers = countOf(snapshot->prepared->graph, "activation_post_process");
        const int folded = countOf(snapshot->model->exported, "batch_norm");
        const QString text = tr("+%n observers", nullptr, observers);
        return folded == 0 ? text : text + QStringLiteral(" \u2212%1 bn").arg(folded);
    }
    case StageKind::Calibrated:
        if (!snapshot->calibrated)
            return {};
        return tr("%1 / %2 batches")
            .arg(snapshot->calibrated->batches)
            .arg(snapshot->calibrated->total);
    case StageKind::Converted:
        if (!snapshot->converted)
            return {};
        return tr("+%1 q/dq").arg(countOf(snapshot->converted->graph, "quantized_decomposed."));
    }
    return {};
}

void StageStrip::refresh()
{
    const StageKind reached = m_session.reached();
    const bool hasModel = m_session.model() != nullptr;
    const auto& full = m_session.fullSnapshot();
    const bool hasFailed = full && full->error && full->error->code != ErrorCode::Cancelled;
    for (std::size_t i = 0; i < kStages.size(); ++i) {
        const StageKind stage = kStages[i];
        StageArrow* arrow = m_arrows[i];
        QString detail = detailOf(stage);
        auto state = StageArrow::State::Waiting;
        const bool isNext = static_cast<int>(stage) == static_cast<int>(reached) + 1;
        if (hasModel && m_session.isCovered(stage)) {
            state = StageArrow::State::Covered;
            detail = tr("hidden");
        } else if (hasModel && stage <= reached) {
            const bool isAlarm = stage == StageKind::Annotated && isNothingQuantized();
            state = isAlarm ? StageArrow::State::Alarm : StageArrow::State::Done;
        } else if (m_session.isQuantizedFile()) {
            detail = tr("already done");
        } else if (hasModel && m_session.isRunning() && isNext) {
            state = StageArrow::State::Running;
            if (detail.isEmpty())
                detail = tr("working…");
        } else if (hasModel && hasFailed && isNext) {
            state = StageArrow::State::Failed;
            detail = tr("failed");
        } else if (hasModel && detail.isEmpty()) {
            detail = tr("not run");
        }
        arrow->setTexts(stageTitle(stage), detail);
        arrow->setState(state);
    }
    StageArrow* last = m_arrows.back();
    last->setTexts(QStringLiteral("XNNPACK"),
                   m_xnnpack.isEmpty() ? tr("Compare runs it") : m_xnnpack);
    last->setState(m_xnnpack.isEmpty() ? StageArrow::State::Waiting : StageArrow::State::Done);
    refreshCoverage();
}

void StageStrip::refreshCoverage()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (!snapshot || !snapshot->annotated) {
        placeCoverage();
        return;
    }
    const Coverage& coverage = snapshot->annotated->coverage;
    const bool hasNoWeights = coverage.weightBytes > 0 && coverage.weightBytesQuantized == 0;
    for (const auto& [bar, label, isAlarm] : {std::tuple(m_opsBar, m_opsText, isNothingQuantized()),
                                              std::tuple(m_bytesBar, m_bytesText, hasNoWeights)}) {
        bar->setAlarm(isAlarm);
        setAlarm(label, isAlarm);
    }
    m_opsBar->setShare(share(coverage.opsQuantized, coverage.ops));
    m_bytesBar->setShare(share(coverage.weightBytesQuantized, coverage.weightBytes));
    m_opsText->setText(alarmed(tr("%1 of %2 ops · %3 % MACs")
                                   .arg(coverage.opsQuantized)
                                   .arg(coverage.ops)
                                   .arg(percent(coverage.macsQuantized, coverage.macs)),
                               isNothingQuantized()));
    m_bytesText->setText(alarmed(
        tr("%1 % weight bytes").arg(percent(coverage.weightBytesQuantized, coverage.weightBytes)),
        hasNoWeights));
    m_coverage->setAccessibleName(m_opsText->text() + QStringLiteral(", ") + m_bytesText->text());
    placeCoverage();
}

/// Behind the arrows, where there is room for all of it; a small window does without.
void StageStrip::placeCoverage()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    int arrows = 0;
    for (const StageArrow* arrow : m_arrows)
        arrows += arrow->sizeHint().width() + layout()->spacing();
    const QSize wanted = m_coverage->sizeHint();
    m_coverage->setVisible(snapshot && snapshot->annotated && arrows + wanted.width() <= width());
    m_coverage->setGeometry(arrows, (height() - wanted.height()) / 2, wanted.width(),
                            wanted.height());
}

void StageStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeCoverage();
}

void StageStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

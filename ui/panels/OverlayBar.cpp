#include "ui/panels/OverlayBar.h"

#include "ui/charts/Legend.h"
#include "ui/models/CoreText.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <array>

namespace pt2e::ui {

namespace {
constexpr std::array kKinds{OverlayKind::Error, OverlayKind::Engine, OverlayKind::Time,
                            OverlayKind::Bytes};
}

QString overlayName(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Error: return OverlayBar::tr("Error");
    case OverlayKind::Engine: return OverlayBar::tr("Engine");
    case OverlayKind::Time: return OverlayBar::tr("Time");
    case OverlayKind::Bytes: break;
    }
    return OverlayBar::tr("Weight bytes");
}

OverlayBar::OverlayBar(Overlays& overlays, Comparison& comparison, QWidget* parent)
    : QFrame(parent),
      m_overlays(overlays),
      m_comparison(comparison),
      m_label(new QLabel(this)),
      m_kind(new QComboBox(this)),
      m_question(new QComboBox(this)),
      m_legend(new Legend(this)),
      m_note(new QLabel(this)),
      m_run(new QPushButton(this)),
      m_close(new QToolButton(this))
{
    setObjectName(QStringLiteral("card"));
    m_label->setProperty("muted", true);
    m_kind->setObjectName(QStringLiteral("overlayKind"));
    m_question->setObjectName(QStringLiteral("overlayQuestion"));
    for (QComboBox* box : {m_kind, m_question})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_note->setProperty("warn", true);
    m_note->setObjectName(QStringLiteral("overlayNote"));
    m_run->setProperty("outline", true);
    m_run->setObjectName(QStringLiteral("overlayRun"));
    m_close->setProperty("flat", true);
    m_close->setText(QStringLiteral("\u00d7"));
    m_close->setObjectName(QStringLiteral("overlayClose"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 5, 8, 5);
    layout->setSpacing(8);
    layout->addWidget(m_label);
    layout->addWidget(m_kind);
    layout->addWidget(m_question);
    layout->addSpacing(6);
    layout->addWidget(m_legend, 1);
    layout->addWidget(m_note);
    layout->addWidget(m_run);
    layout->addWidget(m_close);
    connect(&overlays, &Overlays::changed, this, &OverlayBar::refresh);
    connect(m_kind, &QComboBox::activated, this,
            [this](int index) { m_overlays.show(kKinds[static_cast<std::size_t>(index)]); });
    connect(m_question, &QComboBox::activated, this, [this](int index) {
        m_overlays.setQuestion(kErrorQuestions[static_cast<std::size_t>(index)]);
    });
    connect(m_run, &QPushButton::clicked, &comparison, &Comparison::run);
    connect(m_close, &QToolButton::clicked, this, [this] { m_overlays.show(std::nullopt); });
    retranslate();
}

void OverlayBar::refresh()
{
    const auto kind = m_overlays.kind();
    setVisible(kind.has_value());
    if (!kind)
        return;
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
        if (kKinds[i] == *kind)
            m_kind->setCurrentIndex(static_cast<int>(i));
    }
    m_question->setVisible(*kind == OverlayKind::Error);
    m_question->setCurrentIndex(static_cast<int>(m_overlays.question()));
    std::vector<Legend::Entry> entries;
    if (const OverlayPtr& overlay = m_overlays.overlay()) {
        for (const OverlayLevel& level : overlay->levels)
            entries.push_back({level.level, coreText(level.text)});
    }
    m_legend->setEntries(std::move(entries));
    const bool isMissing = m_overlays.needsComparison();
    m_note->setVisible(isMissing || m_overlays.isStale());
    m_note->setText(isMissing ? tr("A comparison has its figures")
                              : tr("stale: the recipe has changed since"));
    m_run->setVisible(isMissing || m_overlays.isStale());
    m_run->setEnabled(m_comparison.canRun());
}

void OverlayBar::retranslate()
{
    m_label->setText(tr("Overlay"));
    m_run->setText(tr("Compare"));
    m_close->setToolTip(tr("No overlay"));
    m_close->setAccessibleName(tr("No overlay"));
    m_kind->setAccessibleName(tr("Overlay"));
    m_question->setAccessibleName(tr("Question"));
    m_kind->clear();
    for (const OverlayKind kind : kKinds)
        m_kind->addItem(overlayName(kind));
    m_question->clear();
    for (const ErrorQuestion question : kErrorQuestions)
        m_question->addItem(coreText(questionName(question)));
    refresh();
}

void OverlayBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_close)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

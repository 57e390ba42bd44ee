#include "ui/panels/FocusBar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStringListModel>
#include <QToolButton>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr std::size_t kMostChips = 4; ///< shown one by one
}

FocusBar::FocusBar(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_label(new QLabel(this)),
      m_chips(new QHBoxLayout),
      m_entry(new QLineEdit(this)),
      m_names(new QStringListModel(this)),
      m_hopsLabel(new QLabel(this)),
      m_hops(new QSpinBox(this)),
      m_direction(new QComboBox(this)),
      m_weights(new QCheckBox(this)),
      m_qdqOnEdges(new QCheckBox(this)),
      m_inStep(new QCheckBox(this)),
      m_back(new QToolButton(this)),
      m_forward(new QToolButton(this))
{
    build();
    connect(m_entry, &QLineEdit::returnPressed, this, [this] {
        const QString name = m_entry->text().trimmed();
        if (!name.isEmpty())
            m_session.view().addFocus(name);
        m_entry->clear();
    });
    connect(m_hops, &QSpinBox::valueChanged, this,
            [this](int hops) { m_session.view().setHops(hops); });
    connect(m_direction, &QComboBox::activated, this, [this](int index) {
        changeOptions(
            [index](ViewOptions& options) { options.direction = static_cast<Direction>(index); });
    });
    connect(m_weights, &QCheckBox::clicked, this, [this](bool on) {
        changeOptions([on](ViewOptions& options) { options.weights = on; });
    });
    connect(m_qdqOnEdges, &QCheckBox::clicked, this, [this](bool on) {
        changeOptions([on](ViewOptions& options) { options.qdqOnEdges = on; });
    });
    connect(m_inStep, &QCheckBox::clicked, &session.view(), &ViewState::setPanesInStep);
    connect(m_back, &QToolButton::clicked, &session.view(), &ViewState::goBack);
    connect(m_forward, &QToolButton::clicked, &session.view(), &ViewState::goForward);
    connect(&session.view(), &ViewState::changed, this, &FocusBar::refresh);
    connect(&session, &Session::snapshotChanged, this, [this] {
        if (m_entry->hasFocus())
            refreshNames();
    });
    retranslate();
    refresh();
}

void FocusBar::build()
{
    setObjectName(QStringLiteral("card"));
    m_label->setProperty("muted", true);
    m_hopsLabel->setProperty("muted", true);
    m_entry->setObjectName(QStringLiteral("focusEntry"));
    m_entry->setClearButtonEnabled(false);
    m_entry->setFixedWidth(130);
    auto* completer = new QCompleter(m_names, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_entry->setCompleter(completer);
    m_entry->installEventFilter(this);
    m_hops->setObjectName(QStringLiteral("hops"));
    m_hops->setRange(0, ViewState::kMaxHops);
    m_hops->setAlignment(Qt::AlignCenter);
    m_hops->setFixedWidth(68);
    m_hops->setKeyboardTracking(false);
    m_direction->addItems({{}, {}, {}});
    m_direction->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_back->setProperty("flat", true);
    m_forward->setProperty("flat", true);
    m_back->setObjectName(QStringLiteral("back"));
    m_forward->setObjectName(QStringLiteral("forward"));
    m_back->setText(QStringLiteral("\u25C0"));
    m_forward->setText(QStringLiteral("\u25B6"));

    // Two groups beside each other, or one below the other where the window is small.
    auto* where = new QHBoxLayout;
    where->setSpacing(8);
    m_chips->setSpacing(6);
    where->addWidget(m_label);
    where->addLayout(m_chips);
    where->addWidget(m_entry);
    where->addSpacing(8);
    where->addWidget(m_hopsLabel);
    where->addWidget(m_hops);
    where->addSpacing(8);
    where->addWidget(m_direction);
    where->addStretch(1);
    auto* what = m_what = new QHBoxLayout;
    what->setSpacing(8);
    what->addWidget(m_weights);
    what->addWidget(m_qdqOnEdges);
    what->addWidget(m_inStep);
    m_toolAt = what->count();
    what->addStretch(1);
    what->addWidget(m_back);
    what->addWidget(m_forward);
    m_groups = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_groups->setContentsMargins(14, 6, 10, 6);
    m_groups->setSpacing(8);
    m_groups->addLayout(where);
    m_groups->addLayout(what, 1);
}

int FocusBar::groupWidth(int index) const
{
    const QMargins margins = m_groups->contentsMargins();
    return m_groups->itemAt(index)->minimumSize().width() + margins.left() + margins.right();
}

QSize FocusBar::minimumSizeHint() const
{
    return {std::max(groupWidth(0), groupWidth(1)), m_groups->minimumSize().height()};
}

void FocusBar::arrange()
{
    const bool isWide = groupWidth(0) + groupWidth(1) <= width();
    m_groups->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void FocusBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrange();
}

void FocusBar::changeOptions(const std::function<void(ViewOptions&)>& change)
{
    ViewOptions options = m_session.view().options();
    change(options);
    m_session.view().setOptions(options);
}

void FocusBar::refresh()
{
    const ViewOptions& options = m_session.view().options();
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    const std::span<const std::string> names(options.focus);
    const std::size_t shown = std::min(names.size(), kMostChips);
    for (const std::string& name : names.first(shown)) {
        const QString text = QString::fromStdString(name);
        auto* chip = new QPushButton(text + QStringLiteral("  \u00D7"), this);
        chip->setObjectName(QStringLiteral("chip.") + text);
        chip->setProperty("chip", true);
        chip->setToolTip(tr("Take %1 out of the focus").arg(text));
        connect(chip, &QPushButton::clicked, this,
                [this, text] { m_session.view().removeFocus(text); });
        m_chips->addWidget(chip);
    }
    if (names.size() > shown)
        addRest(names.subspan(shown));
    arrange();
    const QSignalBlocker blockHops(m_hops);
    m_hops->setValue(options.hops);
    const bool hasFocusNodes = !options.focus.empty();
    m_hops->setEnabled(hasFocusNodes);
    m_direction->setEnabled(hasFocusNodes);
    m_direction->setCurrentIndex(static_cast<int>(options.direction));
    m_weights->setChecked(options.weights);
    m_qdqOnEdges->setChecked(options.qdqOnEdges);
    m_inStep->setChecked(m_session.view().arePanesInStep());
    m_back->setEnabled(m_session.view().canGoBack());
    m_forward->setEnabled(m_session.view().canGoForward());
}

/// One chip for all that have none, so that a long focus leaves room for the window.
void FocusBar::addRest(std::span<const std::string> names)
{
    auto* chip = new QPushButton(tr("%n more", nullptr, static_cast<int>(names.size())), this);
    chip->setObjectName(QStringLiteral("chip.rest"));
    chip->setProperty("chip", true);
    auto* menu = new QMenu(chip);
    for (const std::string& name : names) {
        const QString text = QString::fromStdString(name);
        menu->addAction(tr("Take %1 out of the focus").arg(text), this,
                        [this, text] { m_session.view().removeFocus(text); });
    }
    chip->setMenu(menu);
    m_chips->addWidget(chip);
}

bool FocusBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_entry && event->type() == QEvent::FocusIn)
        refreshNames();
    return QFrame::eventFilter(watched, event);
}

void FocusBar::refreshNames()
{
    QStringList names;
    const SnapshotPtr& snapshot = m_session.entered();
    std::vector<GraphPtr> graphs;
    for (const StageKind stage : {StageKind::Exported, StageKind::Prepared, StageKind::Converted})
        graphs.push_back(graphOf(snapshot, stage));
    if (graphs == m_namedGraphs)
        return;
    m_namedGraphs = graphs;
    for (const GraphPtr& graph : graphs) {
        if (!graph)
            continue;
        for (const Node& node : *graph)
            names << QString::fromStdString(node.name);
    }
    names.removeDuplicates();
    names.squeeze();
    if (names != m_names->stringList())
        m_names->setStringList(names);
}

void FocusBar::addTool(QWidget* tool)
{
    m_what->insertWidget(m_toolAt++, tool);
    arrange();
}

void FocusBar::startTyping()
{
    m_entry->setFocus(Qt::ShortcutFocusReason);
    m_entry->selectAll();
}

void FocusBar::retranslate()
{
    m_label->setText(tr("Focus"));
    m_entry->setPlaceholderText(tr("add a node"));
    m_entry->setAccessibleName(tr("Focus node to add"));
    m_hopsLabel->setText(tr("hops"));
    m_hops->setAccessibleName(tr("Hops around the focus"));
    m_direction->setItemText(0, tr("both directions"));
    m_direction->setItemText(1, tr("upwards"));
    m_direction->setItemText(2, tr("downwards"));
    m_direction->setAccessibleName(tr("Direction of the hops"));
    m_weights->setText(tr("weights"));
    m_qdqOnEdges->setText(tr("q/dq on edges"));
    m_inStep->setText(tr("panes in step"));
    m_back->setToolTip(tr("Back to the view before (Alt+Left)"));
    m_forward->setToolTip(tr("Forward (Alt+Right)"));
    m_back->setAccessibleName(tr("Back"));
    m_forward->setAccessibleName(tr("Forward"));
}

void FocusBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

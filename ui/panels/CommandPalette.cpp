#include "ui/panels/CommandPalette.h"

#include "ui/session/Appearance.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr int kPadding = 14;

/// One line: what it is, its name, and details at the right.
class EntryDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {100, option.fontMetrics.height() + 12};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Appearance& look = Appearance::instance();
        const bool isCurrent = option.state.testFlag(QStyle::State_Selected);
        if (isCurrent)
            painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
        const QFontMetrics metrics = option.fontMetrics;
        QRect area = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        const int kindWidth = metrics.horizontalAdvance(QStringLiteral("mmmmmm"));
        painter->setFont(option.font);
        painter->setPen(look.color(ColorRole::MutedText));
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          index.data(SearchModel::KindRole).toString());
        area.setLeft(area.left() + kindWidth);
        const QString name = index.data().toString();
        painter->setPen(look.color(ColorRole::Text));
        const int nameWidth = std::min(metrics.horizontalAdvance(name) + 16, area.width() * 3 / 5);
        painter->drawText(QRect(area.topLeft(), QSize(nameWidth, area.height())),
                          Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(name, Qt::ElideMiddle, nameWidth));
        const QString shortcut = index.data(SearchModel::ShortcutRole).toString();
        const QString right =
            shortcut.isEmpty() ? index.data(SearchModel::DetailRole).toString() : shortcut;
        const QRect rest = area.adjusted(nameWidth + 12, 0, 0, 0);
        painter->setPen(look.color(ColorRole::MutedText));
        painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                          metrics.elidedText(right, Qt::ElideRight, rest.width()));
    }
};

} // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent),
      m_entry(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_hint(new QLabel(this)),
      m_model(new SearchModel(this))
{
    setObjectName(QStringLiteral("palette"));
    m_entry->setObjectName(QStringLiteral("paletteEntry"));
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hint->setProperty("muted", true);
    m_hint->setProperty("small", true);
    m_hint->setProperty("inset", true);
    auto* rule = new QFrame(this);
    rule->setProperty("rule", true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(m_entry);
    layout->addWidget(rule);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_hint);
    m_entry->installEventFilter(this);
    parent->installEventFilter(this);
    connect(m_entry, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setQuery(text);
        m_list->setCurrentIndex(m_model->index(0));
    });
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
    retranslate();
    hide();
}

void CommandPalette::open(std::vector<SearchEntry> entries)
{
    m_focusBefore = QApplication::focusWidget();
    m_entry->clear();
    m_model->setEntries(std::move(entries));
    m_list->setCurrentIndex(m_model->index(0));
    place();
    show();
    raise();
    m_entry->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::add(const std::vector<SearchEntry>& entries)
{
    const int row = m_list->currentIndex().row();
    m_model->addEntries(entries);
    m_list->setCurrentIndex(m_model->index(std::max(row, 0)));
}

void CommandPalette::place()
{
    const QRect area = parentWidget()->rect();
    const int wide = std::min(720, area.width() - 40);
    const int high = std::min(440, area.height() - 90);
    setGeometry((area.width() - wide) / 2, 56, wide, high);
}

void CommandPalette::move(int rows)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = std::clamp(m_list->currentIndex().row() + rows, 0, count - 1);
    m_list->setCurrentIndex(m_model->index(row));
}

void CommandPalette::choose(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const SearchEntry entry = m_model->entryAt(index.row());
    hide();
    if (m_focusBefore)
        m_focusBefore->setFocus(Qt::OtherFocusReason);
    Q_EMIT chosen(entry);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_entry)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: move(1); return true;
    case Qt::Key_Up: move(-1); return true;
    case Qt::Key_PageDown: move(10); return true;
    case Qt::Key_PageUp: move(-10); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(m_list->currentIndex()); return true;
    case Qt::Key_Escape:
        hide();
        if (m_focusBefore)
            m_focusBefore->setFocus(Qt::OtherFocusReason);
        return true;
    default: return false;
    }
}

void CommandPalette::retranslate()
{
    m_entry->setPlaceholderText(tr("Find node, op, table or command"));
    m_entry->setAccessibleName(tr("Find node, op, table or command"));
    m_list->setAccessibleName(tr("Found"));
    m_hint->setText(
        tr("@ nodes   : ops   # tables   > commands      Enter goes there, Esc closes"));
}

void CommandPalette::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

#include "ui/panels/FittingTabs.h"

#include <QLayout>
#include <QMenu>
#include <QScopedValueRollback>
#include <QTabBar>
#include <QToolButton>

namespace pt2e::ui {

class FittingTabs::Bar : public QTabBar
{
public:
    using QTabBar::QTabBar;
    int widthOf(int index) const { return tabSizeHint(index).width(); }
};

FittingTabs::FittingTabs(QWidget* parent)
    : QTabWidget(parent),
      m_bar(new Bar(this)),
      m_more(new QToolButton(this))
{
    setTabBar(m_bar);
    m_more->setObjectName(QStringLiteral("moreTables"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setProperty("flat", true);
    m_more->setProperty("hasMenu", true);
    m_more->setMenu(new QMenu(m_more));
    m_more->hide();
    connect(m_more->menu(), &QMenu::aboutToShow, this, &FittingTabs::listHidden);
    connect(this, &QTabWidget::currentChanged, this, &FittingTabs::fit);
}

void FittingTabs::showPage(QWidget* page)
{
    setTabVisible(indexOf(page), true);
    setCurrentWidget(page);
    fit();
}

/// From left to right as many as there is room for; the current one always.
void FittingTabs::fit()
{
    if (m_isFitting || count() == 0)
        return;
    const QScopedValueRollback guard(m_isFitting, true);
    int all = 0;
    for (int i = 0; i < count(); ++i)
        all += m_bar->widthOf(i);
    m_more->setText(tr("More"));
    m_more->setAccessibleName(tr("More tables"));
    m_more->setToolTip(tr("Tables that find no room beside the others"));
    const QWidget* corner = cornerWidget(Qt::TopRightCorner);
    // Not by hiding the button to see: that would lay the bar out twice with each change of a title.
    const int moreWidth = m_more->sizeHint().width() + (corner ? corner->layout()->spacing() : 0);
    int room = width() - (corner ? corner->sizeHint().width() : 0);
    if (!m_more->isHidden())
        room += moreWidth;
    const bool hasMore = all > room;
    m_more->setVisible(hasMore);
    room -= hasMore ? moreWidth + m_bar->widthOf(currentIndex()) : 0;
    bool isFull = false;
    for (int i = 0; i < count(); ++i) {
        const bool isCurrent = i == currentIndex();
        if (!isCurrent && hasMore) {
            isFull = isFull || m_bar->widthOf(i) > room;
            room -= m_bar->widthOf(i);
        }
        if (const bool isShown = isCurrent || !isFull; isShown != isTabVisible(i))
            setTabVisible(i, isShown);
    }
}

void FittingTabs::listHidden()
{
    QMenu* menu = m_more->menu();
    menu->clear();
    for (int i = 0; i < count(); ++i) {
        if (!isTabVisible(i))
            menu->addAction(tabText(i), this, [this, page = widget(i)] { showPage(page); });
    }
}

void FittingTabs::resizeEvent(QResizeEvent* event)
{
    QTabWidget::resizeEvent(event);
    fit();
}

void FittingTabs::tabInserted(int index)
{
    QTabWidget::tabInserted(index);
    fit();
}

} // namespace pt2e::ui

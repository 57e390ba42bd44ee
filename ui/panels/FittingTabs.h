// Tabs of which those that find no room stand in a menu beside them, so that none is cut and none scrolls away.
#pragma once

#include <QTabWidget>

class QToolButton;

namespace pt2e::ui {

class FittingTabs : public QTabWidget
{
    Q_OBJECT
public:
    explicit FittingTabs(QWidget* parent = nullptr);

    /// The button with the menu, to be put into the corner widget, which is set after the tabs.
    QToolButton* more() { return m_more; }
    void showPage(QWidget* page); ///< makes it the current one, also from the menu
    /// After titles, the corner or the fonts have changed.
    void fit();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void tabInserted(int index) override;

private:
    class Bar;
    void listHidden();

    Bar* m_bar;
    QToolButton* m_more;
    bool m_isFitting = false;
};

} // namespace pt2e::ui

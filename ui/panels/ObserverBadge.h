// The number of an observer as the graph shows it, small; a dash where there is none. Passive.
#pragma once

#include <QWidget>

namespace pt2e::ui {

class ObserverBadge : public QWidget
{
    Q_OBJECT
public:
    explicit ObserverBadge(QWidget* parent = nullptr);
    void setNumber(int number); ///< -1: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_number = -1;
};

} // namespace pt2e::ui

// A share as a rounded bar. Passive.
#pragma once

#include <QWidget>

namespace pt2e::ui {

class ShareBar : public QWidget
{
    Q_OBJECT
public:
    explicit ShareBar(QWidget* parent = nullptr);
    void setShare(double share); ///< 0 to 1
    double share() const { return m_share; }
    /// A bad share: its frame is drawn in the alarm colour (the label beside says it in words).
    void setAlarm(bool isAlarm);
    QSize sizeHint() const override { return {150, 8}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_share = 0;
    bool m_isAlarm = false;
};

} // namespace pt2e::ui

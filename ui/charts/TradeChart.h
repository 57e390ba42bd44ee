// What is gained against what it costs: points in the order they were found, joined by a line, with a target. A click or
// an arrow key chooses a point. Passive.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace pt2e::ui {

class TradeChart : public QWidget
{
    Q_OBJECT
public:
    explicit TradeChart(QWidget* parent = nullptr);

    struct Dot
    {
        double cost = 0; ///< to the right; 0 to 1
        double value = 0; ///< upwards; finite
        QString details; ///< tooltip and what is read out
    };
    struct Data
    {
        std::vector<Dot> dots;
        std::optional<double> target;
        int result = -1; ///< the dot that stands out
        QString costTitle;
        QString valueTitle;
        QString targetText;
    };
    void setData(Data data);
    const Data& data() const { return m_data; }
    QPointF placeOf(int dot) const; ///< widget coordinates

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void dotChosen(int dot);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    std::pair<double, double> span() const; ///< of the values
    int dotAt(const QPointF& position) const; ///< −1: none
    void paintAxes(QPainter& painter) const;

    Data m_data;
    int m_current = -1; ///< where the keyboard is
};

} // namespace pt2e::ui

// How values are spread, with the range that int8 covers, whose ends can be dragged where that is allowed.
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace pt2e::ui {

class Histogram : public QWidget
{
    Q_OBJECT
public:
    explicit Histogram(QWidget* parent = nullptr);

    struct Data
    {
        std::vector<float> counts; ///< equal bins from low to high; empty: ranges are drawn instead
        double low = 0;
        double high = 0;
        /// What the quantized type can hold; drawn as two lines.
        std::optional<double> clipLow;
        std::optional<double> clipHigh;
        /// Per channel: smallest and largest value.
        std::vector<std::pair<float, float>> ranges;
    };
    void setData(Data data);
    const Data& data() const { return m_data; }
    /// The two lines can be taken by the mouse.
    void setClipsMovable(bool areMovable) { m_areClipsMovable = areMovable; }
    /// Where such a line stands, in the widget's coordinates.
    double clipX(bool isHigh) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clipsMoved(double low, double high); ///< when the mouse lets go

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    enum class End : std::uint8_t { None, Low, High };
    QRectF area() const;
    End endAt(const QPointF& position) const;
    void paintBins(QPainter& painter, const QRectF& area) const;
    void paintRanges(QPainter& painter, const QRectF& area) const;
    void paintClips(QPainter& painter, const QRectF& area) const;
    double toX(double value, const QRectF& area) const;

    Data m_data;
    bool m_areClipsMovable = false;
    End m_taken = End::None;
    Data m_before; ///< while one is taken: the axis does not move under the mouse
};

/// A value as a chart or table shows it: four significant digits, a real minus sign.
QString numberText(double value, int digits = 4);

} // namespace pt2e::ui

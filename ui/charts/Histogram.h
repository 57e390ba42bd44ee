// How values are spread, with the range that int8 covers. Passive: setters in, nothing out.
#pragma once

#include <QWidget>

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

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintBins(QPainter& painter, const QRectF& area) const;
    void paintRanges(QPainter& painter, const QRectF& area) const;
    void paintClips(QPainter& painter, const QRectF& area) const;
    double toX(double value, const QRectF& area) const;

    Data m_data;
};

/// A value as a chart or table shows it: four significant digits, a real minus sign.
QString numberText(double value, int digits = 4);

} // namespace pt2e::ui

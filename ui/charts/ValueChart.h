// How the values of several runs are spread, one outline each over common bins, with the range that int8 covers.
// Heights are square roots of the counts, so that a spike of zeros leaves the rest to be seen. Passive.
#pragma once

#include "ui/render/Theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace pt2e::ui {

class ValueChart : public QWidget
{
    Q_OBJECT
public:
    explicit ValueChart(QWidget* parent = nullptr);

    struct Series
    {
        std::vector<float> counts;
        ColorRole color = ColorRole::MutedText;
        Qt::PenStyle style = Qt::SolidLine;
        bool isFilled = false;
    };
    struct Data
    {
        std::vector<Series> series; ///< in painting order
        double low = 0;
        double high = 0;
        std::optional<double> clipLow;
        std::optional<double> clipHigh;
    };
    void setData(Data data);
    const Data& data() const { return m_data; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double toX(double value, const QRectF& area) const;
    void paintSeries(QPainter& painter, const Series& series, const QRectF& area, double top) const;

    Data m_data;
};

/// A short line as a series is drawn, for the head of its column.
class SeriesKey : public QWidget
{
    Q_OBJECT
public:
    SeriesKey(ColorRole color, Qt::PenStyle style, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {18, 10}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ColorRole m_color;
    Qt::PenStyle m_style;
};

} // namespace pt2e::ui

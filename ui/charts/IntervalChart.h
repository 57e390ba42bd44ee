// Shares with their intervals, one below the other on a common scale that shows just what they span. Passive.
#pragma once

#include <QWidget>

#include <vector>

namespace pt2e::ui {

class IntervalChart : public QWidget
{
    Q_OBJECT
public:
    explicit IntervalChart(QWidget* parent = nullptr);

    struct Row
    {
        QString name;
        double value = 0; ///< 0 to 1
        double low = 0;
        double high = 0;
    };
    void setRows(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::pair<double, double> domain() const;
    int nameWidth() const;
    int textWidth() const;
    int rowHeight() const;

    std::vector<Row> m_rows;
};

} // namespace pt2e::ui

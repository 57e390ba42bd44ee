// The range that a type can hold after each batch: a band from left to right, and from where on it stays as it is. Or any
// other number, as a curve.
// Passive.
#pragma once

#include <QWidget>

#include <functional>
#include <vector>

namespace pt2e::ui {

class ConvergenceChart : public QWidget
{
    Q_OBJECT
public:
    explicit ConvergenceChart(QWidget* parent = nullptr);

    struct Data
    {
        std::vector<double> low; ///< after the first, the second … batch
        std::vector<double> high; ///< empty: one curve, `low`, and no band
        std::vector<int> batches =
            {}; ///< of each point, where they are not 1, 2, 3 …; written below all
        int enough = 0; ///< batches; 0: not marked
    };
    void setData(Data data);
    const Data& data() const { return m_data; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintBatches(QPainter& painter, const std::function<double(std::size_t)>& x,
                      double top) const;

    Data m_data;
};

} // namespace pt2e::ui

// Labels down, predictions across, a count in each cell: right ones in one hue, wrong ones in another, the more the
// darker. A click or Enter chooses a cell. Passive: counts in, the chosen cell out.
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pt2e::ui {

class ConfusionMatrix : public QWidget
{
    Q_OBJECT
public:
    using Counts = std::vector<std::vector<std::int64_t>>; ///< [label][predicted]
    using Cell = std::pair<int, int>; ///< label, predicted

    explicit ConfusionMatrix(QWidget* parent = nullptr);

    void setCounts(Counts counts, QStringList classNames);
    const Counts& counts() const { return m_counts; }
    const QStringList& classNames() const { return m_names; }
    void setChosen(std::optional<Cell> cell);
    std::optional<Cell> chosen() const { return m_chosen; }
    QRect cellRect(Cell cell) const; ///< widget coordinates
    /// "5 of 102 samples of Shirt are taken for Coat".
    QString sentence(Cell cell) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void cellChosen(int label, int predicted);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int classes() const { return static_cast<int>(m_counts.size()); }
    int labelWidth() const { return m_labelWidth; }
    void measureLabels();
    int headHeight() const;
    QSizeF cellSize() const;
    std::optional<Cell> cellAt(const QPointF& position) const;
    void paintCell(QPainter& painter, Cell cell) const;
    void moveTo(Cell cell);

    Counts m_counts;
    QStringList m_names;
    int m_labelWidth = 0; ///< of the names and the numbers behind them; a cell's place asks for it
    std::optional<Cell> m_chosen;
    std::optional<Cell> m_hovered;
    Cell m_current{0, 0}; ///< where the keyboard is
    std::int64_t m_mostRight = 1;
    std::int64_t m_mostWrong = 1;
};

} // namespace pt2e::ui

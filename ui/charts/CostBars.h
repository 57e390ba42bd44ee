// Bars below each other, the longest on top: what costs how much, on one scale that begins where nothing is lost. A click
// or Enter chooses a bar. Passive: rows in, the chosen one out.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace pt2e::ui {

class CostBars : public QWidget
{
    Q_OBJECT
public:
    explicit CostBars(QWidget* parent = nullptr);

    struct Row
    {
        QString name;
        double length = 0; ///< 0 to 1
        QString text; ///< the value, behind the bar
        QString details; ///< tooltip
        friend bool operator==(const Row&, const Row&) = default;
    };
    struct Scale
    {
        QString start; ///< at length 0
        QString end; ///< at length 1
        QString title; ///< what is measured, and how
    };
    /// The chosen row stays chosen under its name.
    void setRows(std::vector<Row> rows, Scale scale);
    const std::vector<Row>& rows() const { return m_rows; }
    void setChosen(const QString& name);
    const QString& chosen() const { return m_chosen; }
    QRect rowRect(int row) const; ///< widget coordinates

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rowChosen(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int headHeight() const;
    int nameWidth() const;
    int textWidth() const;
    int rowAt(const QPointF& position) const; ///< −1: none
    void paintRow(QPainter& painter, int row) const;
    void moveTo(int row);

    std::vector<Row> m_rows;
    Scale m_scale;
    QString m_chosen; ///< name
    int m_hovered = -1;
    int m_current = 0; ///< where the keyboard is
};

} // namespace pt2e::ui

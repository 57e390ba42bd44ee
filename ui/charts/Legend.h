// Coloured squares with what they stand for, in a row. Passive.
#pragma once

#include <QWidget>

#include <vector>

namespace pt2e::ui {

class Legend : public QWidget
{
    Q_OBJECT
public:
    explicit Legend(QWidget* parent = nullptr);

    struct Entry
    {
        int level = 0; ///< of an overlay (overlayRole)
        QString text;
    };
    void setEntries(std::vector<Entry> entries);
    const std::vector<Entry>& entries() const { return m_entries; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Entry> m_entries;
};

} // namespace pt2e::ui

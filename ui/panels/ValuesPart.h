// Part of the inspector: the selected node's values in the float, simulated and XNNPACK runs.
#pragma once

#include "ui/panels/Section.h"
#include "ui/session/NodeValues.h"

#include <QWidget>

class QPushButton;

namespace pt2e::ui {

class ValueChart;

class ValuesPart : public QWidget
{
    Q_OBJECT
public:
    explicit ValuesPart(NodeValues& values, QWidget* parent = nullptr);

    const ValueChart& chart() const { return *m_chart; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showReport(const ValueReport& report);
    void addNumbers(const ValueReport& report);
    QString lossText(const ValueReport::Quantized& quantized) const;

    NodeValues& m_values;
    Section m_section;
    QPushButton* m_measure;
    ValueChart* m_chart;
    QGridLayout* m_numbers;
    QLabel* m_loss;
};

} // namespace pt2e::ui

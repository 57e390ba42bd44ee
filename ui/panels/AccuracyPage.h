// Labelled data: accuracy of the three runs with its interval, what differs between them, a confusion matrix, and the
// samples behind a cell or those that flipped.
#pragma once

#include "core/view/Tables.h"
#include "ui/session/Comparison.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace pt2e::ui {

class ConfusionMatrix;
class IntervalChart;
class SampleTable;

class AccuracyPage : public QWidget
{
    Q_OBJECT
public:
    AccuracyPage(Session& session, Comparison& comparison, QWidget* parent = nullptr);

    /// Another report; one without labels shows nothing.
    void refresh();
    void chooseRun(RunKind run);
    RunKind run() const;
    /// The samples of a cell of the matrix; the same once more: the flipped ones again.
    void chooseCell(int label, int predicted);
    void showFlips();
    std::vector<Table> tables() const; ///< what is seen
    const SampleTable& samples() const { return *m_samples; }
    ConfusionMatrix& matrix() { return *m_matrix; }
    const IntervalChart& chart() const { return *m_chart; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void fillDifferences();
    void fillMatrix();
    void fillSamples();
    const Classified* classified() const;

    Session& m_session;
    Comparison& m_comparison;
    QLabel* m_accuracyTitle;
    IntervalChart* m_chart;
    QGridLayout* m_differences;
    QLabel* m_matrixTitle;
    QComboBox* m_run;
    QScrollArea* m_matrixArea = nullptr;
    ConfusionMatrix* m_matrix;
    QLabel* m_samplesTitle;
    QPushButton* m_flips;
    SampleTable* m_samples;
};

} // namespace pt2e::ui

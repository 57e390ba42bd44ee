// Part of the inspector: what the node's observer has seen, and the range that follows, to be chosen otherwise: by a
// method, or by taking the ends of the range with the mouse. Both write a fixed scale and zero point.
#pragma once

#include "core/observers/RangeMethods.h"
#include "ui/models/NodeFacts.h"
#include "ui/panels/Section.h"
#include "ui/session/Session.h"

#include <QWidget>

class QComboBox;
class QPushButton;

namespace pt2e::ui {

class ConvergenceChart;
class Histogram;

class ObservedPart : public QWidget
{
    Q_OBJECT
public:
    explicit ObservedPart(Session& session, QWidget* parent = nullptr);

    /// Nothing hides the part. Cheap: called for every batch while a calibration runs.
    void setValues(const std::optional<ValueFact>& values);

    /// Of all instances that have a histogram, as one edit of the recipe.
    static void chooseForAll(Session& session, RangeMethod method);
    static QString methodText(RangeMethod method);

protected:
    void changeEvent(QEvent* event) override;

private:
    void show(const ValueFact& values);
    QStringList describe(const ValueFact& values) const;
    void choose(int index);
    void moveEnds(double low, double high);
    void apply(const std::vector<Edit>& edits, const QString& what);
    void fillMethods();
    void findConvergence();
    void takeConvergence(const std::shared_ptr<const CalibratedStage>& calibrated,
                         ObserverId instance, const Result<Convergence>& found);
    void showConvergence();
    void hideConvergence();

    Session& m_session;
    std::optional<ValueFact> m_facts;
    Section m_section;
    Histogram* m_histogram;
    QLabel* m_numbers;
    QWidget* m_row; ///< of the chooser
    QLabel* m_label;
    QComboBox* m_method;
    QPushButton* m_converge; ///< finds what m_convergence shows
    ConvergenceChart* m_convergence;
    QLabel* m_enough;
    /// What the chart is about.
    std::shared_ptr<const CalibratedStage> m_calibrated;
    ObserverId m_instance;
    std::optional<Result<Convergence>> m_found;
};

} // namespace pt2e::ui

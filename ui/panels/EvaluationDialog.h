// Chooses the data that the three runs are compared on: what the model offers, or a file or folder with its format and
// labels. What is there is looked at by a job while it is typed, and told: so many samples, or why not.
#pragma once

#include "core/analysis/EvaluationData.h"
#include "ui/session/Session.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace pt2e::ui {

class EvaluationDialog : public QDialog
{
    Q_OBJECT
public:
    EvaluationDialog(Session& session, const EvaluationChoice& current, QWidget* parent = nullptr);

    /// What is chosen now; an error names the field that cannot be read.
    Result<EvaluationChoice> choice() const;
    bool isGood() const; ///< looked at, and data are there

Q_SIGNALS:
    void chosen(const pt2e::EvaluationChoice& choice);

private:
    void build();
    void addFormat(QFormLayout* form);
    QWidget* pathRow(QLineEdit* edit, bool hasFolder);
    void fill(const EvaluationChoice& current);
    void check();
    void show(const QString& text, bool isGood);
    QString expected() const;

    Session& m_session;
    QRadioButton* m_own;
    QRadioButton* m_other;
    QWidget* m_fields;
    QLineEdit* m_path;
    QLineEdit* m_labels;
    QLineEdit* m_mean;
    QLineEdit* m_std;
    QSpinBox* m_resize;
    QLineEdit* m_rawShape;
    QComboBox* m_rawDtype;
    QSpinBox* m_batch;
    QLabel* m_found;
    QPushButton* m_compare = nullptr;
    QTimer m_check;
    bool m_isGood = false;
};

/// "0.485, 0.456" as numbers; an error at what is none.
Result<std::vector<double>> numbersOf(const QString& text);
/// "1×28×28", "1x28x28" or "1, 28, 28" as sizes.
Result<std::vector<std::int64_t>> sizesOf(const QString& text);

} // namespace pt2e::ui

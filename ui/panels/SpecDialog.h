// One point's annotation with everything a spec can say, and what would be wrong with it before it is applied.
#pragma once

#include "core/pipeline/EditCheck.h"
#include "ui/session/Session.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace pt2e::ui {

class SpecDialog : public QDialog
{
    Q_OBJECT
public:
    /// `current`: what the point has now.
    SpecDialog(Session& session, NamedPoint point, const Spec& current, QWidget* parent);

    /// What the fields say, or the first of them that says nothing.
    Result<Edit> edit() const;

Q_SIGNALS:
    void chosen(const pt2e::Edit& edit);

private:
    void build();
    void addFields(QFormLayout* form);
    void addPoints(QFormLayout* form);
    void fill(const Spec& current);
    void fillFormat(DType dtype, std::optional<std::int64_t> low, std::optional<std::int64_t> high,
                    std::optional<QScheme> scheme, std::optional<std::int64_t> axis);
    void updateFields();
    void check();
    void show(const std::vector<EditConflict>& conflicts);
    EditSpec::Kind kind() const;

    template<typename S>
    Result<void> readFormat(S& spec) const;

    Session& m_session;
    NamedPoint m_point;
    ObserverChoice m_observerArgs; ///< what has no field of its own
    QFormLayout* m_form = nullptr;
    QComboBox* m_kind;
    QComboBox* m_dtype;
    QLineEdit* m_low;
    QLineEdit* m_high;
    QWidget* m_range = nullptr;
    QComboBox* m_scheme;
    QSpinBox* m_axis;
    QComboBox* m_observer;
    QLineEdit* m_scale;
    QSpinBox* m_zeroPoint;
    QComboBox* m_shared;
    QComboBox* m_first;
    QComboBox* m_second;
    QCheckBox* m_implicit;
    QLabel* m_found;
    QPushButton* m_apply = nullptr;
    QTimer m_check;
};

} // namespace pt2e::ui

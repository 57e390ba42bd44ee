// All that a spec can say, as fields: which are shown depends on the kind.
#pragma once

#include "core/pipeline/EditSpec.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace pt2e::ui {

class SpecForm : public QWidget
{
    Q_OBJECT
public:
    /// `points`: those that the spec may share with or be derived from; others can be typed.
    explicit SpecForm(const QStringList& points, QWidget* parent = nullptr);

    /// `config`: where the range of a new activation comes from.
    void setSpec(const EditSpec& spec, const QuantizationConfig& config);
    /// What the fields say; an error names the first that says nothing.
    Result<EditSpec> spec() const;
    EditSpec::Kind kind() const;
    /// A row below the fields, in their column.
    void addRow(QWidget* widget);
    void setRowVisible(QWidget* widget, bool isVisible);

Q_SIGNALS:
    void changed();

private:
    void addFields();
    void addPoints(const QStringList& points);
    void fillFormat(DType dtype, std::optional<std::int64_t> low, std::optional<std::int64_t> high,
                    std::optional<QScheme> scheme, std::optional<std::int64_t> axis);
    void updateFields();

    template<typename S>
    Result<void> readFormat(S& spec) const;

    ObserverChoice m_observerArgs; ///< what has no field of its own
    QFormLayout* m_form;
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
};

} // namespace pt2e::ui

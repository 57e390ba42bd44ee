// What a rule puts at one place of an operator: a few choices in words, and everything a spec can say behind "custom…".
#pragma once

#include "core/pipeline/EditSpec.h"

#include <QComboBox>

#include <vector>

namespace pt2e::ui {

/// A place of an operator, as a rule names it.
struct RulePlace
{
    // Without a type of its own: lupdate of Qt 6.8 loses the class behind it otherwise.
    enum class Kind { Input, OtherInputs, Output };
    Kind kind = Kind::Input;
    std::size_t index = 0; ///< of an input
    QString title() const;
};

class PlaceChooser : public QComboBox
{
    Q_OBJECT
public:
    explicit PlaceChooser(RulePlace place, QWidget* parent = nullptr);

    /// `config`: where ranges of the offered specs come from.
    void setSpec(const EditSpec& spec, const QuantizationConfig& config);
    const EditSpec& spec() const { return m_spec; }
    /// What the choices "custom…" and "fixed…" open; for tests, too.
    void openDialog(const EditSpec& start);

Q_SIGNALS:
    void changed();

private:
    void fill();
    void choose(int index);
    void take(const EditSpec& spec);

    RulePlace m_place;
    QuantizationConfig m_config;
    EditSpec m_spec;
    std::vector<EditSpec> m_choices; ///< of the first items
};

} // namespace pt2e::ui

// One rule as a form: which operators it means, and what it puts at their inputs and output.
#pragma once

#include "core/pipeline/EditSpec.h"
#include "core/pipeline/NodeNames.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;

namespace pt2e::ui {

class PlaceChooser;

class RuleForm : public QWidget
{
    Q_OBJECT
public:
    explicit RuleForm(QWidget* parent = nullptr);

    /// Offers the model's operators and module paths.
    void setGraph(const Graph& graph);
    /// `inputs`: how many inputs the operators have that the rule finds; as many are shown, up to three.
    void setRule(const RecipeRule& rule, const QuantizationConfig& config, std::size_t inputs);
    RecipeRule rule() const;
    void setFound(const QString& text, bool isNone);

Q_SIGNALS:
    void changed();

private:
    void addMatch(QFormLayout* form);
    void addPlaces(QFormLayout* form);
    void showInputs(std::size_t count);
    void updateEnabled();

    static constexpr std::size_t kMaxInputs = 8;
    QFormLayout* m_form;
    QComboBox* m_op;
    QComboBox* m_module;
    QLineEdit* m_name;
    QComboBox* m_dtype;
    QComboBox* m_position;
    QLabel* m_found;
    QCheckBox* m_skip;
    std::vector<PlaceChooser*> m_inputs;
    std::size_t m_shownInputs = 0;
    std::vector<EditSpec> m_furtherInputs; ///< of a rule with more than kMaxInputs
    PlaceChooser* m_others = nullptr;
    QWidget* m_othersRow = nullptr;
    QToolButton* m_more = nullptr;
    QToolButton* m_fewer = nullptr;
    PlaceChooser* m_output = nullptr;
    QCheckBox* m_implicit;
    QuantizationConfig m_config;
    bool m_isFilling = false;
};

} // namespace pt2e::ui

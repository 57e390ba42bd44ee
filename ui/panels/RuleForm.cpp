#include "ui/panels/RuleForm.h"

#include "ui/panels/PlaceChooser.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <set>

namespace pt2e::ui {

namespace {

using Kind = EditSpec::Kind;

constexpr DType kDTypes[] = {DType::Float32, DType::Float64, DType::Float16, DType::BFloat16,
                             DType::Int64,   DType::Int32,   DType::Bool};

EditSpec keep()
{
    EditSpec spec;
    spec.kind = Kind::Default;
    return spec;
}

bool isKept(const EditSpec& spec) { return spec.kind == Kind::Default; }

/// Typed text or one of the list, found by any part of it.
void makeSearchable(QComboBox* box, const char* name)
{
    box->setObjectName(QString::fromUtf8(name));
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(26);
    box->completer()->setFilterMode(Qt::MatchContains);
    box->completer()->setCompletionMode(QCompleter::PopupCompletion);
}

void setItems(QComboBox* box, const std::set<std::string>& items)
{
    const QString text = box->currentText();
    box->clear();
    for (const std::string& item : items)
        box->addItem(QString::fromStdString(item));
    box->setCurrentIndex(-1);
    box->setEditText(text);
}

} // namespace

RuleForm::RuleForm(QWidget* parent)
    : QWidget(parent),
      m_form(new QFormLayout(this)),
      m_op(new QComboBox(this)),
      m_module(new QComboBox(this)),
      m_name(new QLineEdit(this)),
      m_dtype(new QComboBox(this)),
      m_position(new QComboBox(this)),
      m_found(new QLabel(this)),
      m_skip(new QCheckBox(tr("not quantized: takes the annotation away"), this)),
      m_implicit(new QCheckBox(tr("may share an observer it is not told to share"), this))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(14);
    m_form->setVerticalSpacing(8);
    addMatch(m_form);
    addPlaces(m_form);
    const auto change = [this] {
        updateEnabled();
        if (!m_isFilling)
            Q_EMIT changed();
    };
    for (QComboBox* box : {m_op, m_module, m_dtype, m_position})
        connect(box, &QComboBox::currentTextChanged, this, change);
    connect(m_name, &QLineEdit::textChanged, this, change);
    for (QCheckBox* box : {m_skip, m_implicit})
        connect(box, &QCheckBox::toggled, this, change);
    std::vector<PlaceChooser*> places = m_inputs;
    places.insert(places.end(), {m_others, m_output});
    for (PlaceChooser* place : places)
        connect(place, &PlaceChooser::changed, this, change);
    connect(m_more, &QToolButton::clicked, this, [this, change] {
        m_inputs[m_shownInputs]->setSpec(m_others->spec(), m_config);
        showInputs(m_shownInputs + 1);
        change();
    });
    connect(m_fewer, &QToolButton::clicked, this, [this, change] {
        showInputs(m_shownInputs - 1);
        change();
    });
}

void RuleForm::addMatch(QFormLayout* form)
{
    makeSearchable(m_op, "ruleOp");
    m_op->lineEdit()->setPlaceholderText(tr("any operator; * and ? stand for characters"));
    makeSearchable(m_module, "ruleModule");
    m_module->lineEdit()->setPlaceholderText(tr("any module; with what is inside it"));
    m_name->setObjectName(QStringLiteral("ruleName"));
    m_name->setPlaceholderText(tr("any name; conv2d_*"));
    m_dtype->setObjectName(QStringLiteral("ruleDtype"));
    m_dtype->addItem(tr("any dtype"), -1);
    for (const DType type : kDTypes)
        m_dtype->addItem(QString::fromStdString(std::string(dtypeName(type))),
                         static_cast<int>(type));
    m_position->setObjectName(QStringLiteral("rulePosition"));
    m_position->addItem(tr("all of them"));
    m_position->addItem(tr("the first of them"));
    m_position->addItem(tr("the last of them"));
    m_found->setObjectName(QStringLiteral("ruleFound"));
    m_found->setWordWrap(true);
    m_found->setMinimumHeight(2 * fontMetrics().height() + 4);
    m_found->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    form->addRow(tr("Operator"), m_op);
    form->addRow(tr("Module"), m_module);
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Gives"), m_dtype);
    form->addRow(tr("Of these"), m_position);
    form->addRow(QString(), m_found);
}

void RuleForm::addPlaces(QFormLayout* form)
{
    m_skip->setObjectName(QStringLiteral("ruleSkip"));
    m_implicit->setObjectName(QStringLiteral("ruleImplicit"));
    form->addRow(QString(), m_skip);
    const auto add = [&](RulePlace place, const QString& name) {
        auto* chooser = new PlaceChooser(place, this);
        chooser->setObjectName(name);
        return chooser;
    };
    const auto title = [](const RulePlace& place) {
        QString text = place.title();
        text[0] = text[0].toUpper();
        return text;
    };
    for (std::size_t i = 0; i < kMaxInputs; ++i) {
        const RulePlace place{RulePlace::Kind::Input, i};
        m_inputs.push_back(add(place, QStringLiteral("rule.input%1").arg(i)));
        form->addRow(title(place), m_inputs.back());
    }
    m_othersRow = new QWidget(this);
    auto* row = new QHBoxLayout(m_othersRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const RulePlace others{RulePlace::Kind::OtherInputs, 0}, output{RulePlace::Kind::Output, 0};
    m_others = add(others, QStringLiteral("rule.others"));
    row->addWidget(m_others, 1);
    const auto button = [&](const char* name, const QString& text, const QString& tip) {
        auto* tool = new QToolButton(m_othersRow);
        tool->setObjectName(QString::fromUtf8(name));
        tool->setText(text);
        tool->setToolTip(tip);
        tool->setAccessibleName(tip);
        row->addWidget(tool);
        return tool;
    };
    m_more = button("ruleMoreInputs", QStringLiteral("+"), tr("Tell one more input apart"));
    m_fewer = button("ruleFewerInputs", QStringLiteral("\u2212"), tr("Tell one input less apart"));
    form->addRow(title(others), m_othersRow);
    m_output = add(output, QStringLiteral("rule.output"));
    form->addRow(title(output), m_output);
    form->addRow(QString(), m_implicit);
}

void RuleForm::setGraph(const Graph& graph)
{
    std::set<std::string> ops, modules;
    const NodeNames names(graph);
    for (const NodeNames::Entry& entry : names.entries()) {
        if (!entry.node->is(OpKind::CallFunction))
            continue;
        ops.insert(entry.node->target);
        if (!entry.node->fileMeta)
            continue;
        for (const ModuleFrame& frame : entry.node->fileMeta->moduleStack) {
            if (!frame.path.empty())
                modules.insert(frame.path);
        }
    }
    m_isFilling = true;
    setItems(m_op, ops);
    setItems(m_module, modules);
    m_isFilling = false;
}

void RuleForm::showInputs(std::size_t count)
{
    m_shownInputs = std::min(count, kMaxInputs);
    for (std::size_t i = 0; i < kMaxInputs; ++i)
        m_form->setRowVisible(m_inputs[i], i < m_shownInputs);
    m_more->setEnabled(m_shownInputs < kMaxInputs);
    m_fewer->setEnabled(m_shownInputs > 0);
}

void RuleForm::setRule(const RecipeRule& rule, const QuantizationConfig& config, std::size_t inputs)
{
    m_isFilling = true;
    m_config = config;
    m_op->setEditText(QString::fromStdString(rule.match.op));
    m_module->setEditText(QString::fromStdString(rule.match.module));
    m_name->setText(QString::fromStdString(rule.match.name));
    const int type = rule.match.dtype ? m_dtype->findData(static_cast<int>(*rule.match.dtype)) : 0;
    if (type < 0) // one that the list does not offer
        m_dtype->addItem(QString::fromStdString(std::string(dtypeName(*rule.match.dtype))),
                         static_cast<int>(*rule.match.dtype));
    m_dtype->setCurrentIndex(type < 0 ? m_dtype->count() - 1 : type);
    m_position->setCurrentIndex(static_cast<int>(rule.match.position));
    m_skip->setChecked(rule.skip);
    m_implicit->setChecked(rule.allowImplicitSharing);
    for (std::size_t i = 0; i < kMaxInputs; ++i)
        m_inputs[i]->setSpec(i < rule.inputs.size() ? rule.inputs[i] : keep(), config);
    m_furtherInputs.clear();
    if (rule.inputs.size() > kMaxInputs)
        m_furtherInputs.assign(rule.inputs.begin() + kMaxInputs, rule.inputs.end());
    m_others->setSpec(rule.otherInputs.value_or(keep()), config);
    m_output->setSpec(rule.output.value_or(keep()), config);
    // Where further inputs are left alone, rows that say so mean the same as none.
    const std::size_t useful = rule.otherInputs ? 0 : std::min<std::size_t>(inputs, 3);
    showInputs(std::max(rule.inputs.size(), useful));
    updateEnabled();
    m_isFilling = false;
}

RecipeRule RuleForm::rule() const
{
    RecipeRule rule;
    rule.match.op = m_op->currentText().trimmed().toStdString();
    rule.match.module = m_module->currentText().trimmed().toStdString();
    rule.match.name = m_name->text().trimmed().toStdString();
    if (const int type = m_dtype->currentData().toInt(); type >= 0)
        rule.match.dtype = static_cast<DType>(type);
    rule.match.position = static_cast<NodeMatch::Position>(m_position->currentIndex());
    rule.skip = m_skip->isChecked();
    if (rule.skip)
        return rule;
    rule.allowImplicitSharing = m_implicit->isChecked();
    for (std::size_t i = 0; i < m_shownInputs; ++i)
        rule.inputs.push_back(m_inputs[i]->spec());
    if (m_shownInputs == kMaxInputs)
        rule.inputs.insert(rule.inputs.end(), m_furtherInputs.begin(), m_furtherInputs.end());
    if (!isKept(m_others->spec()))
        rule.otherInputs = m_others->spec();
    while (!rule.otherInputs && !rule.inputs.empty() && isKept(rule.inputs.back()))
        rule.inputs.pop_back();
    if (!isKept(m_output->spec()))
        rule.output = m_output->spec();
    return rule;
}

void RuleForm::setFound(const QString& text, bool isNone)
{
    m_found->setText(text);
    m_found->setProperty("warn", isNone);
    m_found->setProperty("muted", !isNone);
    style()->unpolish(m_found);
    style()->polish(m_found);
}

void RuleForm::updateEnabled()
{
    const bool isPut = !m_skip->isChecked();
    for (PlaceChooser* place : m_inputs)
        place->setEnabled(isPut);
    m_othersRow->setEnabled(isPut);
    m_output->setEnabled(isPut);
    m_implicit->setEnabled(isPut);
}

} // namespace pt2e::ui

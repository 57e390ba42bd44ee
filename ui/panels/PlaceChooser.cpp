#include "ui/panels/PlaceChooser.h"

#include "core/quant/Config.h"
#include "ui/models/RuleText.h"
#include "ui/models/SentenceText.h"
#include "ui/panels/SpecForm.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <limits>

namespace pt2e::ui {

namespace {

using Kind = EditSpec::Kind;

/// Data of the items that are no spec.
enum Item { Fixed = -1, Custom = -2 };

EditSpec ofKind(Kind kind)
{
    EditSpec spec;
    spec.kind = kind;
    return spec;
}

EditSpec observed(const Spec& spec)
{
    EditSpec edit = ofKind(Kind::Observed);
    edit.observed = std::get<ObservedSpec>(spec);
    return edit;
}

EditSpec biasOfProduct(bool perChannel)
{
    EditSpec edit = ofKind(Kind::Derived);
    edit.derivedFrom = {{"$input0", ""}, {"$input1", ""}};
    edit.derived.quantMin = std::numeric_limits<std::int32_t>::min();
    edit.derived.quantMax = std::numeric_limits<std::int32_t>::max();
    edit.derived.qscheme = perChannel ? QScheme::PerChannelSymmetric : QScheme::PerTensorSymmetric;
    if (perChannel)
        edit.derived.chAxis = 0;
    return edit;
}

EditSpec fixedStart(const QuantizationConfig& config)
{
    EditSpec edit = ofKind(Kind::Fixed);
    edit.fixed = {
        DType::Int8, 1.0 / 128, 0, config.actQmin, config.actQmax, QScheme::PerTensorAffine, false};
    return edit;
}

/// Points of a rule are those of its operator.
Result<void> checkPoints(const EditSpec& spec)
{
    if (spec.kind == Kind::Shared)
        PT2E_TRY(relativeInput(spec.sharedWith.text()));
    if (spec.kind == Kind::Derived) {
        for (const NamedPoint& point : spec.derivedFrom)
            PT2E_TRY(relativeInput(point.text()));
    }
    return {};
}

Result<EditSpec> specOf(const SpecForm& form)
{
    PT2E_ASSIGN(const EditSpec spec, form.spec());
    PT2E_TRY(checkPoints(spec));
    return spec;
}

} // namespace

QString RulePlace::title() const
{
    switch (kind) {
    case Kind::Input: return inputTitle(index);
    case Kind::OtherInputs: return PlaceChooser::tr("other inputs");
    case Kind::Output: return PlaceChooser::tr("output");
    }
    return {};
}

PlaceChooser::PlaceChooser(RulePlace place, QWidget* parent) : QComboBox(parent), m_place(place)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(26);
    setAccessibleName(tr("What is put at the %1").arg(place.title()));
    connect(this, &QComboBox::activated, this, &PlaceChooser::choose);
}

void PlaceChooser::setSpec(const EditSpec& spec, const QuantizationConfig& config)
{
    m_config = config;
    m_spec = spec;
    fill();
}

void PlaceChooser::fill()
{
    clear();
    m_choices.clear();
    const auto add = [&](const QString& text, const EditSpec& spec) {
        addItem(text, static_cast<int>(m_choices.size()));
        m_choices.push_back(spec);
    };
    QuantizationConfig config = m_config;
    config.dynamic = false;
    config.perChannel = true;
    const ConfigSpecs channelwise = symmetricConfig(config);
    config.perChannel = false;
    const ConfigSpecs whole = symmetricConfig(config);
    const bool isOutput = m_place.kind == RulePlace::Kind::Output;
    const bool isFirst = m_place.kind == RulePlace::Kind::Input && m_place.index == 0;
    add(tr("leave as it is"), ofKind(Kind::Default));
    add(tr("not quantized"), ofKind(Kind::None));
    add(tr("int8 activation"), observed(channelwise.inputActivation));
    if (!isOutput && !isFirst) {
        add(tr("int8 weight, a scale per channel"), observed(channelwise.weight));
        add(tr("int8 weight, one scale"), observed(whole.weight));
    }
    if (!isFirst) {
        EditSpec shared = ofKind(Kind::Shared);
        shared.sharedWith = {"$input0", ""};
        add(tr("shared with the first input"), shared);
    }
    if (!isOutput && !isFirst)
        add(tr("int32 bias: input scale × weight scale"), biasOfProduct(m_config.perChannel));
    int current = -1;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (m_choices[i] == m_spec)
            current = static_cast<int>(i);
    }
    if (current < 0) {
        current = count();
        add(placeText(m_spec), m_spec);
    }
    insertSeparator(count());
    addItem(tr("fixed scale…"), Fixed);
    addItem(tr("custom…"), Custom);
    setCurrentIndex(current);
    setToolTip(placeText(m_spec));
}

void PlaceChooser::choose(int index)
{
    const int item = itemData(index).toInt();
    if (item == Fixed || item == Custom) {
        fill(); // until the dialog has been accepted
        openDialog(item == Fixed && m_spec.kind != Kind::Fixed ? fixedStart(m_config) : m_spec);
        return;
    }
    take(m_choices[static_cast<std::size_t>(item)]);
}

void PlaceChooser::take(const EditSpec& spec)
{
    m_spec = spec;
    fill();
    Q_EMIT changed();
}

void PlaceChooser::openDialog(const EditSpec& start)
{
    QStringList points;
    for (int i = 0; i < 4; ++i)
        points << QStringLiteral("$input%1").arg(i);
    points << QStringLiteral("$output");
    auto* dialog = new QDialog(window());
    dialog->setObjectName(QStringLiteral("placeDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("What is put at the %1").arg(m_place.title()));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    auto* form = new SpecForm(points, dialog);
    auto* found = new QLabel(dialog);
    found->setWordWrap(true);
    found->setProperty("warn", true);
    found->setMinimumSize(420, 2 * fontMetrics().height());
    found->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* buttons = new QDialogButtonBox(dialog);
    auto* accept = new QPushButton(tr("OK"), buttons);
    accept->setObjectName(QStringLiteral("placeAccept"));
    accept->setProperty("primary", true);
    accept->setDefault(true);
    buttons->addButton(accept, QDialogButtonBox::AcceptRole);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    layout->addWidget(form);
    layout->addWidget(found, 1);
    layout->addWidget(buttons);
    const auto check = [form, found, accept] {
        const auto spec = specOf(*form);
        found->setText(spec ? QString() : sentenceText(spec.error().message()));
        accept->setEnabled(spec.has_value());
    };
    form->setSpec(start, m_config);
    connect(form, &SpecForm::changed, dialog, check);
    check();
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this, dialog, form] {
        if (const auto spec = specOf(*form)) {
            take(*spec);
            dialog->accept();
        }
    });
    dialog->open();
}

} // namespace pt2e::ui

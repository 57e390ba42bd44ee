#include "ui/panels/SpecForm.h"

#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

namespace pt2e::ui {

namespace {

constexpr double kEps = 1.0 / 4096; ///< of the XNNPACK quantizers

constexpr DType kDTypes[] = {DType::Int8, DType::UInt8, DType::Int16, DType::Int32};
constexpr QScheme kSchemes[] = {QScheme::PerTensorAffine, QScheme::PerTensorSymmetric,
                                QScheme::PerChannelAffine, QScheme::PerChannelSymmetric};
constexpr ObserverKind kObservers[] = {ObserverKind::Histogram,
                                       ObserverKind::MinMax,
                                       ObserverKind::MovingAverageMinMax,
                                       ObserverKind::PerChannelMinMax,
                                       ObserverKind::MovingAveragePerChannelMinMax,
                                       ObserverKind::Placeholder};

template<typename T>
QVariant itemOf(T value)
{
    return static_cast<int>(value);
}

template<typename T>
T chosenIn(const QComboBox* box)
{
    return static_cast<T>(box->currentData().toInt());
}

template<typename T>
void choose(QComboBox* box, T value)
{
    if (const int index = box->findData(itemOf(value)); index >= 0)
        box->setCurrentIndex(index);
}

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<int>(text.size()));
}

/// Empty: what torchao takes where nothing is given.
Result<void> readBound(const QLineEdit* field, std::optional<std::int64_t>& bound)
{
    const QString text = field->text().trimmed();
    bound.reset();
    if (text.isEmpty())
        return {};
    bool isNumber = false;
    bound = text.toLongLong(&isNumber);
    if (!isNumber)
        return badInput(text.toStdString(), SpecForm::tr("is no whole number").toStdString());
    return {};
}

} // namespace

SpecForm::SpecForm(const QStringList& points, QWidget* parent)
    : QWidget(parent),
      m_form(new QFormLayout(this)),
      m_kind(new QComboBox(this)),
      m_dtype(new QComboBox(this)),
      m_low(new QLineEdit(this)),
      m_high(new QLineEdit(this)),
      m_scheme(new QComboBox(this)),
      m_axis(new QSpinBox(this)),
      m_observer(new QComboBox(this)),
      m_scale(new QLineEdit(this)),
      m_zeroPoint(new QSpinBox(this)),
      m_shared(new QComboBox(this)),
      m_first(new QComboBox(this)),
      m_second(new QComboBox(this))
{
    m_observerArgs.eps = kEps;
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(14);
    m_form->setVerticalSpacing(8);
    addFields();
    addPoints(points);
    const auto change = [this] {
        updateFields();
        Q_EMIT changed();
    };
    for (QComboBox* box : {m_kind, m_dtype, m_scheme, m_observer, m_shared, m_first, m_second})
        connect(box, &QComboBox::currentTextChanged, this, change);
    for (QLineEdit* field : {m_low, m_high, m_scale})
        connect(field, &QLineEdit::textChanged, this, change);
    for (QSpinBox* box : {m_axis, m_zeroPoint})
        connect(box, &QSpinBox::valueChanged, this, change);
    updateFields();
}

void SpecForm::addFields()
{
    using Kind = EditSpec::Kind;
    m_kind->setObjectName(QStringLiteral("specKind"));
    for (const auto& [kind, text] :
         {std::pair(Kind::None, tr("none (float32)")), std::pair(Kind::Observed, tr("observed")),
          std::pair(Kind::Fixed, tr("fixed scale and zero point")),
          std::pair(Kind::Shared, tr("shared with another point")),
          std::pair(Kind::Derived, tr("derived: product of two scales"))})
        m_kind->addItem(text, itemOf(kind));
    for (const DType dtype : kDTypes)
        m_dtype->addItem(textOf(dtypeName(dtype)), itemOf(dtype));
    for (const QScheme scheme : kSchemes)
        m_scheme->addItem(textOf(qschemeName(scheme)), itemOf(scheme));
    for (const ObserverKind kind : kObservers)
        m_observer->addItem(textOf(observerClassName(kind)), itemOf(kind));
    m_dtype->setObjectName(QStringLiteral("specDtype"));
    m_scheme->setObjectName(QStringLiteral("specScheme"));
    m_observer->setObjectName(QStringLiteral("specObserver"));
    m_low->setObjectName(QStringLiteral("specLow"));
    m_high->setObjectName(QStringLiteral("specHigh"));
    m_scale->setObjectName(QStringLiteral("specScale"));
    m_range = new QWidget(this);
    auto* range = new QHBoxLayout(m_range);
    range->setContentsMargins(0, 0, 0, 0);
    range->addWidget(m_low, 1);
    range->addWidget(new QLabel(QStringLiteral("\u2026"), m_range));
    range->addWidget(m_high, 1);
    m_axis->setRange(0, 15);
    m_zeroPoint->setRange(-32768, 65535);
    m_form->addRow(tr("Quantize"), m_kind);
    m_form->addRow(tr("dtype"), m_dtype);
    m_form->addRow(tr("Range"), m_range);
    m_form->addRow(tr("Scheme"), m_scheme);
    m_form->addRow(tr("Channel axis"), m_axis);
    m_form->addRow(tr("Observer"), m_observer);
    m_form->addRow(tr("Scale"), m_scale);
    m_form->addRow(tr("Zero point"), m_zeroPoint);
}

void SpecForm::addPoints(const QStringList& points)
{
    const auto prepare = [&](QComboBox* box, const char* name, const QString& label) {
        box->setObjectName(QString::fromUtf8(name));
        box->setEditable(true);
        box->setInsertPolicy(QComboBox::NoInsert);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(30);
        box->addItems(points);
        box->completer()->setFilterMode(Qt::MatchContains);
        box->completer()->setCompletionMode(QCompleter::PopupCompletion);
        m_form->addRow(label, box);
    };
    prepare(m_shared, "specShared", tr("Point"));
    prepare(m_first, "specFirst", tr("Scale of"));
    prepare(m_second, "specSecond", tr("times scale of"));
}

EditSpec::Kind SpecForm::kind() const { return chosenIn<EditSpec::Kind>(m_kind); }

void SpecForm::addRow(QWidget* widget) { m_form->addRow(QString(), widget); }

void SpecForm::setRowVisible(QWidget* widget, bool isVisible)
{
    m_form->setRowVisible(widget, isVisible);
}

void SpecForm::fillFormat(DType dtype, std::optional<std::int64_t> low,
                          std::optional<std::int64_t> high, std::optional<QScheme> scheme,
                          std::optional<std::int64_t> axis)
{
    const auto bound = [](const auto& value) {
        return value ? QString::number(*value) : QString();
    };
    choose(m_dtype, dtype);
    m_low->setText(bound(low));
    m_high->setText(bound(high));
    choose(m_scheme, scheme.value_or(QScheme::PerTensorAffine));
    m_axis->setValue(static_cast<int>(axis.value_or(0)));
}

void SpecForm::setSpec(const EditSpec& spec, const QuantizationConfig& config)
{
    fillFormat(DType::Int8, config.actQmin, config.actQmax, {}, {});
    m_scale->setText(QStringLiteral("0.0078125"));
    choose(m_kind, spec.kind);
    switch (spec.kind) {
    case EditSpec::Kind::Observed:
        m_observerArgs = spec.observed.observer;
        choose(m_observer, spec.observed.observer.kind);
        fillFormat(spec.observed.dtype, spec.observed.quantMin, spec.observed.quantMax,
                   spec.observed.qscheme, spec.observed.chAxis);
        break;
    case EditSpec::Kind::Fixed:
        m_scale->setText(QString::number(spec.fixed.scale, 'g', 17));
        m_zeroPoint->setValue(static_cast<int>(spec.fixed.zeroPoint));
        fillFormat(spec.fixed.dtype, spec.fixed.quantMin, spec.fixed.quantMax, spec.fixed.qscheme,
                   {});
        break;
    case EditSpec::Kind::Shared:
        m_shared->setCurrentText(QString::fromStdString(spec.sharedWith.text()));
        break;
    case EditSpec::Kind::Derived:
        fillFormat(spec.derived.dtype, spec.derived.quantMin, spec.derived.quantMax,
                   spec.derived.qscheme, spec.derived.chAxis);
        break;
    case EditSpec::Kind::Default:
    case EditSpec::Kind::None: break;
    }
    if (spec.derivedFrom.size() == 2) {
        m_first->setCurrentText(QString::fromStdString(spec.derivedFrom[0].text()));
        m_second->setCurrentText(QString::fromStdString(spec.derivedFrom[1].text()));
    }
}

/// Only the fields that the kind has; the form does not jump, rows of others are hidden.
void SpecForm::updateFields()
{
    using Kind = EditSpec::Kind;
    const Kind now = kind();
    const bool hasFormat = now == Kind::Observed || now == Kind::Fixed || now == Kind::Derived;
    const auto setVisible = [this](QWidget* field, bool isVisible) {
        m_form->setRowVisible(field, isVisible);
    };
    setVisible(m_dtype, hasFormat);
    setVisible(m_range, hasFormat);
    setVisible(m_scheme, hasFormat);
    setVisible(m_axis,
               hasFormat && now != Kind::Fixed && isPerChannel(chosenIn<QScheme>(m_scheme)));
    setVisible(m_observer, now == Kind::Observed);
    setVisible(m_scale, now == Kind::Fixed);
    setVisible(m_zeroPoint, now == Kind::Fixed);
    setVisible(m_shared, now == Kind::Shared);
    setVisible(m_first, now == Kind::Derived);
    setVisible(m_second, now == Kind::Derived);
}

template<typename S>
Result<void> SpecForm::readFormat(S& spec) const
{
    spec.dtype = chosenIn<DType>(m_dtype);
    spec.qscheme = chosenIn<QScheme>(m_scheme);
    PT2E_TRY(readBound(m_low, spec.quantMin));
    return readBound(m_high, spec.quantMax);
}

Result<EditSpec> SpecForm::spec() const
{
    EditSpec spec;
    spec.kind = kind();
    const auto axis = isPerChannel(chosenIn<QScheme>(m_scheme))
                          ? std::optional<std::int64_t>(m_axis->value())
                          : std::nullopt;
    const auto point = [](const QComboBox* box) {
        return NamedPoint::parse(box->currentText().trimmed().toStdString());
    };
    switch (spec.kind) {
    case EditSpec::Kind::Default:
    case EditSpec::Kind::None: return spec;
    case EditSpec::Kind::Observed:
        PT2E_TRY(readFormat(spec.observed));
        spec.observed.chAxis = axis;
        spec.observed.observer = m_observerArgs;
        spec.observed.observer.kind = chosenIn<ObserverKind>(m_observer);
        spec.observed.isDynamic = spec.observed.observer.kind == ObserverKind::Placeholder;
        return spec;
    case EditSpec::Kind::Fixed: {
        PT2E_TRY(readFormat(spec.fixed));
        bool isNumber = false;
        spec.fixed.scale = m_scale->text().toDouble(&isNumber);
        if (!isNumber || !(spec.fixed.scale > 0))
            return badInput(m_scale->text().toStdString(),
                            tr("is no scale: a number larger than 0").toStdString());
        spec.fixed.zeroPoint = m_zeroPoint->value();
        return spec;
    }
    case EditSpec::Kind::Shared: {
        PT2E_ASSIGN(spec.sharedWith, point(m_shared));
        return spec;
    }
    case EditSpec::Kind::Derived: break;
    }
    PT2E_TRY(readFormat(spec.derived));
    spec.derived.chAxis = axis;
    PT2E_ASSIGN(const NamedPoint first, point(m_first));
    PT2E_ASSIGN(const NamedPoint second, point(m_second));
    spec.derivedFrom = {first, second};
    return spec;
}

} // namespace pt2e::ui

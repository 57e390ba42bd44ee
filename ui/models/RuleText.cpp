#include "ui/models/RuleText.h"

#include "ui/models/CoreText.h"
#include "ui/models/SpecText.h"

#include <QCoreApplication>
#include <QStringList>

namespace pt2e::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("Rule", text); }

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// "$input0" as people say it; other points by their name.
QString pointTitle(const NamedPoint& point)
{
    const auto input = relativeInput(point.text());
    if (!input)
        return QString::fromStdString(point.text());
    return *input ? inputTitle(**input) : words(QT_TRANSLATE_NOOP("Rule", "output"));
}

QString derivedText(const EditSpec& spec)
{
    QStringList from;
    for (const NamedPoint& point : spec.derivedFrom)
        from << pointTitle(point);
    return words(QT_TRANSLATE_NOOP("Rule", "%1 · scale of %2"))
        .arg(textOf(dtypeName(spec.derived.dtype)), from.join(QStringLiteral(" × ")));
}

} // namespace

QString inputTitle(std::size_t index)
{
    switch (index) {
    case 0: return words(QT_TRANSLATE_NOOP("Rule", "first input"));
    case 1: return words(QT_TRANSLATE_NOOP("Rule", "second input"));
    case 2: return words(QT_TRANSLATE_NOOP("Rule", "third input"));
    default: return words(QT_TRANSLATE_NOOP("Rule", "input %1")).arg(index + 1);
    }
}

QString matchText(const NodeMatch& match)
{
    const char* position = QT_TRANSLATE_NOOP("Rule", "every %1");
    if (match.position == NodeMatch::Position::First)
        position = QT_TRANSLATE_NOOP("Rule", "first of %1");
    else if (match.position == NodeMatch::Position::Last)
        position = QT_TRANSLATE_NOOP("Rule", "last of %1");
    const QString op = match.op.empty() ? words(QT_TRANSLATE_NOOP("Rule", "operator"))
                                        : QString::fromStdString(match.op);
    QString text = words(position).arg(op);
    if (!match.name.empty())
        text +=
            words(QT_TRANSLATE_NOOP("Rule", " named %1")).arg(QString::fromStdString(match.name));
    if (!match.module.empty())
        text +=
            words(QT_TRANSLATE_NOOP("Rule", " in %1")).arg(QString::fromStdString(match.module));
    if (match.dtype)
        text +=
            words(QT_TRANSLATE_NOOP("Rule", " that gives %1")).arg(textOf(dtypeName(*match.dtype)));
    return text;
}

QString placeText(const EditSpec& spec)
{
    static const Graph kNoGraph; // specs of a rule name no nodes
    switch (spec.kind) {
    case EditSpec::Kind::Default: return words(QT_TRANSLATE_NOOP("Rule", "as it is"));
    case EditSpec::Kind::None: return specText(Spec{}, kNoGraph);
    case EditSpec::Kind::Observed: return specText(Spec{spec.observed}, kNoGraph);
    case EditSpec::Kind::Fixed: return specText(Spec{spec.fixed}, kNoGraph);
    case EditSpec::Kind::Shared:
        return words(QT_TRANSLATE_NOOP("Rule", "shares with the %1"))
            .arg(pointTitle(spec.sharedWith));
    case EditSpec::Kind::Derived: return derivedText(spec);
    }
    return {};
}

QString ruleText(const RecipeRule& rule)
{
    const QString arrow = QStringLiteral(" \u2192 ");
    if (rule.skip)
        return matchText(rule.match) + arrow + words(QT_TRANSLATE_NOOP("Rule", "not quantized"));
    QStringList parts;
    const auto add = [&](const QString& place, const EditSpec& spec) {
        if (spec.kind != EditSpec::Kind::Default)
            parts << place + QStringLiteral(": ") + placeText(spec);
    };
    for (std::size_t i = 0; i < rule.inputs.size(); ++i)
        add(inputTitle(i), rule.inputs[i]);
    if (rule.otherInputs)
        add(rule.inputs.empty() ? words(QT_TRANSLATE_NOOP("Rule", "inputs"))
                                : words(QT_TRANSLATE_NOOP("Rule", "other inputs")),
            *rule.otherInputs);
    if (rule.output)
        add(words(QT_TRANSLATE_NOOP("Rule", "output")), *rule.output);
    if (parts.isEmpty())
        parts << words(QT_TRANSLATE_NOOP("Rule", "as it is"));
    return matchText(rule.match) + arrow + parts.join(QStringLiteral("; "));
}

QString constraintTitle(Constraint constraint)
{
    switch (constraint) {
    case Constraint::NoDynamic: return words(QT_TRANSLATE_NOOP("Rule", "No dynamic quantization"));
    case Constraint::Symmetric: return words(QT_TRANSLATE_NOOP("Rule", "Symmetric: zero point 0"));
    case Constraint::PerTensor: return words(QT_TRANSLATE_NOOP("Rule", "One scale per tensor"));
    case Constraint::SameInCatAndPool:
        return words(QT_TRANSLATE_NOOP("Rule", "Cat and pools: inputs and output alike"));
    case Constraint::SameInAdd:
        return words(QT_TRANSLATE_NOOP("Rule", "Additions: inputs and output alike"));
    case Constraint::Int32Bias:
        return words(QT_TRANSLATE_NOOP("Rule", "Bias in int32: input scale × weight scale"));
    case Constraint::PowerOfTwo:
        return words(QT_TRANSLATE_NOOP("Rule", "Scales are powers of two"));
    }
    return {};
}

QString profileText(const HardwareProfile& profile)
{
    const std::pair<std::string_view, const char*> kTexts[] = {
        {"integer-only", QT_TRANSLATE_NOOP("Rule", "Integers throughout")},
        {"symmetric", QT_TRANSLATE_NOOP("Rule", "Symmetric int8, no zero points")},
        {"one-scale", QT_TRANSLATE_NOOP("Rule", "One scale per tensor, no rescaling")},
        {"shift-only", QT_TRANSLATE_NOOP("Rule", "Rescaling by shifts")},
    };
    for (const auto& [name, text] : kTexts) {
        if (name == profile.name)
            return words(text);
    }
    return textOf(profile.name);
}

} // namespace pt2e::ui

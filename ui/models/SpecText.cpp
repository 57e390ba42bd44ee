#include "ui/models/SpecText.h"

#include "ui/models/CoreText.h"

#include <QCoreApplication>

namespace pt2e::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("Spec", text); }

QString rangeText(DType dtype, std::optional<std::int64_t> low, std::optional<std::int64_t> high)
{
    const std::string_view name = dtypeName(dtype);
    QString text = QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
    if (low && high) {
        const QString first =
            *low < 0 ? QChar(0x2212) + QString::number(-*low) : QString::number(*low);
        text += QStringLiteral(" %1\u2026%2").arg(first).arg(*high);
    }
    return text;
}

QString schemeText(std::optional<QScheme> scheme, std::optional<std::int64_t> axis)
{
    if (!scheme)
        return {};
    switch (*scheme) {
    case QScheme::PerTensorAffine: return words(QT_TRANSLATE_NOOP("Spec", "affine"));
    case QScheme::PerTensorSymmetric: return words(QT_TRANSLATE_NOOP("Spec", "symmetric"));
    case QScheme::PerChannelAffine:
    case QScheme::PerChannelSymmetric:
    case QScheme::PerChannelAffineFloatQParams:
        return axis ? words(QT_TRANSLATE_NOOP("Spec", "per channel, axis %1")).arg(*axis)
                    : words(QT_TRANSLATE_NOOP("Spec", "per channel"));
    }
    return {};
}

QString joined(const QString& a, const QString& b)
{
    return b.isEmpty() ? a : a + QStringLiteral(" · ") + b;
}

} // namespace

QString pointText(const Point& point, const Graph& graph)
{
    const Node* node = graph.find(point.node);
    const Node* user = point.isEdge() ? graph.find(point.user) : nullptr;
    const QString name = node ? QString::fromStdString(node->name) : QStringLiteral("?");
    return user ? name + QStringLiteral(" \u2192 ") + QString::fromStdString(user->name) : name;
}

QString specText(const Spec& spec, const Graph& graph)
{
    if (const auto* observed = std::get_if<ObservedSpec>(&spec)) {
        const QString scheme = schemeText(observed->qscheme, observed->chAxis);
        // Per channel the axis says more than the range, and both are too long for a line.
        const bool isChannelwise = observed->qscheme && isPerChannel(*observed->qscheme);
        const QString range =
            isChannelwise ? rangeText(observed->dtype, {}, {})
                          : rangeText(observed->dtype, observed->quantMin, observed->quantMax);
        const QString text = joined(range, scheme);
        return observed->isDynamic ? joined(text, words(QT_TRANSLATE_NOOP("Spec", "dynamic")))
                                   : text;
    }
    if (const auto* fixed = std::get_if<FixedSpec>(&spec)) {
        const QString numbers = words(QT_TRANSLATE_NOOP("Spec", "fixed %1, %2"))
                                    .arg(fixed->scale)
                                    .arg(fixed->zeroPoint);
        return joined(rangeText(fixed->dtype, fixed->quantMin, fixed->quantMax), numbers);
    }
    if (const auto* shared = std::get_if<SharedSpec>(&spec))
        return words(QT_TRANSLATE_NOOP("Spec", "shares with %1"))
            .arg(pointText(shared->with, graph));
    if (const auto* derived = std::get_if<DerivedSpec>(&spec)) {
        QStringList from;
        for (const Point& point : derived->from)
            from << pointText(point, graph);
        return joined(
            rangeText(derived->dtype, derived->quantMin, derived->quantMax),
            words(QT_TRANSLATE_NOOP("Spec", "from %1")).arg(from.join(QStringLiteral(", "))));
    }
    return words(QT_TRANSLATE_NOOP("Spec", "none (float32)"));
}

} // namespace pt2e::ui

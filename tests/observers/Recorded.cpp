#include "tests/observers/Recorded.h"

#include <span>

namespace pt2e::test {

Tensor batchOf(const QString& text)
{
    const QStringList halves = text.split(u':');
    const QStringList fields = halves[0].split(u',');
    const auto number = [&](int i) { return fields[i].toLongLong(); };
    std::vector<float> values;
    for (qint64 i = 0; i < number(0); ++i)
        values.push_back(static_cast<float>(
            static_cast<double>((i * number(1) + number(2)) % number(3) - number(4))
            / static_cast<double>(number(5))));
    if (halves.size() > 1) {
        for (const QString& value : halves[1].split(u','))
            values.push_back(value.toFloat());
    }
    std::vector<std::int64_t> shape = {static_cast<std::int64_t>(values.size())};
    if (fields.size() > 6) {
        shape.clear();
        for (const QString& size : fields[6].split(u'x'))
            shape.push_back(size.toLongLong());
    }
    return Tensor::fromValues<float>(DType::Float32, shape, std::span<const float>(values));
}

std::vector<float> floatsOf(const QString& text)
{
    std::vector<float> values;
    for (const QString& value : text.split(u',', Qt::SkipEmptyParts))
        values.push_back(static_cast<float>(value.toDouble()));
    return values;
}

namespace {

QScheme schemeOf(const QString& name)
{
    for (QScheme scheme : {QScheme::PerTensorAffine, QScheme::PerTensorSymmetric,
                           QScheme::PerChannelAffine, QScheme::PerChannelSymmetric}) {
        if (name.toStdString() == qschemeName(scheme))
            return scheme;
    }
    qFatal("no such qscheme");
}

} // namespace

ObservedSpec specOf(const QStringList& fields)
{
    ObservedSpec spec;
    spec.observer.kind = *observerKindFromName(fields[0].toStdString());
    spec.dtype = *dtypeFromName(fields[1].toStdString());
    if (!fields[2].isEmpty()) {
        spec.quantMin = fields[2].toLongLong();
        spec.quantMax = fields[3].toLongLong();
    }
    spec.qscheme = schemeOf(fields[4]);
    if (!fields[5].isEmpty())
        spec.observer.eps = fields[5].toDouble();
    for (const QString& extra : fields[6].split(u',', Qt::SkipEmptyParts)) {
        const QStringList pair = extra.split(u'=');
        if (pair[0] == u"ch_axis")
            spec.chAxis = pair[1].toLongLong();
        else if (pair[0] == u"averaging_constant")
            spec.observer.averagingConstant = pair[1].toDouble();
        else
            spec.observer.reduceRange = true;
    }
    return spec;
}

} // namespace pt2e::test

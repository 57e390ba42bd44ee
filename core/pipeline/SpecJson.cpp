#include "core/pipeline/SpecJson.h"

#include "core/pipeline/JsonText.h"

#include <array>

namespace pt2e::json {

std::string_view deriveRuleName(DeriveRule rule)
{
    switch (rule) {
    case DeriveRule::ProductOfScales: return "product_of_scales";
    }
    return "";
}

namespace {

std::string scheme(QScheme value) { return text(qschemeName(value)); }

/// dtype, quant_min, quant_max, qscheme: what observed, fixed and derived specs have in common.
template<typename S>
Object common(const char* kind, const S& spec)
{
    Object object;
    object.add("kind", text(kind));
    object.add("dtype", text(dtypeName(spec.dtype)));
    object.add("quant_min", optional(spec.quantMin, integer));
    object.add("quant_max", optional(spec.quantMax, integer));
    object.add("qscheme", optional(spec.qscheme, scheme));
    return object;
}

std::string observed(const ObservedSpec& spec)
{
    Object args;
    if (spec.observer.eps)
        args.add("eps", real(*spec.observer.eps));
    if (spec.observer.averagingConstant)
        args.add("averaging_constant", real(*spec.observer.averagingConstant));
    if (spec.observer.bins)
        args.add("bins", integer(*spec.observer.bins));
    if (spec.observer.reduceRange)
        args.add("reduce_range", boolean(*spec.observer.reduceRange));
    return common("observed", spec)
        .add("ch_axis", optional(spec.chAxis, integer))
        .add("is_dynamic", boolean(spec.isDynamic))
        .add("observer", text(observerClassName(spec.observer.kind)))
        .add("observer_args", args.line())
        .line();
}

std::string fixed(const FixedSpec& spec)
{
    return common("fixed", spec)
        .add("scale", real(spec.scale))
        .add("zero_point", integer(spec.zeroPoint))
        .line();
}

std::string shared(const std::string& with)
{
    return Object().add("kind", text("shared")).add("with", text(with)).line();
}

std::string derived(const DerivedSpec& spec, const std::vector<std::string>& from)
{
    return common("derived", spec)
        .add("ch_axis", optional(spec.chAxis, integer))
        .add("from", arrayOf(from, text))
        .add("rule", text(deriveRuleName(spec.rule)))
        .line();
}

} // namespace

std::string spec(const Spec& spec, const std::function<std::string(const Point&)>& name)
{
    if (const auto* s = std::get_if<ObservedSpec>(&spec))
        return observed(*s);
    if (const auto* s = std::get_if<FixedSpec>(&spec))
        return fixed(*s);
    if (const auto* s = std::get_if<SharedSpec>(&spec))
        return shared(name(s->with));
    if (const auto* s = std::get_if<DerivedSpec>(&spec)) {
        std::vector<std::string> from;
        for (const Point& point : s->from)
            from.push_back(name(point));
        return derived(*s, from);
    }
    return kNull;
}

std::string editSpec(const EditSpec& spec)
{
    switch (spec.kind) {
    case EditSpec::Kind::Default: return Object().add("kind", text("default")).line();
    case EditSpec::Kind::None: return kNull;
    case EditSpec::Kind::Observed: return observed(spec.observed);
    case EditSpec::Kind::Fixed: return fixed(spec.fixed);
    case EditSpec::Kind::Shared: return shared(spec.sharedWith.text());
    case EditSpec::Kind::Derived: {
        std::vector<std::string> from;
        for (const NamedPoint& point : spec.derivedFrom)
            from.push_back(point.text());
        return derived(spec.derived, from);
    }
    }
    return kNull;
}

namespace {

Result<void> readDType(const Place& place, DType& value)
{
    std::string name;
    PT2E_TRY(place.read(name));
    const auto dtype = dtypeFromName(name);
    if (!dtype)
        return place.error("no such dtype: '" + name + "'");
    value = *dtype;
    return {};
}

Result<void> readScheme(const Place& place, std::optional<QScheme>& value)
{
    std::optional<std::string> name;
    PT2E_TRY(place.read(name));
    value.reset();
    if (!name)
        return {};
    for (const QScheme scheme :
         {QScheme::PerTensorAffine, QScheme::PerTensorSymmetric, QScheme::PerChannelAffine,
          QScheme::PerChannelSymmetric, QScheme::PerChannelAffineFloatQParams}) {
        if (qschemeName(scheme) == *name)
            value = scheme;
    }
    if (!value)
        return place.error("no such qscheme: '" + *name + "'");
    return {};
}

Result<void> readPoint(const Place& place, NamedPoint& point)
{
    std::string name;
    PT2E_TRY(place.read(name));
    auto parsed = NamedPoint::parse(name);
    if (!parsed)
        return place.error(parsed.error().what);
    point = std::move(*parsed);
    return {};
}

Result<void> readObserverArgs(const Place& place, ObserverChoice& choice)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "eps")
            return member.read(choice.eps);
        if (key == "averaging_constant")
            return member.read(choice.averagingConstant);
        if (key == "bins")
            return member.read(choice.bins);
        if (key == "reduce_range")
            return member.read(choice.reduceRange);
        return member.unknownKey();
    });
}

/// A key that observed, fixed and derived specs share; false if it is another one.
template<typename S>
Result<bool> readCommon(std::string_view key, const Place& member, S& spec)
{
    Result<void> done;
    if (key == "kind")
        return true;
    if (key == "dtype")
        done = readDType(member, spec.dtype);
    else if (key == "quant_min")
        done = member.read(spec.quantMin);
    else if (key == "quant_max")
        done = member.read(spec.quantMax);
    else if (key == "qscheme")
        done = readScheme(member, spec.qscheme);
    else if (key == "is_dynamic")
        done = member.read(spec.isDynamic);
    else
        return false;
    if (!done)
        return passOn(done);
    return true;
}

/// Two bounds in the wrong order, as QuantizationSpec refuses them.
template<typename S>
Result<void> checkBounds(const Place& place, const S& spec)
{
    if (spec.quantMin && spec.quantMax && *spec.quantMin > *spec.quantMax)
        return place.error("quant_min is larger than quant_max");
    return {};
}

Result<void> readObserved(const Place& place, ObservedSpec& spec)
{
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        PT2E_ASSIGN(const bool isCommon, readCommon(key, member, spec));
        if (isCommon)
            return {};
        if (key == "ch_axis")
            return member.read(spec.chAxis);
        if (key == "observer_args")
            return readObserverArgs(member, spec.observer);
        if (key != "observer")
            return member.unknownKey();
        std::string name;
        PT2E_TRY(member.read(name));
        const auto kind = observerKindFromName(name);
        if (!kind || *kind == ObserverKind::FixedQParams || *kind == ObserverKind::Derived)
            return member.error("no such observer: '" + name + "'");
        spec.observer.kind = *kind;
        return {};
    }));
    return checkBounds(place, spec);
}

Result<void> readFixed(const Place& place, FixedSpec& spec)
{
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        PT2E_ASSIGN(const bool isCommon, readCommon(key, member, spec));
        if (isCommon)
            return {};
        if (key == "scale")
            return member.read(spec.scale);
        if (key == "zero_point")
            return member.read(spec.zeroPoint);
        return member.unknownKey();
    }));
    if (!(spec.scale > 0))
        return place.error("scale must be larger than 0");
    return checkBounds(place, spec);
}

Result<void> readShared(const Place& place, NamedPoint& with)
{
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "kind")
            return {};
        return key == "with" ? readPoint(member, with) : member.unknownKey();
    }));
    if (with.node.empty())
        return place.error("'with' is missing");
    return {};
}

Result<void> readDerived(const Place& place, EditSpec& spec)
{
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        PT2E_ASSIGN(const bool isCommon, readCommon(key, member, spec.derived));
        if (isCommon)
            return {};
        if (key == "ch_axis")
            return member.read(spec.derived.chAxis);
        if (key == "from")
            return member.items([&](const Place& item) {
                return readPoint(item, spec.derivedFrom.emplace_back());
            });
        if (key != "rule")
            return member.unknownKey();
        std::string name;
        PT2E_TRY(member.read(name));
        if (name != deriveRuleName(DeriveRule::ProductOfScales))
            return member.error("no such rule: '" + name + "'");
        return {};
    }));
    if (spec.derivedFrom.empty())
        return place.error("'from' is missing");
    return checkBounds(place, spec.derived);
}

} // namespace

Result<EditSpec> readEditSpec(const Place& place)
{
    using Kind = EditSpec::Kind;
    EditSpec spec;
    if (place.isNull())
        return spec;
    std::string kind;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        return key == "kind" ? member.read(kind) : Result<void>{};
    }));
    Result<void> done;
    if (kind == "default") {
        spec.kind = Kind::Default;
        done = place.members([](std::string_view key, const Place& member) -> Result<void> {
            return key == "kind" ? Result<void>{} : member.unknownKey();
        });
    } else if (kind == "observed") {
        spec.kind = Kind::Observed;
        done = readObserved(place, spec.observed);
    } else if (kind == "fixed") {
        spec.kind = Kind::Fixed;
        done = readFixed(place, spec.fixed);
    } else if (kind == "shared") {
        spec.kind = Kind::Shared;
        done = readShared(place, spec.sharedWith);
    } else if (kind == "derived") {
        spec.kind = Kind::Derived;
        done = readDerived(place, spec);
    } else {
        return place.error("'kind' must be observed, fixed, shared, derived or default");
    }
    if (!done)
        return passOn(done);
    return spec;
}

} // namespace pt2e::json

// Values without nodes: tensor metas, sizes, and the remarks that collect on the way.
#include "core/pt2/Enums.h"
#include "core/pt2/RawGraph.h"
#include "core/pt2/SymbolExpression.h"

namespace pt2e::pt2 {

namespace {

constexpr std::size_t kMaxRank = 64;

Result<std::vector<SymInt>> parseSizes(const Json& owner, std::string_view key, const Place& place)
{
    PT2E_ASSIGN(const Json* list, requiredArray(owner, key, place));
    if (list->Size() > kMaxRank)
        return place.key(key).error("has more than 64 dimensions");
    std::vector<SymInt> sizes;
    const Place here = place.key(key);
    for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
        PT2E_ASSIGN(SymInt size, parseSymInt((*list)[i], here.at(i)));
        if (!size.isSymbolic() && size.value() < 0)
            return here.at(i).error("is negative");
        sizes.push_back(std::move(size));
    }
    return sizes;
}

} // namespace

void Remarks::add(Severity severity, std::string code, std::string node, std::string place,
                  std::string message)
{
    std::size_t* count = m_counts.find(code);
    if (!count)
        count = &m_counts.set(code, 0);
    if (++*count <= kMaxOfAKind)
        m_diagnostics.push_back(
            {severity, std::move(code), std::move(node), std::move(place), std::move(message)});
}

Result<SymInt> parseSymInt(const Json& value, const Place& place)
{
    if (value.IsInt64())
        return SymInt(value.GetInt64());
    PT2E_ASSIGN(const JsonUnion found, unionValue(value, place));
    if (found.variant == "as_int") {
        PT2E_ASSIGN(const std::int64_t number, intValue(*found.value, place));
        return SymInt(number);
    }
    if (found.variant != "as_expr")
        return place.error("has the unknown variant '" + std::string(found.variant) + "'");
    PT2E_ASSIGN(const std::string_view text, requiredString(*found.value, "expr_str", place));
    const Result<std::string> infix = infixFromStructural(text);
    if (!infix)
        return place.error(infix.error().what);
    return SymInt(*infix);
}

Result<std::optional<TensorMeta>> parseTensorMeta(const Json& value, const Place& place,
                                                  Remarks& remarks)
{
    if (!value.IsObject())
        return place.error("is not an object");
    PT2E_ASSIGN(const Json* dtype, requiredMember(value, "dtype", place));
    PT2E_ASSIGN(const std::int64_t number, intValue(*dtype, place.key("dtype")));
    const std::optional<DType> known = dtypeFromNumber(number);
    TensorMeta meta;
    PT2E_ASSIGN(meta.shape, parseSizes(value, "sizes", place));
    PT2E_ASSIGN(meta.strides, parseSizes(value, "strides", place));
    if (meta.strides.size() != meta.shape.size())
        return place.error("has a different number of sizes and strides");
    meta.requiresGrad = flag(value, "requires_grad", false);
    if (!known) {
        remarks.add(Severity::Warning, "unknown-dtype", {}, place.text(),
                    "dtype #" + std::to_string(number) + " is not known; the value cannot be used");
        return std::optional<TensorMeta>{};
    }
    meta.dtype = *known;
    return std::optional<TensorMeta>(std::move(meta));
}

} // namespace pt2e::pt2

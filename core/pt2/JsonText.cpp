#include "core/pt2/JsonText.h"

#include "core/ir/Text.h"
#include "core/pt2/Enums.h"
#include "core/pt2/SymbolExpression.h"

#include <algorithm>
#include <cmath>

namespace pt2e::pt2 {

void JsonText::real(double number)
{
    if (!std::isfinite(number)) {
        value(std::string_view(std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity"));
        return;
    }
    const std::string text = pythonFloat(number);
    m_writer.RawValue(text.data(), text.size(), rapidjson::kNumberType);
}

std::optional<std::int64_t> JsonText::hintOf(const std::string& expression) const
{
    if (m_hints) {
        if (const auto at = m_hints->find(expression); at != m_hints->end())
            return at->second;
    }
    return std::nullopt;
}

Result<void> writeSymInt(JsonText& json, const SymInt& size)
{
    json.open();
    if (size.isSymbolic()) {
        PT2E_ASSIGN(const std::string structural, structuralFromInfix(size.expression()));
        json.key("as_expr");
        json.open();
        json.member("expr_str", structural);
        json.key("hint");
        if (const auto hint = json.hintOf(size.expression())) {
            json.open();
            json.member("as_int", *hint);
            json.close();
        } else {
            json.null();
        }
        json.close();
    } else {
        json.member("as_int", size.value());
    }
    json.close();
    return {};
}

namespace {

Result<void> writeSizes(JsonText& json, std::string_view key, const std::vector<SymInt>& sizes)
{
    json.key(key);
    json.openList();
    for (const SymInt& size : sizes)
        PT2E_TRY(writeSymInt(json, size));
    json.closeList();
    return {};
}

std::vector<SymInt> contiguousStrides(const std::vector<SymInt>& shape)
{
    std::vector<SymInt> strides(shape.size());
    SymInt stride(1);
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        if (!shape[i].isSymbolic() && !stride.isSymbolic())
            stride = SymInt(stride.value() * std::max<std::int64_t>(shape[i].value(), 1));
        else if (stride.text() == "1")
            stride = shape[i];
        else if (shape[i].text() != "1")
            stride = SymInt("(" + stride.text() + ")*(" + shape[i].text() + ")");
    }
    return strides;
}

} // namespace

Result<void> writeTensorMeta(JsonText& json, const TensorMeta& meta, std::int64_t offset)
{
    json.open();
    json.member("dtype", dtypeNumber(meta.dtype));
    PT2E_TRY(writeSizes(json, "sizes", meta.shape));
    json.member("requires_grad", meta.requiresGrad);
    json.key("device");
    json.open();
    json.member("type", "cpu");
    json.key("index");
    json.null();
    json.close();
    const bool isKnown = meta.strides.size() == meta.shape.size();
    PT2E_TRY(writeSizes(json, "strides", isKnown ? meta.strides : contiguousStrides(meta.shape)));
    json.key("storage_offset");
    PT2E_TRY(writeSymInt(json, SymInt(offset)));
    json.member("layout", layoutNumber(Layout::Strided));
    json.close();
    return {};
}

} // namespace pt2e::pt2

#include "core/view/Labels.h"

#include "core/ir/Graph.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace pt2e {

namespace {

std::string withMinus(const std::string& ascii)
{
    std::string out;
    for (const char c : ascii) {
        if (c == '-')
            out += "−";
        else
            out += c;
    }
    return out;
}

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

} // namespace

std::string figureNumber(double value) { return withMinus(fmt::format("{:.4g}", value)); }

std::string figureNumber(std::int64_t value) { return withMinus(std::to_string(value)); }

std::string qparamsText(const QParams& qparams)
{
    if (qparams.scale.empty())
        return {};
    auto text = figureNumber(static_cast<double>(qparams.scale.front()));
    if (qparams.scale.size() > 1)
        return text + " … ×" + std::to_string(qparams.scale.size());
    if (!qparams.zeroPoint.empty())
        text += " " + figureNumber(qparams.zeroPoint.front());
    return text;
}

std::string elided(std::string_view text, std::size_t limit)
{
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (startsCharacter(text[i]))
            starts.push_back(i);
    if (starts.size() <= limit || limit < 3)
        return std::string(text);
    const std::size_t head = (limit - 1) / 2;
    const std::size_t tail = limit - 1 - head;
    return std::string(text.substr(0, starts[head])) + "…"
           + std::string(text.substr(starts[starts.size() - tail]));
}

std::string observerNumber(std::string_view name)
{
    const auto underscore = name.rfind('_');
    const auto digits =
        underscore == std::string_view::npos ? std::string_view{} : name.substr(underscore + 1);
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), isDigit))
        return elided(name, 6);
    return std::string(digits);
}

std::string shapeOf(const ValueMeta& val)
{
    if (const auto* tensor = val.tensor())
        return elided(shapeText(tensor->shape), 34);
    if (const auto* scalar = std::get_if<ValueMeta::Scalar>(&val.value))
        return elided(scalar->text, 20);
    if (const auto* tuple = std::get_if<std::vector<ValueMeta>>(&val.value)) {
        std::string text;
        for (const auto& part : *tuple)
            text += (text.empty() ? "" : ", ") + shapeOf(part);
        return elided(text, 34);
    }
    return {};
}

std::string stageTitle(StageKind stage)
{
    switch (stage) {
    case StageKind::Exported: return "Exported";
    case StageKind::Annotated: return "Annotated";
    case StageKind::Prepared: return "Prepared";
    case StageKind::Calibrated: return "Calibrated";
    case StageKind::Converted: return "Converted";
    }
    return {};
}

std::string stageCaption(StageKind stage)
{
    switch (stage) {
    case StageKind::Exported: return "float";
    case StageKind::Annotated: return "folded, transformed";
    case StageKind::Prepared:
    case StageKind::Calibrated: return "float + observers";
    case StageKind::Converted: return "int8 edges thick";
    }
    return {};
}

std::string removalWord(std::string_view pass)
{
    const auto has = [&](std::string_view part) {
        return pass.find(part) != std::string_view::npos;
    };
    if (has("constant"))
        return "constant";
    if (has("fold"))
        return "folded";
    if (has("fus"))
        return "fused";
    if (has("decompos"))
        return "decomposed";
    if (has("dead") || has("dce"))
        return "unused";
    return "removed";
}

} // namespace pt2e

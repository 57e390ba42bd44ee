#include "core/pipeline/RecipePython.h"

#include "core/pipeline/JsonText.h"
#include "core/pipeline/RecipeQuantizer.h"
#include "core/pipeline/SpecJson.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace pt2e {

namespace {

constexpr const char* kNone = "None";

/// JSON's strings are Python's, too.
std::string text(std::string_view value) { return json::text(value); }
std::string boolean(bool value) { return value ? "True" : "False"; }
std::string torchName(std::string_view name) { return fmt::format("torch.{}", name); }

std::string real(double value)
{
    return std::isfinite(value) ? json::real(value) : fmt::format("float(\"{}\")", value);
}

template<typename T, typename Write>
std::string optional(const std::optional<T>& value, Write write)
{
    return value ? write(*value) : std::string(kNone);
}

std::string list(const std::vector<std::string>& items)
{
    return fmt::format("[{}]", fmt::join(items, ", "));
}

/// quant_min=…, quant_max=…, qscheme=…
template<typename S>
std::string bounds(const S& spec)
{
    return fmt::format(
        "quant_min={}, quant_max={}, qscheme={}", optional(spec.quantMin, json::integer),
        optional(spec.quantMax, json::integer),
        optional(spec.qscheme, [](QScheme scheme) { return torchName(qschemeName(scheme)); }));
}

std::string observed(const ObservedSpec& spec)
{
    const ObserverChoice& observer = spec.observer;
    std::string args;
    if (observer.eps)
        args += ", eps=" + real(*observer.eps);
    if (observer.averagingConstant)
        args += ", averaging_constant=" + real(*observer.averagingConstant);
    if (observer.bins)
        args += ", bins=" + json::integer(*observer.bins);
    if (observer.reduceRange)
        args += ", reduce_range=" + boolean(*observer.reduceRange);
    return fmt::format("observed({}, {}, {}, ch_axis={}, is_dynamic={}{})",
                       torchName(dtypeName(spec.dtype)), text(observerClassName(observer.kind)),
                       bounds(spec), optional(spec.chAxis, json::integer), boolean(spec.isDynamic),
                       args);
}

std::string derived(const DerivedSpec& spec, const std::vector<NamedPoint>& from)
{
    std::vector<std::string> points;
    for (const NamedPoint& point : from)
        points.push_back(text(point.text()));
    return fmt::format("derived({}, {}, {}, {}, ch_axis={}, is_dynamic={})", list(points),
                       json::deriveRuleName(spec.rule), torchName(dtypeName(spec.dtype)),
                       bounds(spec), optional(spec.chAxis, json::integer), boolean(spec.isDynamic));
}

std::string specText(const EditSpec& spec)
{
    switch (spec.kind) {
    case EditSpec::Kind::Default: return "KEEP";
    case EditSpec::Kind::None: return "none()";
    case EditSpec::Kind::Observed: return observed(spec.observed);
    case EditSpec::Kind::Fixed:
        return fmt::format("fixed({}, {}, {}, {}, is_dynamic={})",
                           torchName(dtypeName(spec.fixed.dtype)), real(spec.fixed.scale),
                           spec.fixed.zeroPoint, bounds(spec.fixed), boolean(spec.fixed.isDynamic));
    case EditSpec::Kind::Shared: return fmt::format("shared({})", text(spec.sharedWith.text()));
    case EditSpec::Kind::Derived: return derived(spec.derived, spec.derivedFrom);
    }
    return "KEEP";
}

// ---- the base quantizer

std::string configText(const std::optional<QuantizationConfig>& config)
{
    return optional(config, [](const QuantizationConfig& c) {
        return fmt::format("get_symmetric_quantization_config(is_per_channel={}, is_dynamic={}, "
                           "act_qmin={}, act_qmax={}, weight_qmin={}, weight_qmax={})",
                           boolean(c.perChannel), boolean(c.dynamic), c.actQmin, c.actQmax,
                           c.weightQmin, c.weightQmax);
    });
}

std::string baseText(const QuantizerSettings& settings)
{
    if (settings.flavor == QuantizerFlavor::None)
        return "def base_quantizer():\n    return None\n";
    std::string body =
        fmt::format("def base_quantizer():\n    from {} import (\n        XNNPACKQuantizer,\n"
                    "        get_symmetric_quantization_config,\n    )\n\n"
                    "    quantizer = XNNPACKQuantizer()\n",
                    settings.flavor == QuantizerFlavor::ExecuTorch
                        ? "executorch.backends.xnnpack.quantizer.xnnpack_quantizer"
                        : "torchao.testing.pt2e._xnnpack_quantizer");
    if (settings.global)
        body += fmt::format("    quantizer.set_global({})\n", configText(settings.global));
    const auto add = [&](const char* setter, const std::vector<NamedConfig>& configs,
                         const char* wrapper) {
        for (const NamedConfig& named : configs) {
            const std::string name =
                *wrapper ? fmt::format("{}({})", wrapper, text(named.name)) : text(named.name);
            body +=
                fmt::format("    quantizer.{}({}, {})\n", setter, name, configText(named.config));
        }
    };
    add("set_module_name", settings.moduleName, "");
    add("set_module_type", settings.moduleType, "module_type");
    add("set_operator_type", settings.operatorType, "operator_type");
    return body + "    return quantizer\n";
}

// ---- rules and edits

std::string matchText(const NodeMatch& match)
{
    std::vector<std::string> items;
    const auto add = [&](const char* key, std::string_view value) {
        if (!value.empty())
            items.push_back(fmt::format("\"{}\": {}", key, text(value)));
    };
    add("op", match.op);
    add("module", match.module);
    add("name", match.name);
    if (match.dtype)
        items.push_back("\"dtype\": " + torchName(dtypeName(*match.dtype)));
    if (match.position != NodeMatch::Position::All)
        add("position", positionName(match.position));
    return fmt::format("{{{}}}", fmt::join(items, ", "));
}

std::string ruleText(const RecipeRule& rule)
{
    std::string lines = fmt::format("    Rule(\n        {},\n", matchText(rule.match));
    if (rule.skip)
        lines += "        skip=True,\n";
    if (!rule.inputs.empty()) {
        lines += "        inputs=[\n";
        for (const EditSpec& spec : rule.inputs)
            lines += fmt::format("            {},\n", specText(spec));
        lines += "        ],\n";
    }
    if (rule.otherInputs)
        lines += fmt::format("        other_inputs={},\n", specText(*rule.otherInputs));
    if (rule.output)
        lines += fmt::format("        output={},\n", specText(*rule.output));
    if (!rule.allowImplicitSharing)
        lines += "        allow_implicit_sharing=False,\n";
    return lines + "    ),\n";
}

std::string editText(const Edit& edit)
{
    return fmt::format("    Edit({}, {}{}),\n", text(edit.at.text()), specText(edit.spec),
                       edit.allowImplicitSharing ? "" : ", allow_implicit_sharing=False");
}

template<typename T, typename Write>
std::string listOf(const char* name, const std::vector<T>& values, Write write)
{
    if (values.empty())
        return fmt::format("{} = []\n", name);
    std::string lines = fmt::format("{} = [\n", name);
    for (const T& value : values)
        lines += write(value);
    return lines + "]\n";
}

} // namespace

std::string recipeToPython(const Recipe& recipe)
{
    std::string module(std::begin(kRecipeQuantizer), std::end(kRecipeQuantizer));
    module += "\n\n" + baseText(recipe.quantizer);
    module += "\n\n" + listOf("RULES", recipe.rules, ruleText);
    return module + "\n" + listOf("EDITS", recipe.edits, editText);
}

} // namespace pt2e

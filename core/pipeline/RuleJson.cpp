#include "core/pipeline/RuleJson.h"

#include "core/pipeline/JsonText.h"
#include "core/pipeline/SpecJson.h"

namespace pt2e::json {

namespace {

using Position = NodeMatch::Position;

std::string matchJson(const NodeMatch& match)
{
    Object written;
    const auto add = [&](std::string_view key, std::string_view value) {
        if (!value.empty())
            written.add(key, text(value));
    };
    add("op", match.op);
    add("module", match.module);
    add("name", match.name);
    add("dtype", match.dtype ? dtypeName(*match.dtype) : std::string_view());
    if (match.position != Position::All)
        add("position", positionName(match.position));
    return written.line();
}

std::string ruleJson(const RecipeRule& rule)
{
    Object written;
    written.add("match", matchJson(rule.match));
    if (rule.skip)
        written.add("skip", boolean(true));
    if (!rule.inputs.empty())
        written.add("inputs", arrayOf(rule.inputs, editSpec));
    if (rule.otherInputs)
        written.add("other_inputs", editSpec(*rule.otherInputs));
    if (rule.output)
        written.add("output", editSpec(*rule.output));
    if (!rule.allowImplicitSharing)
        written.add("allow_implicit_sharing", boolean(false));
    return written.line();
}

// ---- reading

/// fnmatch has sets in brackets; no name has one, and here they mean nothing.
Result<void> readPattern(const Place& place, std::string& pattern)
{
    PT2E_TRY(place.read(pattern));
    if (pattern.empty() || pattern.find_first_of("[]") != std::string::npos)
        return place.error(
            "must be a name, in which '*' stands for any characters and '?' for one");
    return {};
}

Result<void> readPosition(const Place& place, Position& position)
{
    std::string name;
    PT2E_TRY(place.read(name));
    for (const Position known : {Position::All, Position::First, Position::Last}) {
        if (positionName(known) == name) {
            position = known;
            return {};
        }
    }
    return place.error("must be all, first or last");
}

Result<void> readMatch(const Place& place, NodeMatch& match)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "op")
            return readPattern(member, match.op);
        if (key == "module")
            return member.read(match.module);
        if (key == "name")
            return readPattern(member, match.name);
        if (key == "position")
            return readPosition(member, match.position);
        if (key != "dtype")
            return member.unknownKey();
        std::string name;
        PT2E_TRY(member.read(name));
        match.dtype = dtypeFromName(name);
        return match.dtype ? Result<void>{} : member.error("no such dtype: '" + name + "'");
    });
}

/// A spec whose points are relative to the operator.
Result<void> readRuleSpec(const Place& place, EditSpec& spec)
{
    PT2E_ASSIGN(spec, readEditSpec(place));
    std::vector<NamedPoint> points = spec.derivedFrom;
    if (spec.kind == EditSpec::Kind::Shared)
        points.push_back(spec.sharedWith);
    for (const NamedPoint& point : points) {
        if (const auto number = relativeInput(point.text()); !number)
            return place.error(number.error().message());
    }
    return {};
}

/// Where skip stands nothing else can be asked for, and where it does not something must be.
Result<void> checkAction(const Place& place, const RecipeRule& rule)
{
    const bool asks = !rule.inputs.empty() || rule.otherInputs || rule.output;
    if (rule.skip && (asks || !rule.allowImplicitSharing))
        return place.error("'skip' takes the annotation away: nothing else can stand beside it");
    if (!rule.skip && !asks)
        return place.error("one of 'inputs', 'other_inputs', 'output' and 'skip' must be given");
    return {};
}

} // namespace

std::string rules(const std::vector<RecipeRule>& rules)
{
    if (rules.empty())
        return "[]";
    std::vector<std::string> lines;
    for (const RecipeRule& rule : rules)
        lines.push_back(ruleJson(rule));
    return arrayLines(lines, 2);
}

Result<void> readRule(const Place& place, RecipeRule& rule)
{
    bool hasMatch = false;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "match") {
            hasMatch = true;
            return readMatch(member, rule.match);
        }
        if (key == "skip")
            return member.read(rule.skip);
        if (key == "inputs") {
            return member.items(
                [&](const Place& item) { return readRuleSpec(item, rule.inputs.emplace_back()); });
        }
        if (key == "other_inputs")
            return readRuleSpec(member, rule.otherInputs.emplace());
        if (key == "output")
            return readRuleSpec(member, rule.output.emplace());
        if (key == "allow_implicit_sharing")
            return member.read(rule.allowImplicitSharing);
        return member.unknownKey();
    }));
    if (!hasMatch)
        return place.error("'match' is missing");
    return checkAction(place, rule);
}

} // namespace pt2e::json

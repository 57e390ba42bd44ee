#include "core/pipeline/DumpComparison.h"

#include "core/pipeline/JsonParse.h"

#include <algorithm>
#include <cmath>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <set>

namespace pt2e {

namespace dump {

const Value* member(const Value* object, const char* key)
{
    if (!object || !object->IsObject())
        return nullptr;
    const auto found = object->FindMember(key);
    return found == object->MemberEnd() ? nullptr : &found->value;
}

std::string jsonText(const Value* value)
{
    if (!value)
        return kMissing;
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value->Accept(writer);
    std::string text(buffer.GetString(), buffer.GetSize());
    return text.size() > 240 ? text.substr(0, 240) + "…" : text;
}

std::string stringOf(const Value* value)
{
    return value && value->IsString() ? std::string(value->GetString(), value->GetStringLength())
                                      : std::string();
}

Names namesIn(const Value& list, const char* key)
{
    Names names;
    for (const Value& item : list.GetArray())
        names.push_back(key ? stringOf(member(&item, key)) : stringOf(&item));
    return names;
}

namespace {

/// True if a graph of some stage takes a sub-graph and tells what is in it.
bool tellsBodies(const Value& dump)
{
    return std::any_of(std::begin(kStages), std::end(kStages), [&](const char* stage) {
        return member(member(member(&dump, "stages"), stage), "subgraphs") != nullptr;
    });
}

} // namespace

Comparison::Comparison(const Value& golden, const Value& dump, const DumpTolerance& tolerance)
    : m_golden(golden),
      m_dump(dump),
      m_tolerance(tolerance),
      m_hasBodies(tellsBodies(golden) || !tellsBodies(dump)),
      m_isPrepared(stringOf(member(member(&golden, "error"), "stage")) != "prepare")
{}

std::vector<DumpDifference> Comparison::run()
{
    for (const char* stage : kStages)
        compareStage(stage);
    annotations();
    unannotated();
    sharing();
    observers();
    diffOps();
    tensors();
    return std::move(m_differences);
}

Names Comparison::comparedNames(const Value& list, const char* key) const
{
    Names names = namesIn(list, key);
    std::erase_if(names, [this](const std::string& name) { return !isCompared(name); });
    return names;
}

bool Comparison::same(const Value& a, const Value& b, double size) const
{
    if (a.IsDouble() && b.IsDouble()) {
        const double x = a.GetDouble(), y = b.GetDouble();
        const double scale = std::max({std::abs(x), std::abs(y), size});
        return x == y || std::abs(x - y) <= m_tolerance.reals * scale;
    }
    if (a.IsDouble() != b.IsDouble() || a.GetType() != b.GetType())
        return false;
    if (a.IsArray()) {
        if (a.Size() != b.Size())
            return false;
        for (rapidjson::SizeType i = 0; i < a.Size(); ++i) {
            if (!same(a[i], b[i], size))
                return false;
        }
        return true;
    }
    if (a.IsObject()) {
        if (a.MemberCount() != b.MemberCount())
            return false;
        return std::all_of(a.MemberBegin(), a.MemberEnd(), [&](const auto& item) {
            const auto other = b.FindMember(item.name);
            return other != b.MemberEnd() && same(item.value, other->value, size);
        });
    }
    return a == b;
}

void Comparison::checkNames(const std::string& section, const Names& golden, const Names& got)
{
    const std::set<std::string> inGolden(golden.begin(), golden.end());
    const std::set<std::string> inGot(got.begin(), got.end());
    Names a, b;
    for (const std::string& name : golden) {
        if (inGot.contains(name))
            a.push_back(name);
        else
            differ(section, name, "present", "true", kMissing);
    }
    for (const std::string& name : got) {
        if (inGolden.contains(name))
            b.push_back(name);
        else
            differ(section, name, "present", kMissing, "true");
    }
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i] != b[i]) {
            differ(section, a[i], "order", std::to_string(i) + ": " + a[i],
                   std::to_string(i) + ": " + b[i]);
            break;
        }
    }
    if (a.size() != b.size())
        differ(section, "", "length", std::to_string(golden.size()), std::to_string(got.size()));
}

bool Comparison::listed(const std::string& section, const Value* golden, const Value* dump,
                        const char* key, const Value*& g, const Value*& d)
{
    g = member(golden, key);
    d = member(dump, key);
    if (isNull(g))
        return false;
    if (isNull(d) || g->GetType() != d->GetType()) {
        differ(section, "", "present", "true", isNull(d) ? kMissing : "another kind of value");
        return false;
    }
    return true;
}

void Comparison::compareStage(const char* stage)
{
    const Value *g = nullptr, *d = nullptr;
    if (listed(stage, member(&m_golden, "stages"), member(&m_dump, "stages"), stage, g, d))
        compareGraph(stage, "", *g, *d);
}

void Comparison::compareGraph(const std::string& section, const std::string& path,
                              const Value& golden, const Value& dump)
{
    const Value* nodes = member(&golden, "nodes");
    const Value* others = member(&dump, "nodes");
    if (!nodes || !others || !nodes->IsArray() || !others->IsArray()) {
        differ(section, path, "nodes", jsonText(nodes), jsonText(others));
        return;
    }
    const auto pathNames = [&](const Value& list) {
        Names names = namesIn(list, "name");
        for (std::string& name : names)
            name = path + name;
        return names;
    };
    checkNames(section, pathNames(*nodes), pathNames(*others));
    std::map<std::string, const Value*> found;
    for (const Value& node : others->GetArray())
        found[stringOf(member(&node, "name"))] = &node;
    for (const Value& node : nodes->GetArray()) {
        const std::string name = stringOf(member(&node, "name"));
        if (const auto other = found.find(name); other != found.end())
            compareNode(section, path + name, node, *other->second);
    }
    const Value* bodies = member(&golden, "subgraphs");
    const Value* otherBodies = member(&dump, "subgraphs");
    if (!m_hasBodies)
        return;
    std::set<std::string> attributes;
    for (const Value* side : {bodies, otherBodies}) {
        if (side && side->IsObject()) {
            for (const auto& item : side->GetObject())
                attributes.insert(item.name.GetString());
        }
    }
    for (const std::string& name : attributes) {
        const Value* a = member(bodies, name.c_str());
        const Value* b = member(otherBodies, name.c_str());
        if (a && b)
            compareGraph(section, path + name + "/", *a, *b);
        else
            differ(section, path + name + "/", "present", a ? "true" : kMissing,
                   b ? "true" : kMissing);
    }
}

void Comparison::compareNode(const std::string& section, const std::string& name,
                             const Value& golden, const Value& dump)
{
    for (const char* field : {"op", "target", "kwargs", "users"})
        check(section, name, field, member(&golden, field), member(&dump, field));
    arguments(section, name, "args", member(&golden, "args"), member(&dump, "args"));
    for (const char* field : {"shape", "dtype"}) {
        if (!isNull(member(&golden, field)))
            check(section, name, field, member(&golden, field), member(&dump, field));
    }
}

void Comparison::arguments(const std::string& section, const std::string& node,
                           const std::string& path, const Value* golden, const Value* got)
{
    if (golden && got && golden->IsArray() && got->IsArray() && golden->Size() == got->Size()) {
        for (rapidjson::SizeType i = 0; i < golden->Size(); ++i)
            arguments(section, node, path + "[" + std::to_string(i) + "]", &(*golden)[i],
                      &(*got)[i]);
    } else {
        check(section, node, path, golden, got);
    }
}

void Comparison::tensors()
{
    for (const char* stage : kStages) {
        const Value* g = member(member(&m_golden, "stages"), stage);
        const Value* d = member(member(&m_dump, "stages"), stage);
        if (!isNull(g) && !isNull(d))
            compareTensors(std::string(stage) + ":", *g, d);
    }
}

/// place is "stage:", or "stage:body/" in a body.
void Comparison::compareTensors(const std::string& place, const Value& golden, const Value* dump)
{
    const Value* g = member(&golden, "tensors");
    const Value* d = member(dump, "tensors");
    std::set<std::string> names;
    for (const Value* side : {g, d}) {
        if (!side || !side->IsObject())
            continue;
        for (const auto& item : side->GetObject())
            names.insert(item.name.GetString());
    }
    for (const std::string& name : names) {
        const Value* a = member(g, name.c_str());
        const Value* b = member(d, name.c_str());
        if (!a || !b) {
            differ("tensors", place + name, "present", a ? "true" : kMissing,
                   b ? "true" : kMissing);
            continue;
        }
        check("tensors", place + name, "shape", member(a, "shape"), member(b, "shape"));
        check("tensors", place + name, "dtype", member(a, "dtype"), member(b, "dtype"));
        if (m_tolerance.hashes)
            check("tensors", place + name, "sha256", member(a, "sha256"), member(b, "sha256"));
    }
    const Value* bodies = member(&golden, "subgraphs");
    if (!bodies || !bodies->IsObject())
        return;
    for (const auto& item : bodies->GetObject())
        compareTensors(place + item.name.GetString() + "/", item.value,
                       member(member(dump, "subgraphs"), item.name.GetString()));
}

} // namespace dump

std::vector<DumpDifference> compareDumps(const rapidjson::Value& golden,
                                         const rapidjson::Value& dump,
                                         const DumpTolerance& tolerance)
{
    return dump::Comparison(golden, dump, tolerance).run();
}

rapidjson::Document parseDump(const std::string& text, std::string& error)
{
    rapidjson::Document document;
    error.clear();
    if (const std::optional<json::ParseProblem> problem = json::parse(document, text))
        error = "no JSON at byte " + std::to_string(problem->offset) + ": " + problem->what;
    else if (!document.IsObject()
             || dump::stringOf(dump::member(&document, "format")) != "pt2e.stages")
        error = "not a stage dump";
    return document;
}

} // namespace pt2e

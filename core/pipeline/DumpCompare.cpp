#include "core/pipeline/DumpCompare.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <set>

namespace pt2e {

namespace {

using rapidjson::Value;
constexpr const char* kMissing = "<missing>";
constexpr const char* kStages[] = {"exported", "prepared", "converted"};

const Value* member(const Value* object, const char* key)
{
    if (!object || !object->IsObject())
        return nullptr;
    const auto found = object->FindMember(key);
    return found == object->MemberEnd() ? nullptr : &found->value;
}

bool isNull(const Value* value) { return !value || value->IsNull(); }

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

class Comparison
{
public:
    Comparison(const Value& golden, const Value& dump, const DumpTolerance& tolerance)
        : m_golden(golden),
          m_dump(dump),
          m_tolerance(tolerance)
    {}

    std::vector<DumpDifference> run()
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

private:
    using Names = std::vector<std::string>;

    void differ(const std::string& section, const std::string& node, const std::string& field,
                const std::string& golden, const std::string& got)
    {
        m_differences.push_back({section, node.empty() ? "-" : node, field, golden, got});
    }
    bool same(const Value& a, const Value& b, double size) const;
    void check(const std::string& section, const std::string& node, const std::string& field,
               const Value* golden, const Value* got, double size = 0)
    {
        if (!golden || !got || !same(*golden, *got, size))
            differ(section, node, field, jsonText(golden), jsonText(got));
    }
    void checkNames(const std::string& section, const Names& golden, const Names& got);
    /// Both values, or false if there is nothing to compare (and says so where the dump lacks it).
    bool listed(const std::string& section, const Value* golden, const Value* dump, const char* key,
                const Value*& g, const Value*& d);
    void compareStage(const char* stage);
    void arguments(const std::string& section, const std::string& node, const std::string& path,
                   const Value* golden, const Value* got);
    void annotations();
    void spec(const std::string& node, const std::string& field, const Value* g, const Value* d);
    void unannotated();
    void sharing();
    void observers();
    void diffOps();
    void tensors();
    std::map<std::string, const Value*> entries(const char* section, const char* key,
                                                const Value*& golden);

    const Value& m_golden;
    const Value& m_dump;
    DumpTolerance m_tolerance;
    std::vector<DumpDifference> m_differences;
};

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

} // namespace

namespace {

std::vector<std::string> namesIn(const Value& list, const char* key)
{
    std::vector<std::string> names;
    for (const Value& item : list.GetArray())
        names.push_back(key ? stringOf(member(&item, key)) : stringOf(&item));
    return names;
}

std::map<std::string, const Value*> byName(const Value& list, const char* key)
{
    std::map<std::string, const Value*> map;
    for (const Value& item : list.GetArray())
        map[stringOf(member(&item, key))] = &item;
    return map;
}

} // namespace

namespace {

void Comparison::compareStage(const char* stage)
{
    const Value *g = nullptr, *d = nullptr;
    if (!listed(stage, member(&m_golden, "stages"), member(&m_dump, "stages"), stage, g, d))
        return;
    const Value* nodes = member(g, "nodes");
    const Value* others = member(d, "nodes");
    if (!nodes || !others || !others->IsArray()) {
        differ(stage, "", "nodes", jsonText(nodes), jsonText(others));
        return;
    }
    checkNames(stage, namesIn(*nodes, "name"), namesIn(*others, "name"));
    const auto found = byName(*others, "name");
    for (const Value& node : nodes->GetArray()) {
        const std::string name = stringOf(member(&node, "name"));
        const auto other = found.find(name);
        if (other == found.end())
            continue;
        for (const char* field : {"op", "target", "kwargs", "users"})
            check(stage, name, field, member(&node, field), member(other->second, field));
        arguments(stage, name, "args", member(&node, "args"), member(other->second, "args"));
        for (const char* field : {"shape", "dtype"}) {
            if (!isNull(member(&node, field)))
                check(stage, name, field, member(&node, field), member(other->second, field));
        }
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

std::map<std::string, const Value*> Comparison::entries(const char* section, const char* key,
                                                        const Value*& golden)
{
    const Value* d = nullptr;
    if (!listed(section, &m_golden, &m_dump, section, golden, d)) {
        golden = nullptr;
        return {};
    }
    checkNames(section, namesIn(*golden, key), namesIn(*d, key));
    return byName(*d, key);
}

void Comparison::annotations()
{
    const Value* golden = nullptr;
    const auto others = entries("annotations", "node", golden);
    if (!golden)
        return;
    for (const Value& entry : golden->GetArray()) {
        const std::string name = stringOf(member(&entry, "node"));
        const auto found = others.find(name);
        if (found == others.end())
            continue;
        const Value* other = found->second;
        check("annotations", name, "target", member(&entry, "target"), member(other, "target"));
        const Value* inputs = member(&entry, "inputs");
        const Value* otherInputs = member(other, "inputs");
        const auto first = [](const Value* list) {
            Names names;
            for (const Value& pair : list->GetArray())
                names.push_back(stringOf(&pair[0]));
            return names;
        };
        if (!otherInputs || first(inputs) != first(otherInputs)) {
            differ("annotations", name, "inputs", jsonText(inputs), jsonText(otherInputs));
        } else {
            for (rapidjson::SizeType i = 0; i < inputs->Size(); ++i)
                spec(name, "input " + stringOf(&(*inputs)[i][0]), &(*inputs)[i][1],
                     &(*otherInputs)[i][1]);
        }
        spec(name, "output", member(&entry, "output"), member(other, "output"));
    }
}

void Comparison::spec(const std::string& node, const std::string& field, const Value* g,
                      const Value* d)
{
    const Value* kind = member(g, "kind");
    if (!kind || !member(d, "kind") || *kind != *member(d, "kind")) {
        check("annotations", node, field, g, d);
        return;
    }
    std::set<std::string> keys;
    for (const Value* side : {g, d}) {
        for (const auto& item : side->GetObject())
            keys.insert(item.name.GetString());
    }
    keys.erase("rule"); // how a derived spec computes is not in the goldens
    for (const std::string& key : keys)
        check("annotations", node, field + "." + key, member(g, key.c_str()),
              member(d, key.c_str()));
}

void Comparison::unannotated()
{
    const Value *g = nullptr, *d = nullptr;
    if (listed("unannotated", &m_golden, &m_dump, "unannotated", g, d))
        checkNames("unannotated", namesIn(*g, nullptr), namesIn(*d, nullptr));
}

void Comparison::sharing()
{
    const Value *g = nullptr, *d = nullptr;
    if (!listed("sharing", &m_golden, &m_dump, "sharing", g, d))
        return;
    const auto groups = [](const Value& list) {
        std::vector<std::set<std::string>> sets;
        for (const Value& group : list.GetArray()) {
            const Names points = namesIn(group, nullptr);
            sets.emplace_back(points.begin(), points.end());
        }
        return sets;
    };
    const auto a = groups(*g), b = groups(*d);
    const auto report = [&](const auto& these, const auto& those, bool isGolden) {
        for (const auto& group : these) {
            if (std::find(those.begin(), those.end(), group) != those.end())
                continue;
            std::string text;
            for (const std::string& point : group)
                text += (text.empty() ? "" : ", ") + point;
            differ("sharing", group.empty() ? "" : *group.begin(), "group",
                   isGolden ? text : kMissing, isGolden ? kMissing : text);
        }
    };
    report(a, b, true);
    report(b, a, false);
    if (a.size() != b.size())
        differ("sharing", "", "groups", std::to_string(a.size()), std::to_string(b.size()));
}

/// The largest magnitude of an observer's min and max.
double rangeSize(const Value& observer)
{
    double size = 0;
    for (const char* key : {"min", "max"}) {
        const Value* values = member(&observer, key);
        if (!values || !values->IsArray())
            continue;
        for (const Value& value : values->GetArray()) {
            if (value.IsDouble())
                size = std::max(size, std::abs(value.GetDouble()));
        }
    }
    return size;
}

void Comparison::observers()
{
    const bool hasNumbers = stringOf(member(member(&m_golden, "error"), "stage")) != "calibrate";
    const Value* golden = nullptr;
    const auto others = entries("observers", "name", golden);
    if (!golden)
        return;
    for (const Value& entry : golden->GetArray()) {
        const std::string name = stringOf(member(&entry, "name"));
        const auto found = others.find(name);
        if (found == others.end())
            continue;
        const auto compare = [&](const char* key, double size) {
            check("observers", name, key, member(&entry, key), member(found->second, key), size);
        };
        for (const char* key : {"class", "from", "to", "dtype", "quant_min", "quant_max", "qscheme",
                                "ch_axis", "instance"})
            compare(key, 0);
        if (!hasNumbers)
            continue;
        compare("scale", 0);
        compare("zero_point", 0);
        compare("min", rangeSize(entry));
        compare("max", rangeSize(entry));
    }
}

void Comparison::diffOps()
{
    const Value *g = nullptr, *d = nullptr;
    if (!listed("diff_ops", &m_golden, &m_dump, "diff_ops", g, d))
        return;
    const auto a = byName(*g, "op"), b = byName(*d, "op");
    std::set<std::string> ops;
    for (const auto& [op, row] : a)
        ops.insert(op);
    for (const auto& [op, row] : b)
        ops.insert(op);
    const Value zero(0);
    for (const std::string& op : ops) {
        for (const char* stage : kStages) {
            if (isNull(member(member(&m_golden, "stages"), stage)))
                continue;
            const auto count = [&](const auto& rows) {
                const auto row = rows.find(op);
                return row == rows.end() ? &zero : member(row->second, stage);
            };
            if (!isNull(count(a)))
                check("diff_ops", op, stage, count(a), count(b));
        }
    }
}

void Comparison::tensors()
{
    for (const char* stage : kStages) {
        const Value* g = member(member(member(&m_golden, "stages"), stage), "tensors");
        const Value* other = member(member(&m_dump, "stages"), stage);
        const Value* d = member(other, "tensors");
        if (!g || isNull(other))
            continue;
        std::set<std::string> names;
        for (const Value* side : {g, d}) {
            if (!side)
                continue;
            for (const auto& item : side->GetObject())
                names.insert(item.name.GetString());
        }
        for (const std::string& name : names) {
            const Value* a = member(g, name.c_str());
            const Value* b = member(d, name.c_str());
            const std::string place = std::string(stage) + ":" + name;
            if (!a || !b) {
                differ("tensors", place, "present", a ? "true" : kMissing, b ? "true" : kMissing);
                continue;
            }
            check("tensors", place, "shape", member(a, "shape"), member(b, "shape"));
            check("tensors", place, "dtype", member(a, "dtype"), member(b, "dtype"));
            if (m_tolerance.hashes)
                check("tensors", place, "sha256", member(a, "sha256"), member(b, "sha256"));
        }
    }
}

} // namespace

std::vector<DumpDifference> compareDumps(const Value& golden, const Value& dump,
                                         const DumpTolerance& tolerance)
{
    return Comparison(golden, dump, tolerance).run();
}

rapidjson::Document parseDump(const std::string& text, std::string& error)
{
    rapidjson::Document document;
    document.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag>(
        text.data(), text.size());
    error.clear();
    if (document.HasParseError())
        error = "no JSON at byte " + std::to_string(document.GetErrorOffset());
    else if (!document.IsObject() || stringOf(member(&document, "format")) != "pt2e.stages")
        error = "not a stage dump";
    return document;
}

} // namespace pt2e

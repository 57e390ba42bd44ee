#include "core/pipeline/DumpComparison.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace pt2e::dump {

namespace {

std::map<std::string, const Value*> byName(const Value& list, const char* key)
{
    std::map<std::string, const Value*> map;
    for (const Value& item : list.GetArray())
        map[stringOf(member(&item, key))] = &item;
    return map;
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

} // namespace

std::map<std::string, const Value*> Comparison::entries(const char* section, const char* key,
                                                        const Value*& golden)
{
    const Value* d = nullptr;
    if (!listed(section, &m_golden, &m_dump, section, golden, d)) {
        golden = nullptr;
        return {};
    }
    checkNames(section, comparedNames(*golden, key), comparedNames(*d, key));
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
        checkNames("unannotated", comparedNames(*g, nullptr), comparedNames(*d, nullptr));
}

void Comparison::sharing()
{
    const Value *g = nullptr, *d = nullptr;
    if (!m_isPrepared || !listed("sharing", &m_golden, &m_dump, "sharing", g, d))
        return;
    const auto groups = [this](const Value& list) {
        std::vector<std::set<std::string>> sets;
        for (const Value& group : list.GetArray()) {
            const Names points = comparedNames(group, nullptr);
            if (!points.empty())
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

} // namespace pt2e::dump

// One comparison of two stage dumps: DumpCompare.cpp has values, graphs and tensors, DumpSections.cpp the lists beside them.
#pragma once

#include "core/pipeline/DumpCompare.h"

#include <map>
#include <string>
#include <vector>

namespace pt2e::dump {

using rapidjson::Value;
inline constexpr const char* kMissing = "<missing>";
inline constexpr const char* kStages[] = {"exported", "prepared", "converted"};

/// The member, or nullptr if there is none or this is no object.
const Value* member(const Value* object, const char* key);
inline bool isNull(const Value* value) { return !value || value->IsNull(); }
std::string jsonText(const Value* value); ///< shortened
std::string stringOf(const Value* value); ///< "" if it is no string

using Names = std::vector<std::string>;
/// The strings of a list, or those under the key of its objects.
Names namesIn(const Value& list, const char* key);

class Comparison
{
public:
    Comparison(const Value& golden, const Value& dump, const DumpTolerance& tolerance);
    std::vector<DumpDifference> run();

private:
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
    /// path is "" or, in a body, "body/".
    void compareGraph(const std::string& section, const std::string& path, const Value& golden,
                      const Value& dump);
    void compareNode(const std::string& section, const std::string& name, const Value& golden,
                     const Value& dump);
    /// False for what stands in a body where the golden was recorded without bodies or did not get there.
    bool isCompared(const std::string& name) const
    {
        return (m_hasBodies && m_isPrepared) || name.find('/') == std::string::npos;
    }
    Names comparedNames(const Value& list, const char* key) const;
    void arguments(const std::string& section, const std::string& node, const std::string& path,
                   const Value* golden, const Value* got);
    void annotations();
    void spec(const std::string& node, const std::string& field, const Value* g, const Value* d);
    void unannotated();
    void sharing();
    void observers();
    void diffOps();
    void tensors();
    void compareTensors(const std::string& place, const Value& golden, const Value* dump);
    std::map<std::string, const Value*> entries(const char* section, const char* key,
                                                const Value*& golden);

    const Value& m_golden;
    const Value& m_dump;
    DumpTolerance m_tolerance;
    bool m_hasBodies = true; ///< the golden tells about bodies, or there are none
    bool m_isPrepared = true; ///< the golden's error is not in "prepare"
    std::vector<DumpDifference> m_differences;
};

} // namespace pt2e::dump

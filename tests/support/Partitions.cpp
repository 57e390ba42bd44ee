#include "tests/support/Partitions.h"

#include "tests/support/Cases.h"

#include <cstdlib>

namespace pt2e::test {

namespace {

using Everything = std::map<std::string, std::map<std::string, OpKinds>>;

Everything read()
{
    Everything all;
    rapidjson::Document file;
    const std::string text = readText(casePath("..", "executorch/partitions.json"));
    file.Parse(text.c_str());
    if (file.HasParseError() || !file.IsObject() || !file.HasMember("cases"))
        return all;
    for (const auto& one : file["cases"].GetObject()) {
        for (const auto& flavour : one.value.GetObject()) {
            if (flavour.value.HasMember("error"))
                continue;
            OpKinds& kinds = all[one.name.GetString()][flavour.name.GetString()];
            for (const auto& op : flavour.value.GetObject())
                kinds[op.name.GetString()] = op.value.GetString();
        }
    }
    return all;
}

} // namespace

const std::map<std::string, OpKinds>& recordedPartitions(const std::string& caseName)
{
    static const Everything all = read();
    static const std::map<std::string, OpKinds> none;
    const auto it = all.find(caseName);
    return it == all.end() ? none : it->second;
}

} // namespace pt2e::test

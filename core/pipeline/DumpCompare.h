// Compares a stage dump with another one, the "golden": of the real Python stack in tests, of any run in `pt2e diff`.
//
// Names, orders, users, arguments and integers are exact. Reals match within a relative tolerance; an observer's
// min and max are measured against the larger of the two magnitudes. Groups of "sharing" are a set of sets,
// "diff_ops" is a map. A null in the golden means: shape and dtype of a node may be anything; a section or a
// stage was not reached and is not compared. If the golden's error is in "calibrate", the observers' numbers are
// not compared; if it is in "prepare", sharing and the lists' entries in sub-graphs are not. Sub-graphs are compared
// likewise ("body/name"); where the golden was recorded without any and the dump has some, what the dump says about
// them is not compared.
#pragma once

#include <rapidjson/document.h>
#include <string>
#include <vector>

namespace pt2e {

struct DumpDifference
{
    std::string section; ///< "exported", …, "tensors"
    std::string node; ///< may be empty
    std::string field;
    std::string golden;
    std::string got;
    std::string line() const
    {
        return section + "\t" + node + "\t" + field + "\t" + golden + "\t" + got;
    }
};

struct DumpTolerance
{
    double reals = 1e-6;
    bool hashes = true;
};

std::vector<DumpDifference> compareDumps(const rapidjson::Value& golden,
                                         const rapidjson::Value& dump,
                                         const DumpTolerance& tolerance = {});

/// Parses JSON with exact reals; an empty document and `error` if it cannot.
rapidjson::Document parseDump(const std::string& text, std::string& error);

} // namespace pt2e

// The program's JSON record: everything but weights and example inputs.
#pragma once

#include "core/pt2/RawGraph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pt2e::pt2 {

enum class InputRole : std::uint8_t { User, Parameter, Buffer, Constant, CustomObject, Token };
enum class OutputRole : std::uint8_t {
    User,
    BufferMutation,
    ParameterMutation,
    InputMutation,
    Other
};

struct RawInputSpec
{
    InputRole role = InputRole::User;
    std::string name; ///< of the placeholder; may be empty for literals
    std::string target; ///< fully qualified name of what is lifted
    bool isPersistent = true;
};

struct RawOutputSpec
{
    OutputRole role = OutputRole::User;
    std::string target; ///< buffer, parameter or input that is written
};

struct RawRange
{
    std::string expression;
    std::optional<std::int64_t> low;
    std::optional<std::int64_t> high;
};

struct Program
{
    std::shared_ptr<const RawGraph> graph;
    std::vector<RawInputSpec> inputs; ///< one per placeholder
    std::vector<RawOutputSpec> outputs;
    std::vector<RawRange> ranges;
    std::map<std::string, std::int64_t> hints; ///< by infix text
    std::vector<std::string> verifiers;
    std::vector<std::string> guards;
    std::string torchVersion;
    std::string inSpec; ///< tree spec of (args, kwargs), JSON text; empty if there is none
    std::string outSpec;
    std::string custom; ///< the module's metadata "custom"
    int schemaMajor = 0;
    int schemaMinor = 0;
};

/// where names the record in errors.
Result<Program> parseProgram(const Json& root, const std::string& where, Remarks& remarks);

} // namespace pt2e::pt2

// Odd but we go on: what the user should know about, listed in Problems.
#pragma once

#include <string>
#include <vector>

namespace pt2e {

enum class Severity { Note, Warning, Error };

struct Diagnostic
{
    Severity severity = Severity::Warning;
    std::string
        code; ///< stable short identifier, e.g. "cat-not-matched"; used to group and to test
    std::string node; ///< name of the node it is about ("body/name" inside a sub-graph), or empty
    std::string place; ///< place in a file if it is about one, or empty
    std::string message; ///< one sentence, lower case, no full stop
};

using Diagnostics = std::vector<Diagnostic>;

} // namespace pt2e

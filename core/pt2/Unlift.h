// From a program with lifted weights to the graph that `ep.module(check_guards=False)` has.
#pragma once

#include "core/ir/Graph.h"
#include "core/pt2/Program.h"
#include "core/pt2/Weights.h"

namespace pt2e::pt2 {

struct UnliftedProgram
{
    GraphPtr graph;
    std::vector<std::string> inputNames; ///< per input of the program: its node in the graph
};

/// weights holds parameters and persistent buffers, constants the rest. What is in neither becomes an
/// attribute without a value, with an error-level remark. The result passes lint().
Result<UnliftedProgram> unlift(const Program& program, const WeightMap& weights,
                               const WeightMap& constants, Remarks& remarks,
                               const std::string& where);

} // namespace pt2e::pt2

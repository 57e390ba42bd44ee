// Runs a converted graph in int8 on XNNPACK, and what XNNPACK cannot do on LibTorch. Read this first,
// then Plan.h.
#pragma once

#include "core/engine/Engine.h"

#include <string>
#include <vector>

namespace pt2e {

struct XnnpackOptions
{
    int threads = 1; ///< of XNNPACK; the calling thread included
};

/// Plans the graph, packs the weights and builds one XNNPACK runtime per partition. Shapes are those
/// of the graph; run() refuses others. assignments() has an entry for each node of the graph.
/// The program runs on one thread at a time, any thread.
Result<std::unique_ptr<Program>> makeXnnpackProgram(GraphPtr converted,
                                                    const XnnpackOptions& options);

/// Facts about the XNNPACK in use, printed with every figure.
struct XnnpackInfo
{
    std::string snapshot; ///< "2024-11-08 (4ea82e5)", or what the package says
    std::vector<std::string>
        instructionSets; ///< of this CPU, as far as XNNPACK has kernels for them
};
XnnpackInfo xnnpackInfo();

} // namespace pt2e

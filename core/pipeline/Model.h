// An opened model: the exported graph and what came with it.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/base/JobContext.h"
#include "core/data/Batches.h"
#include "core/ir/Graph.h"
#include "core/pipeline/ProgramForm.h"
#include "core/pipeline/ShippedModels.h"
#include "core/pt2/Writer.h"

#include <memory>
#include <string>
#include <vector>

namespace pt2e {

struct Model
{
    std::string name; ///< "residual" or the file's name
    std::string path; ///< empty for a built-in model
    GraphPtr exported; ///< the shape ep.module(check_guards=False) has
    ProgramForm form; ///< of exported
    Diagnostics diagnostics;
    std::vector<Values> examples; ///< example inputs of the file, at most one set; empty if none
    WriteOptions
        fileOptions; ///< what the file said beside the graph (tree specs, ranges), to write it again
    /// Built-in models: random batches go on in the stream that initialised the module (interfaces.md).
    std::function<Result<Batches>(std::int64_t count, std::uint64_t seed)> randomBatches;
    std::shared_ptr<const ModelData> data; ///< of a model that comes trained; else null
};
using ModelPtr = std::shared_ptr<const Model>;

struct ModelRequest
{
    std::string what; ///< a path or a built-in model's name
    std::string
        programName; ///< --model, where an archive holds several; empty: the only one or "model"
    std::int64_t channels = 8; ///< --ch
    std::int64_t layers = 2; ///< --layers
    std::uint64_t seed = 0;
};
/// Opens a file or builds a built-in model. Errors have file, place and reason.
Result<ModelPtr> openModel(const ModelRequest& request, const JobContext& context);

} // namespace pt2e

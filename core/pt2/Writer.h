// Writing .pt2 files that torch.export.load accepts: a PT2 archive in the shape of torch 2.9 and later.
#pragma once

#include "core/pt2/Reader.h"

#include <string>
#include <utility>
#include <vector>

namespace pt2e {

struct WriteOptions
{
    std::string torchVersion = "2.13.0"; ///< stored; Python does not compare it
    int schemaMinor = 20; ///< of schema 8
    std::vector<std::string> verifiers = {"TRAINING"}; ///< allows in-place operators
    std::vector<RangeConstraint> ranges;
    SizeHints hints; ///< an expression that is not there is written without
    std::string inSpec; ///< tree specs (JSON text); empty: positional tensors, …
    std::string outSpec; ///< … and a tensor or a tuple of them
    std::string custom; ///< the module's metadata "custom", JSON text
    std::vector<std::pair<std::string, std::string>> extraFiles; ///< name below extra/, content
};

/// What a program that was read needs to be written the same way again.
WriteOptions optionsFrom(const ExportedProgram& program);

/// Lifts the graph's attributes to inputs (parameters, buffers, constants, then its placeholders) and writes
/// it, weights once per storage. examples: one value per placeholder, or none. Every value needs its
/// ValueMeta. Copies that unlifting made for mutations become mutations again. Deterministic: the same graph under the same file name gives the same bytes. Atomic: a
/// temporary name beside the path, renamed when complete.
/// Unsupported, with the node's name: operators whose arguments have no known names, opaque arguments.
Result<void> writeProgram(const std::string& path, const Graph& graph, const Values& examples,
                          const WriteOptions& options = {});

} // namespace pt2e

// Reading .pt2 files: open the archive, then a program in it. Nothing in a file is ever evaluated, weights
// are read when first used, a bad file is an error with file, place and reason.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/base/Result.h"
#include "core/ir/Graph.h"
#include "core/kernels/Value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

enum class ContainerKind : std::uint8_t {
    OldZip, ///< torch 2.1 to 2.7: flat records
    Archive ///< torch 2.8 and later: one root folder
};
/// "old zip (torch 2.1 to 2.7)", "PT2 archive (torch 2.8 and later)".
std::string containerName(ContainerKind kind);

struct ArchiveRecord
{
    std::string name;
    std::uint64_t size = 0; ///< unpacked
    std::uint64_t packedSize = 0;
};

/// An opened .pt2 file. A plain value; copies share the bytes. May be read from any thread.
class Pt2Archive
{
public:
    const std::string& path() const;
    ContainerKind kind() const;
    std::uint64_t fileSize() const;
    /// Programs in directory order; an old zip has one, called "model".
    const std::vector<std::string>& programNames() const;
    std::vector<ArchiveRecord> records() const; ///< directory order
    const Diagnostics& diagnostics() const; ///< what is odd about the container

    struct Impl;

private:
    friend Result<Pt2Archive> openArchive(Storage::Bytes bytes, const std::string& label);
    friend Result<struct ExportedProgram> readProgram(const Pt2Archive&, const std::string&);
    std::shared_ptr<const Impl> m_impl;
};

/// Opens a file: ≤ 16 MiB are copied into memory, larger ones mapped.
Result<Pt2Archive> openArchive(const std::string& path);
/// The same for bytes that are already there; label is how errors call them.
Result<Pt2Archive> openArchive(Storage::Bytes bytes, const std::string& label);

/// One input or output of a program as its signature has it.
struct SignatureItem
{
    enum class Kind : std::uint8_t {
        User,
        Parameter,
        Buffer,
        NonPersistentBuffer,
        Constant,
        CustomObject,
        Token,
        BufferMutation,
        ParameterMutation,
        InputMutation,
        Other
    };
    Kind kind = Kind::User;
    std::string name; ///< of its node in the graph; empty for a literal output
    std::string target; ///< what is lifted or written; empty for user values
    ValueMeta val;
};

/// Allowed values of a size expression; a missing bound is unbounded.
struct RangeConstraint
{
    std::string expression; ///< "s77"
    std::optional<std::int64_t> low;
    std::optional<std::int64_t> high;
};

/// What each size expression was in the example that was exported ("s77" → 3); ExecuTorch asks for it.
using SizeHints = std::map<std::string, std::int64_t>;

struct ExportedProgram
{
    std::string name;
    /// As `ep.module(check_guards=False).graph`: weights are get_attr nodes, mutations copy_ nodes.
    GraphPtr graph;
    /// Example inputs, one value per placeholder; empty if the file has none.
    Values examples;
    Diagnostics diagnostics; ///< of container and program
    std::vector<SignatureItem> inputs; ///< all, lifted ones included, in the file's order
    std::vector<SignatureItem> outputs;
    std::vector<RangeConstraint> ranges;
    SizeHints hints;
    std::vector<std::string> guards; ///< Python expressions, for show only
    std::vector<std::string> verifiers; ///< "TRAINING", "ATEN", "EDGE"
    std::string torchVersion; ///< as the file says; may be empty
    int schemaMajor = 0;
    int schemaMinor = 0;
    std::string inSpec; ///< tree specs, JSON text; may be empty
    std::string outSpec;
    std::string custom; ///< the module's metadata "custom", JSON text
};

/// Reads a program; an empty name means the only one, or the one called "model". An unknown name is an
/// error that lists those there are.
Result<ExportedProgram> readProgram(const Pt2Archive& archive, const std::string& name = {});

} // namespace pt2e

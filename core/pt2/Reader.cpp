#include "core/pt2/Reader.h"

#include "core/pt2/Examples.h"
#include "core/pt2/File.h"
#include "core/pt2/FileKind.h"
#include "core/pt2/Program.h"
#include "core/pt2/Unlift.h"
#include "core/pt2/Weights.h"

#include <algorithm>
#include <new>

namespace pt2e {

using namespace pt2;

struct Pt2Archive::Impl
{
    std::string path;
    std::uint64_t fileSize = 0;
    std::shared_ptr<const ZipReader> zip;
    Contents contents;
    Diagnostics diagnostics;
};

std::string containerName(ContainerKind kind)
{
    return kind == ContainerKind::OldZip ? "old zip (torch 2.1 to 2.7)"
                                         : "PT2 archive (torch 2.8 and later)";
}

const std::string& Pt2Archive::path() const { return m_impl->path; }
ContainerKind Pt2Archive::kind() const
{
    return m_impl->contents.isOldZip ? ContainerKind::OldZip : ContainerKind::Archive;
}
std::uint64_t Pt2Archive::fileSize() const { return m_impl->fileSize; }
const std::vector<std::string>& Pt2Archive::programNames() const
{
    return m_impl->contents.programs;
}
const Diagnostics& Pt2Archive::diagnostics() const { return m_impl->diagnostics; }

std::vector<ArchiveRecord> Pt2Archive::records() const
{
    std::vector<ArchiveRecord> found;
    for (const ZipEntry& entry : m_impl->zip->entries())
        found.push_back({entry.name, entry.size, entry.packedSize});
    return found;
}

namespace {

constexpr std::uint64_t kMaxProgram = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxPackedProgram = 256u << 20; ///< unpacked size of a compressed one
constexpr std::uint64_t kMaxExamples = std::uint64_t{16} << 30;

/// Memory runs out only for files made to that end; they get an ordinary error.
template<typename Work>
auto withoutBadAlloc(const std::string& where, Work work) -> decltype(work())
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return badInput(where, "not enough memory to read it");
    } catch (const std::length_error&) {
        return badInput(where, "not enough memory to read it");
    }
}

Result<void> checkContainer(const ZipReader& zip, const Contents& contents, Remarks& remarks)
{
    if (contents.isOldZip)
        return {};
    if (contents.lacksFormat)
        remarks.add(Severity::Warning, "no-archive-format", {}, contents.root + "archive_format",
                    "the archive has no archive_format record; Python refuses to load it");
    for (const std::string_view name : {"archive_version", "byteorder"}) {
        if (!zip.contains(contents.root + std::string(name)))
            continue;
        PT2E_ASSIGN(const std::string text, zip.readText(contents.root + std::string(name), 64));
        if (name == "byteorder" && text != "little")
            return badInput(zip.label() + ": byteorder",
                            "is not 'little': big-endian files cannot be read");
        if (name == "archive_version" && text != "0")
            remarks.add(Severity::Warning, "archive-version", {}, contents.root + "archive_version",
                        "the archive's version is not 0; Python refuses to load it");
    }
    return {};
}

struct WeightMaps
{
    WeightMap weights;
    WeightMap constants;
};

/// The first of several record names that exists, or nullptr.
const ZipEntry* firstOf(const ZipReader& zip, std::initializer_list<std::string> names)
{
    for (const std::string& name : names) {
        if (const ZipEntry* entry = zip.find(name))
            return entry;
    }
    return nullptr;
}

Result<WeightMap> readOldWeights(const std::shared_ptr<const ZipReader>& zip,
                                 const std::string& stem, Remarks& remarks)
{
    const ZipEntry* record = firstOf(*zip, {stem + ".pt", stem + ".json"});
    if (record)
        return readPickledWeights(zip, *record);
    remarks.add(Severity::Warning, "no-weights", {}, stem + ".pt",
                "record '" + stem + ".pt' is missing");
    return WeightMap{};
}

Result<WeightMap> readArchiveWeights(const std::shared_ptr<const ZipReader>& zip,
                                     const std::string& folder, const std::string& program,
                                     const std::string& what, Remarks& remarks)
{
    if (const ZipEntry* pickle = zip->find(folder + program + ".pt"))
        return readPickledWeights(zip, *pickle); // 2.8
    const std::string config = program + "_" + what + "_config.json";
    if (zip->contains(folder + config))
        return readConfiguredWeights(zip, folder, config, remarks);
    remarks.add(Severity::Warning, "no-weights", {}, folder + config,
                "record '" + folder + config + "' is missing");
    return WeightMap{};
}

Result<WeightMaps> readWeights(const std::shared_ptr<const ZipReader>& zip,
                               const Contents& contents, const std::string& program,
                               Remarks& remarks)
{
    WeightMaps maps;
    if (contents.isOldZip) {
        PT2E_ASSIGN(maps.weights, readOldWeights(zip, "serialized_state_dict", remarks));
        PT2E_ASSIGN(maps.constants, readOldWeights(zip, "serialized_constants", remarks));
        return maps;
    }
    PT2E_ASSIGN(maps.weights, readArchiveWeights(zip, contents.root + "data/weights/", program,
                                                 "weights", remarks));
    PT2E_ASSIGN(maps.constants, readArchiveWeights(zip, contents.root + "data/constants/", program,
                                                   "constants", remarks));
    return maps;
}

/// Example inputs are a convenience: what is wrong with them is a remark, not a failure.
Values readProgramExamples(const ZipReader& zip, const Contents& contents,
                           const std::string& program, const Program& parsed, Remarks& remarks)
{
    const std::string name = contents.isOldZip
                                 ? "serialized_example_inputs.pt"
                                 : contents.root + "data/sample_inputs/" + program + ".pt";
    const ZipEntry* record = zip.find(name);
    if (!record || record->size == 0)
        return {};
    const auto read = [&]() -> Result<Values> {
        PT2E_ASSIGN(Storage::Bytes bytes, zip.read(*record, kMaxExamples));
        PT2E_ASSIGN(TorchSave file, TorchSave::open(std::move(bytes), zip.label() + ": " + name));
        return readExamples(file, parsed.inSpec);
    };
    Result<Values> values = read();
    std::size_t expected = 0;
    for (const RawInputSpec& spec : parsed.inputs)
        expected += spec.role == InputRole::User ? 1 : 0;
    if (values && (values->empty() || values->size() == expected))
        return std::move(*values);
    remarks.add(Severity::Warning, "examples", {}, name,
                "the example inputs cannot be used: "
                    + (values ? std::to_string(values->size()) + " values for "
                                    + std::to_string(expected) + " inputs"
                              : values.error().what));
    return {};
}

SignatureItem::Kind kindOf(const RawInputSpec& spec)
{
    using Kind = SignatureItem::Kind;
    switch (spec.role) {
    case InputRole::User: return Kind::User;
    case InputRole::Parameter: return Kind::Parameter;
    case InputRole::Buffer: return spec.isPersistent ? Kind::Buffer : Kind::NonPersistentBuffer;
    case InputRole::Constant: return Kind::Constant;
    case InputRole::CustomObject: return Kind::CustomObject;
    case InputRole::Token: return Kind::Token;
    }
    return Kind::Other;
}

SignatureItem::Kind kindOf(const RawOutputSpec& spec)
{
    using Kind = SignatureItem::Kind;
    switch (spec.role) {
    case OutputRole::User: return Kind::User;
    case OutputRole::BufferMutation: return Kind::BufferMutation;
    case OutputRole::ParameterMutation: return Kind::ParameterMutation;
    case OutputRole::InputMutation: return Kind::InputMutation;
    case OutputRole::Other: return Kind::Other;
    }
    return Kind::Other;
}

void fillSignature(const Program& parsed, const UnliftedProgram& unlifted, ExportedProgram& out)
{
    const std::vector<RawNode>& nodes = parsed.graph->nodes;
    for (std::size_t i = 0; i < parsed.inputs.size(); ++i)
        out.inputs.push_back({kindOf(parsed.inputs[i]), unlifted.inputNames[i],
                              parsed.inputs[i].target, nodes[i].val});
    const Argument& results = nodes.back().args.front();
    const ArgumentList* list = results.get<ArgumentList>();
    for (std::size_t i = 0; i < parsed.outputs.size(); ++i) {
        const NodeId producer = (list ? list->items[i] : results).node();
        SignatureItem item{kindOf(parsed.outputs[i]), {}, parsed.outputs[i].target, {}};
        if (producer) {
            item.name = nodes[producer.value].name;
            item.val = nodes[producer.value].val;
        }
        out.outputs.push_back(std::move(item));
    }
    for (const RawRange& range : parsed.ranges)
        out.ranges.push_back({range.expression, range.low, range.high});
    out.hints = parsed.hints;
}

/// What Python would execute when it loads the file; this reader does not.
void remarkRisks(const ZipReader& zip, Remarks& remarks)
{
    for (const ZipEntry& entry : zip.entries()) {
        if (entry.name.find("/opaque_obj_") != std::string::npos
            || entry.name.find("/custom_obj_") != std::string::npos)
            remarks.add(Severity::Warning, "python-object", {}, entry.name,
                        "'" + entry.name + "' is an object that only Python can load");
    }
}

Result<std::string> chooseProgram(const ZipReader& zip, const Contents& contents,
                                  const std::string& name)
{
    const std::vector<std::string>& there = contents.programs;
    const std::string wanted = name.empty() ? (there.size() == 1 ? there.front() : "model") : name;
    if (std::find(there.begin(), there.end(), wanted) != there.end())
        return wanted;
    std::string list;
    for (const std::string& program : there)
        list += (list.empty() ? "" : ", ") + program;
    if (name.empty())
        return badInput(zip.label(), "holds several programs, choose one of: " + list);
    return badInput(zip.label(), "holds no program '" + name + "', only: " + list);
}

Result<ExportedProgram> readChecked(const ZipReader& zip,
                                    const std::shared_ptr<const ZipReader>& shared,
                                    const Contents& contents, const std::string& name)
{
    const std::string record = contents.isOldZip ? "serialized_exported_program.json"
                                                 : contents.root + "models/" + name + ".json";
    const ZipEntry* entry = zip.find(record);
    if (!entry)
        return badInput(zip.label(), "record '" + record + "' is missing");
    PT2E_ASSIGN(const Storage::Bytes bytes,
                zip.read(*entry, entry->isDeflated ? kMaxPackedProgram : kMaxProgram));
    const std::string where =
        zip.label() + ": " + (contents.isOldZip ? record : "models/" + name + ".json");
    PT2E_ASSIGN(std::unique_ptr<JsonDocument> document, JsonDocument::parse(bytes.data, where));
    Remarks remarks;
    PT2E_ASSIGN(const Program parsed, parseProgram(document->root(), where, remarks));
    document.reset();

    PT2E_ASSIGN(const WeightMaps maps, readWeights(shared, contents, name, remarks));
    PT2E_ASSIGN(UnliftedProgram unlifted,
                unlift(parsed, maps.weights, maps.constants, remarks, where));
    ExportedProgram out;
    out.name = name;
    fillSignature(parsed, unlifted, out);
    out.graph = std::move(unlifted.graph);
    out.examples = readProgramExamples(zip, contents, name, parsed, remarks);
    out.guards = parsed.guards;
    out.verifiers = parsed.verifiers;
    out.torchVersion = parsed.torchVersion;
    out.schemaMajor = parsed.schemaMajor;
    out.schemaMinor = parsed.schemaMinor;
    out.inSpec = parsed.inSpec;
    out.outSpec = parsed.outSpec;
    out.custom = parsed.custom;
    remarkRisks(zip, remarks);
    for (const RawInputSpec& spec : parsed.inputs) {
        if (spec.role == InputRole::Token)
            remarks.warn("effect-token", spec.name, "effect tokens stay in the graph as inputs");
    }
    out.diagnostics = remarks.take();
    return out;
}

} // namespace

Result<Pt2Archive> openArchive(const std::string& path)
{
    return withoutBadAlloc(path, [&]() -> Result<Pt2Archive> {
        PT2E_ASSIGN(Storage::Bytes bytes, readWholeFile(path));
        return openArchive(std::move(bytes), path);
    });
}

Result<Pt2Archive> openArchive(Storage::Bytes bytes, const std::string& label)
{
    return withoutBadAlloc(label, [&]() -> Result<Pt2Archive> {
        if (!looksLikeZip(bytes.data))
            return badInput(label, describeOtherFile(bytes.data));
        auto impl = std::make_shared<Pt2Archive::Impl>();
        impl->path = label;
        impl->fileSize = bytes.data.size();
        PT2E_ASSIGN(ZipReader zip, ZipReader::open(std::move(bytes), label));
        impl->zip = std::make_shared<const ZipReader>(std::move(zip));
        PT2E_ASSIGN(impl->contents, findPrograms(*impl->zip));
        Remarks remarks;
        PT2E_TRY(checkContainer(*impl->zip, impl->contents, remarks));
        impl->diagnostics = remarks.take();
        Pt2Archive archive;
        archive.m_impl = std::move(impl);
        return archive;
    });
}

Result<ExportedProgram> readProgram(const Pt2Archive& archive, const std::string& name)
{
    const Pt2Archive::Impl& impl = *archive.m_impl;
    return withoutBadAlloc(impl.path, [&]() -> Result<ExportedProgram> {
        PT2E_ASSIGN(const std::string chosen, chooseProgram(*impl.zip, impl.contents, name));
        PT2E_ASSIGN(ExportedProgram program,
                    readChecked(*impl.zip, impl.zip, impl.contents, chosen));
        program.diagnostics.insert(program.diagnostics.begin(), impl.diagnostics.begin(),
                                   impl.diagnostics.end());
        return program;
    });
}

} // namespace pt2e

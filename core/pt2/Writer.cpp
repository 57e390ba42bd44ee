#include "core/pt2/Writer.h"

#include "core/base/OutputFile.h"
#include "core/pt2/GraphWriter.h"
#include "core/pt2/PickleWriter.h"
#include "core/pt2/ProgramWriter.h"
#include "core/pt2/Zip.h"
#include "core/pt2/ZipWriter.h"

#include <filesystem>
#include <map>

namespace pt2e {

using namespace pt2;

namespace {

/// The archive's folder: the file's name up to its last dot, as PyTorch does.
std::string rootOf(const std::string& path)
{
    const std::string stem = std::filesystem::path(path).stem().string();
    return stem.empty() || stem.starts_with('.') || !isCleanUtf8(stem)
                   || stem.find_first_of("\\:") != std::string::npos
               ? "archive"
               : stem;
}

class ArchiveWriter
{
public:
    ArchiveWriter(ZipWriter& zip, std::string root) : m_zip(zip), m_root(std::move(root) + "/") {}

    Result<void> add(const std::string& name, std::string_view text)
    {
        return m_zip.add(m_root + name, text);
    }

    /// Records of one kind and the config that describes them; tensors that share a storage share a record.
    Result<void> weights(const std::vector<LiftedWeight>& all, bool areWeights)
    {
        const std::string folder = areWeights ? "data/weights/" : "data/constants/";
        const std::string prefix = areWeights ? "weight_" : "tensor_";
        std::map<std::pair<const Storage*, DType>, std::string> files;
        std::string config = R"({"config": {)";
        bool isFirst = true;
        for (const LiftedWeight& weight : all) {
            if (weight.isInWeights() != areWeights)
                continue;
            const Tensor& tensor = weight.attribute.value;
            const auto [file, isNew] = files.try_emplace({tensor.storage().get(), tensor.dtype()},
                                                         prefix + std::to_string(files.size()));
            if (isNew) {
                PT2E_ASSIGN(const auto bytes, tensor.storage()->bytes());
                PT2E_TRY(m_zip.add(m_root + folder + file->second, bytes));
            }
            JsonText name;
            name.value(std::string_view(weight.fqn));
            const bool isParameter = weight.attribute.kind == AttributeKind::Parameter;
            config += (isFirst ? "" : ", ") + name.text() + R"(: {"path_name": ")" + file->second
                      + R"(", "is_param": )" + (isParameter ? "true" : "false")
                      + R"(, "use_pickle": false, "tensor_meta": )"
                      + tensorMetaJson(tensor, weight.requiresGrad) + "}";
            isFirst = false;
        }
        return add(folder
                       + (areWeights ? "model_weights_config.json" : "model_constants_config.json"),
                   config + "}}");
    }

private:
    ZipWriter& m_zip;
    std::string m_root;
};

} // namespace

WriteOptions optionsFrom(const ExportedProgram& program)
{
    WriteOptions options;
    if (!program.torchVersion.empty())
        options.torchVersion = program.torchVersion;
    if (!program.verifiers.empty())
        options.verifiers = program.verifiers;
    options.ranges = program.ranges;
    options.hints = program.hints;
    options.inSpec = program.inSpec;
    options.outSpec = program.outSpec;
    options.custom = program.custom;
    return options;
}

Result<void> writeProgram(const std::string& path, const Graph& graph, const Values& examples,
                          const WriteOptions& options)
{
    PT2E_ASSIGN(const WrittenProgram program, writeProgramJson(graph, options));
    std::string sampleInputs;
    if (!examples.empty()) {
        PT2E_ASSIGN(sampleInputs, writeExamples(examples, options.inSpec));
    }
    PT2E_ASSIGN(OutputFile file, OutputFile::create(path));
    ZipWriter zip([&file](std::span<const std::byte> bytes) { return file.write(bytes); });
    ArchiveWriter archive(zip, rootOf(path));
    PT2E_TRY(archive.weights(program.weights, true));
    PT2E_TRY(archive.weights(program.weights, false));
    PT2E_TRY(archive.add("models/model.json", program.json));
    PT2E_TRY(archive.add("data/sample_inputs/model.pt", sampleInputs));
    for (const auto& [name, content] : options.extraFiles)
        PT2E_TRY(archive.add("extra/" + name, content));
    PT2E_TRY(archive.add("archive_format", "pt2"));
    PT2E_TRY(archive.add("archive_version", "0"));
    PT2E_TRY(archive.add(".data/version", "6\n"));
    PT2E_TRY(archive.add("byteorder", "little"));
    PT2E_TRY(zip.finish());
    return file.commit();
}

} // namespace pt2e

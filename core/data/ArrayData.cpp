#include "core/data/ArrayData.h"

#include "core/data/GraphInputs.h"
#include "core/data/Npz.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <unordered_map>

namespace pt2e {

namespace {

std::string fileName(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
}

/// The number between prefix and the end, or nothing.
std::optional<std::int64_t> numberAfter(std::string_view text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return std::nullopt;
    text.remove_prefix(prefix.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isCanonical =
        !text.empty() && (text.size() == 1 || text.front() != '0') && text.front() != '-';
    if (error != std::errc() || end != text.data() + text.size() || !isCanonical)
        return std::nullopt;
    return number;
}

/// "b3_i0" → (3, 0).
std::optional<std::pair<std::int64_t, std::int64_t>> placeOf(std::string_view name)
{
    const std::size_t split = name.find('_');
    if (split == std::string_view::npos)
        return std::nullopt;
    const auto batch = numberAfter(name.substr(0, split), "b");
    const auto input = numberAfter(name.substr(split), "_i");
    if (!batch || !input)
        return std::nullopt;
    return std::pair(*batch, *input);
}

/// One file: batches of flat inputs.
class ArrayFile
{
public:
    static Result<ArrayFile> open(const std::string& path, const Graph& graph)
    {
        PT2E_ASSIGN(ArrayReader reader, ArrayReader::open(path));
        ArrayFile file{std::move(reader), path};
        PT2E_TRY(file.m_reader.isNpy() ? file.indexNpy(graph) : file.indexNpz(graph));
        return file;
    }
    std::int64_t count() const { return m_count; }
    const std::string& path() const { return m_path; }

    /// The error names file and array.
    Result<Values> read(const Graph& graph, std::int64_t batch) const
    {
        return m_reader.isNpy() ? readNpy(graph, batch) : readNpz(graph, batch);
    }
    /// Size of the first axis of the batch's first array; 0 if it has none or cannot be read.
    std::int64_t rows(std::int64_t batch) const
    {
        if (m_reader.isNpy())
            return m_all.shape().size() > 1 ? m_all.shape()[1] : 1;
        const auto found = m_index.find(std::pair(batch, std::int64_t{0}));
        const auto array =
            found == m_index.end() ? badInput("", "none") : m_reader.read(found->second);
        return array && !array->shape().empty() ? array->shape().front() : 0;
    }

private:
    struct PairHash
    {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& pair) const
        {
            return std::hash<std::int64_t>()(pair.first * 1009 + pair.second);
        }
    };

    ArrayFile(ArrayReader reader, std::string path)
        : m_reader(std::move(reader)),
          m_path(std::move(path))
    {}
    Result<void> indexNpz(const Graph& graph);
    Result<void> indexNpy(const Graph& graph);
    Result<Values> readNpz(const Graph& graph, std::int64_t batch) const;
    Result<Values> readNpy(const Graph& graph, std::int64_t batch) const;

    ArrayReader m_reader;
    std::string m_path;
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, std::size_t, PairHash> m_index;
    Tensor m_all; ///< of a .npy
    std::int64_t m_count = 0;
};

Result<void> ArrayFile::indexNpz(const Graph& graph)
{
    const auto inputs = static_cast<std::int64_t>(graph.placeholders().size());
    for (std::size_t i = 0; i < m_reader.names().size(); ++i) {
        const std::string& name = m_reader.names()[i];
        const auto place = placeOf(name);
        if (!place)
            return badInput(m_path, fmt::format("array '{}' is not named b<batch>_i<input>", name));
        if (place->second >= inputs)
            return badInput(m_path,
                            fmt::format("array '{}': the graph has {} inputs", name, inputs));
        m_index.emplace(*place, i);
        m_count = std::max(m_count, place->first + 1);
    }
    // A gap would otherwise be counted through: b9999999999_i0.
    if (m_count > static_cast<std::int64_t>(m_reader.names().size()))
        return badInput(m_path,
                        fmt::format("batches are not numbered from 0 without gaps (highest is b{})",
                                    m_count - 1));
    return {};
}

Result<void> ArrayFile::indexNpy(const Graph& graph)
{
    PT2E_ASSIGN(m_all, m_reader.read(0));
    const std::vector<NodeId> inputs = graph.placeholders();
    if (inputs.size() != 1 || !graph.node(inputs.front()).val.tensor())
        return badInput(
            m_path,
            fmt::format("a .npy file holds one input, the graph has {}: give a .npz with arrays "
                        "b<batch>_i<input>",
                        inputs.size()));
    if (m_all.shape().empty())
        return badInput(m_path, "the array has no dimensions; the first one runs over the batches");
    m_count = m_all.shape().front();
    return {};
}

Result<Values> ArrayFile::readNpz(const Graph& graph, std::int64_t batch) const
{
    Values values;
    Symbols symbols;
    for (const NodeId id : graph.placeholders()) {
        const Node& input = graph.node(id);
        const auto i = static_cast<std::int64_t>(values.size());
        const std::string name = fmt::format("b{}_i{}", batch, i);
        const auto found = m_index.find(std::pair(batch, i));
        if (found == m_index.end()) {
            auto constant = constantOf(input);
            if (!constant)
                return badInput(
                    m_path, fmt::format("array '{}' for input '{}' is missing", name, input.name));
            values.push_back(std::move(*constant));
            continue;
        }
        PT2E_ASSIGN(const Tensor array, m_reader.read(found->second));
        auto value = asInput(input, array, symbols);
        if (!value)
            return fail(value.error().code, fmt::format("{}: array '{}'", m_path, name),
                        value.error().message());
        values.push_back(std::move(*value));
    }
    return values;
}

Result<Values> ArrayFile::readNpy(const Graph& graph, std::int64_t batch) const
{
    const std::vector<std::int64_t> shape(m_all.shape().begin() + 1, m_all.shape().end());
    std::int64_t step = 1;
    for (const std::int64_t size : shape)
        step *= size;
    const Tensor part(m_all.storage(), m_all.dtype(), shape, Tensor::contiguousStrides(shape),
                      m_all.offset() + batch * step);
    Symbols symbols;
    auto value = asInput(graph.node(graph.placeholders().front()), part, symbols);
    if (!value)
        return fail(value.error().code, m_path,
                    "each batch (the first axis runs over the batches) " + value.error().message());
    return Values{std::move(*value)};
}

class ArrayData final : public DataSet
{
public:
    ArrayData(std::vector<ArrayFile> files, Diagnostics problems, const Graph& graph, bool hasNaN)
        : m_files(std::move(files)),
          m_graph(graph),
          m_hasNaN(hasNaN)
    {
        m_problems = std::move(problems);
        for (const ArrayFile& file : m_files)
            m_count += file.count();
        m_starts.push_back(0);
    }
    void limitTo(std::int64_t samples)
    {
        m_labelsWanted = sampleCount();
        std::int64_t batches = 0;
        while (batches < m_count && startOf(batches) < samples)
            ++batches;
        m_count = batches;
    }
    void describe(std::string description) { m_description = std::move(description); }

    std::int64_t batchCount() const override { return m_count; }
    std::int64_t sampleCount() const override { return startOf(m_count); }
    std::int64_t batchOf(std::int64_t sample) const override
    {
        std::int64_t batch = 0;
        while (batch + 1 < m_count && startOf(batch + 1) <= sample)
            ++batch;
        return batch;
    }
    Result<DataBatch> read(std::int64_t batch) const override;

private:
    std::pair<const ArrayFile*, std::int64_t> fileOf(std::int64_t batch) const
    {
        for (const ArrayFile& file : m_files) {
            if (batch < file.count())
                return {&file, batch};
            batch -= file.count();
        }
        return {nullptr, 0};
    }
    /// Samples before the batch.
    std::int64_t startOf(std::int64_t batch) const
    {
        while (static_cast<std::int64_t>(m_starts.size()) <= batch) {
            const auto [file, i] = fileOf(static_cast<std::int64_t>(m_starts.size()) - 1);
            m_starts.push_back(m_starts.back() + file->rows(i));
        }
        return m_starts[static_cast<std::size_t>(batch)];
    }

    std::vector<ArrayFile> m_files;
    const Graph& m_graph;
    bool m_hasNaN;
    std::int64_t m_count = 0;
    mutable std::vector<std::int64_t> m_starts; ///< found as they are asked for
};

Result<void> checkNaN(const Graph& graph, const Values& values, const std::string& where)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Tensor* tensor = values[i].tensor();
        if (!tensor || (tensor->dtype() != DType::Float32 && tensor->dtype() != DType::Float64))
            continue;
        PT2E_ASSIGN(const std::vector<double> elements, tensor->toDoubles());
        std::int64_t count = 0;
        for (const double element : elements)
            count += std::isnan(element) ? 1 : 0;
        if (count > 0)
            return badInput(where,
                            fmt::format("{} of {} values for input '{}' are NaN", count,
                                        elements.size(), graph.node(graph.placeholders()[i]).name));
    }
    return {};
}

Result<DataBatch> ArrayData::read(std::int64_t batch) const
{
    const auto [file, i] = fileOf(batch);
    DataBatch read;
    PT2E_ASSIGN(read.inputs, file->read(m_graph, i));
    const auto noNaN = checkNaN(m_graph, read.inputs, fmt::format("{}: batch {}", file->path(), i));
    if (!noNaN && !m_hasNaN)
        return passOn(noNaN);
    if (!noNaN)
        read.problems.push_back(
            {Severity::Warning, "nan-in-data", "", noNaN.error().where, noNaN.error().what});
    const Tensor* first = read.inputs.empty() ? nullptr : read.inputs.front().tensor();
    for (std::int64_t row = 0; first && !first->shape().empty() && row < first->shape().front();
         ++row)
        read.samples.push_back(startOf(batch) + row);
    PT2E_ASSIGN(read.hash, hashOf(read.inputs));
    return read;
}

} // namespace

Result<std::unique_ptr<DataSet>> openArrays(const std::vector<std::string>& paths,
                                            const Graph& graph, std::int64_t samples, bool hasNaN)
{
    std::vector<ArrayFile> files;
    Diagnostics problems;
    std::optional<Error> first;
    for (const std::string& path : paths) {
        auto file = ArrayFile::open(path, graph);
        if (file) {
            files.push_back(std::move(*file));
            continue;
        }
        if (!first)
            first = file.error();
        problems.push_back(leftOut(file.error()));
    }
    if (files.empty() && first)
        return tl::unexpected<Error>(*first);
    auto data = std::make_unique<ArrayData>(std::move(files), std::move(problems), graph, hasNaN);
    data->describe(paths.size() == 1 ? fileName(paths.front())
                                     : fmt::format("{} files of arrays", paths.size()));
    if (samples > 0)
        data->limitTo(samples);
    return data;
}

} // namespace pt2e

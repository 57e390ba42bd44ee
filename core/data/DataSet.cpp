#include "core/data/DataSet.h"

#include "core/data/ArrayData.h"
#include "core/data/Gzip.h"
#include "core/data/Idx.h"
#include "core/data/Labels.h"
#include "core/data/Npy.h"
#include "core/data/SampleData.h"
#include "core/pt2/File.h"
#include "core/pt2/Zip.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace pt2e {

namespace fs = std::filesystem;

namespace {

using Opened = Result<std::unique_ptr<DataSet>>;

std::string fileName(const std::string& path) { return fs::path(path).filename().string(); }

std::string lowerSuffix(const fs::path& path)
{
    std::string suffix = path.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return suffix;
}

bool isPicture(const fs::path& path)
{
    const std::string suffix = lowerSuffix(path);
    return suffix == ".png" || suffix == ".jpg" || suffix == ".jpeg";
}

bool isArrays(const fs::path& path)
{
    const std::string suffix = lowerSuffix(path);
    return suffix == ".npz" || suffix == ".npy";
}

/// Errors about the data as a whole name the path.
template<typename T>
Result<T> at(const std::string& path, Result<T> result)
{
    if (!result && result.error().where.empty())
        return fail(result.error().code, path, result.error().what);
    return result;
}

// ---- arrays whose first axis runs over the samples

Opened openSamples(const DataRequest& request, const Graph& graph, Tensor all)
{
    if (all.shape().empty())
        return badInput(request.path, "the array has no dimensions; the first one runs over the "
                                      "samples");
    const std::vector<std::int64_t> sample(all.shape().begin() + 1, all.shape().end());
    const bool isPictures = isPictureShape(all.dtype(), sample);
    SampleDataParts parts;
    PT2E_ASSIGN(
        parts.form,
        at(request.path, sampleFormOf(graph, isPictures ? std::vector<std::int64_t>{} : sample)));
    parts.source = samplesOf(std::move(all), request.path);
    parts.name = fileName(request.path);
    return at(request.path,
              batchesOfSamples(std::move(parts), graph, request.format, request.samples));
}

/// A file without a header.
Opened openRaw(const DataRequest& request, const Graph& graph)
{
    const std::vector<std::int64_t>& shape = request.format.rawShape;
    PT2E_ASSIGN(const SampleForm form, at(request.path, sampleFormOf(graph, shape)));
    PT2E_ASSIGN(const Storage::Bytes file, readPlainFile(request.path));
    const DType dtype = request.format.rawDtype.value_or(form.dtype);
    std::uint64_t size = elementSize(dtype);
    for (const std::int64_t length : shape) {
        if (length <= 0)
            return badInput(request.path, "sizes of a sample must be larger than 0");
        if (size <= file.data.size())
            size *= static_cast<std::uint64_t>(length);
    }
    if (file.data.empty() || file.data.size() % size != 0)
        return badInput(
            request.path,
            fmt::format("has {} bytes, which are no whole samples of shape {} and dtype "
                        "{}",
                        file.data.size(), shapeText({shape.begin(), shape.end()}),
                        dtypeName(dtype)));
    std::vector<std::int64_t> all = shape;
    all.insert(all.begin(), static_cast<std::int64_t>(file.data.size() / size));
    return openSamples(request, graph, Tensor::fromBytes(dtype, all, file.data));
}

/// Whether the array's first axis runs over samples rather than batches: it has as many axes as the input.
bool holdsSamples(const NpyHeader& header, const Graph& graph)
{
    const std::vector<NodeId> inputs = graph.placeholders();
    const TensorMeta* meta = inputs.size() == 1 ? graph.node(inputs.front()).val.tensor() : nullptr;
    return meta && !header.shape.empty() && header.shape.size() <= meta->shape.size();
}

// ---- folders

struct FolderContents
{
    std::vector<fs::path> pictures; ///< directly in it, sorted
    std::vector<fs::path> arrays;
    std::vector<fs::path> folders;
};

Result<FolderContents> contentsOf(const fs::path& folder)
{
    FolderContents contents;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        const fs::path& path = it->path();
        if (path.filename().string().starts_with("."))
            continue;
        if (it->is_directory(ignored))
            contents.folders.push_back(path);
        else if (isPicture(path))
            contents.pictures.push_back(path);
        else if (isArrays(path))
            contents.arrays.push_back(path);
    }
    if (error)
        return fail(ErrorCode::Io, folder.string(), error.message());
    for (auto* paths : {&contents.pictures, &contents.arrays, &contents.folders})
        std::sort(paths->begin(), paths->end());
    return contents;
}

Opened openPictures(const DataRequest& request, const Graph& graph, const FolderContents& contents)
{
    SampleDataParts parts;
    std::vector<std::string> paths;
    for (const fs::path& path : contents.pictures)
        paths.push_back(path.string());
    // As torchvision's ImageFolder: folders in the order of their names are the classes.
    const bool isByClass = contents.pictures.empty();
    for (const fs::path& folder : isByClass ? contents.folders : std::vector<fs::path>{}) {
        PT2E_ASSIGN(const FolderContents inside, contentsOf(folder));
        if (inside.pictures.empty())
            continue;
        for (const fs::path& path : inside.pictures) {
            paths.push_back(path.string());
            parts.labels.push_back(static_cast<std::int64_t>(parts.classNames.size()));
        }
        parts.classNames.push_back(folder.filename().string());
    }
    if (paths.empty())
        return badInput(request.path,
                        "is a folder without PNG or JPEG pictures, .npz or .npy files "
                        "in it or in the folders in it");
    PT2E_ASSIGN(parts.form, at(request.path, sampleFormOf(graph, {})));
    parts.source = samplesOf(std::move(paths));
    parts.name = fmt::format("pictures in {}",
                             fileName((fs::path(request.path) / "x").parent_path().string()));
    return at(request.path,
              batchesOfSamples(std::move(parts), graph, request.format, request.samples));
}

Opened openFolder(const DataRequest& request, const Graph& graph)
{
    PT2E_ASSIGN(const FolderContents contents, contentsOf(request.path));
    if (contents.pictures.empty() && !contents.arrays.empty()) {
        std::vector<std::string> paths;
        for (const fs::path& path : contents.arrays)
            paths.push_back(path.string());
        return openArrays(paths, graph, request.samples, request.hasNaN);
    }
    return openPictures(request, graph, contents);
}

class MemoryData final : public DataSet
{
public:
    explicit MemoryData(Batches batches) : m_batches(std::move(batches))
    {
        m_description = m_batches.description;
        m_problems = m_batches.problems;
        std::int64_t samples = 0;
        for (const Values& batch : m_batches.batches) {
            m_starts.push_back(samples);
            const Tensor* first = batch.empty() ? nullptr : batch.front().tensor();
            samples += first && !first->shape().empty() ? first->shape().front() : 0;
        }
        m_labelsWanted = samples;
    }
    std::int64_t batchCount() const override
    {
        return static_cast<std::int64_t>(m_batches.batches.size());
    }
    std::int64_t sampleCount() const override { return m_labelsWanted; }
    std::int64_t batchOf(std::int64_t sample) const override
    {
        return std::upper_bound(m_starts.begin(), m_starts.end(), sample) - m_starts.begin() - 1;
    }
    Result<DataBatch> read(std::int64_t batch) const override
    {
        const auto i = static_cast<std::size_t>(batch);
        DataBatch read;
        read.inputs = m_batches.batches[i];
        const std::int64_t end = i + 1 < m_starts.size() ? m_starts[i + 1] : m_labelsWanted;
        for (std::int64_t sample = m_starts[i]; sample < end; ++sample)
            read.samples.push_back(sample);
        PT2E_ASSIGN(read.hash, hashOf(read.inputs));
        return read;
    }

private:
    Batches m_batches;
    std::vector<std::int64_t> m_starts;
};

} // namespace

Result<void> DataSet::readLabels(const std::string& path)
{
    PT2E_ASSIGN(std::vector<std::int64_t> labels, readLabelFile(path));
    const std::int64_t wanted = samplesInAll();
    if (static_cast<std::int64_t>(labels.size()) != wanted)
        return badInput(path, fmt::format("holds {} labels, the data ({}) have {} samples",
                                          labels.size(), m_description, wanted));
    m_labels = std::move(labels);
    return {};
}

Result<std::unique_ptr<DataSet>> openData(const DataRequest& request, const Graph& graph)
{
    std::error_code ignored;
    if (fs::is_directory(request.path, ignored))
        return openFolder(request, graph);
    if (!request.format.rawShape.empty())
        return openRaw(request, graph);
    if (isPicture(request.path)) {
        FolderContents one;
        one.pictures.emplace_back(request.path);
        return openPictures(request, graph, one);
    }
    PT2E_ASSIGN(const Storage::Bytes file, readPlainFile(request.path));
    if (looksLikeIdx(file.data)) {
        PT2E_ASSIGN(Tensor all, at(request.path, readIdx(file)));
        return openSamples(request, graph, std::move(all));
    }
    if (const auto header = parseNpyHeader(file.data); header && holdsSamples(*header, graph)) {
        PT2E_ASSIGN(Tensor all, at(request.path, readNpy(file.data)));
        return openSamples(request, graph, std::move(all));
    }
    const bool isNpy = file.data.size() > 5 && file.data[0] == std::byte(0x93);
    if (!pt2::looksLikeZip(file.data) && !isNpy)
        return badInput(request.path,
                        "is not a .npz, .npy or IDX file, nor a folder of pictures; of a file "
                        "without a header the shape of a sample is needed (--raw-shape)");
    return openArrays({request.path}, graph, request.samples, request.hasNaN);
}

Diagnostic leftOut(const Error& error)
{
    return {Severity::Warning, "data-left-out", "", error.where, error.what};
}

std::unique_ptr<DataSet> dataOf(Batches batches)
{
    return std::make_unique<MemoryData>(std::move(batches));
}

Result<Batches> collectBatches(const DataSet& data, std::int64_t limit)
{
    Batches batches;
    batches.description = data.description();
    batches.problems = data.problems();
    std::optional<Error> first;
    for (std::int64_t i = 0; i < data.batchCount(); ++i) {
        if (limit >= 0 && static_cast<std::int64_t>(batches.batches.size()) >= limit)
            break;
        auto batch = data.read(i);
        if (!batch) {
            if (!first)
                first = batch.error();
            batches.problems.push_back(leftOut(batch.error()));
            continue;
        }
        batches.problems.insert(batches.problems.end(), batch->problems.begin(),
                                batch->problems.end());
        batches.batches.push_back(std::move(batch->inputs));
        batches.hashes.push_back(std::move(batch->hash));
    }
    if (batches.batches.empty() && first)
        return tl::unexpected<Error>(*first);
    batches.hash = hashOfHashes(batches.hashes);
    return batches;
}

} // namespace pt2e

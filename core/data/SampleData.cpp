#include "core/data/SampleData.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e {

namespace {

constexpr std::int64_t kOpenBatch = 32;

class SampleData final : public DataSet
{
public:
    SampleData(SampleDataParts parts, SampleWriter writer, const Graph& graph,
               std::int64_t batchSize, std::int64_t samples)
        : m_source(std::move(parts.source)),
          m_writer(std::move(writer)),
          m_graph(graph)
    {
        const std::int64_t all = m_source->count();
        m_samples = samples > 0 ? std::min(samples, all) : all;
        m_batchSize = batchSize;
        m_labels = std::move(parts.labels);
        m_classNames = std::move(parts.classNames);
        m_labelsWanted = all;
        m_description =
            m_samples < all
                ? fmt::format("{}, the first {} of {} samples", parts.name, m_samples, all)
                : fmt::format("{}, {} sample{}", parts.name, all, all == 1 ? "" : "s");
    }
    std::int64_t batchCount() const override { return (m_samples + m_batchSize - 1) / m_batchSize; }
    std::int64_t sampleCount() const override { return m_samples; }
    std::int64_t batchOf(std::int64_t sample) const override { return sample / m_batchSize; }
    Result<DataBatch> read(std::int64_t batch) const override;

private:
    Result<Tensor> readRows(std::int64_t first, std::int64_t end, DataBatch& batch) const;

    std::unique_ptr<SampleSource> m_source;
    SampleWriter m_writer;
    const Graph& m_graph;
    std::int64_t m_samples = 0;
    std::int64_t m_batchSize = 1;
};

/// The good samples from first to end, and what fills up the batch.
Result<Tensor> SampleData::readRows(std::int64_t first, std::int64_t end, DataBatch& batch) const
{
    const SampleForm& form = m_writer.form();
    const std::size_t size = m_writer.byteCount();
    std::vector<std::byte> rows(size * static_cast<std::size_t>(end - first));
    for (std::int64_t i = first; i < end; ++i) {
        const std::span<std::byte> row = std::span(rows).subspan(size * batch.samples.size(), size);
        if (const auto read = m_source->read(i, m_writer, row); !read)
            batch.problems.push_back(
                leftOut({read.error().code, m_source->nameOf(i), read.error().message()}));
        else
            batch.samples.push_back(i);
    }
    if (batch.samples.empty())
        return badInput(batch.problems.front().place, batch.problems.front().message);
    auto count = static_cast<std::int64_t>(batch.samples.size());
    rows.resize(size * static_cast<std::size_t>(count));
    for (; count < form.batch; ++count)
        rows.insert(rows.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(size));
    std::vector<std::int64_t> shape = form.sample;
    if (form.batch >= 0)
        shape.insert(shape.begin(), count);
    return Tensor::fromBytes(form.dtype, shape, rows);
}

Result<DataBatch> SampleData::read(std::int64_t i) const
{
    DataBatch batch;
    const std::int64_t first = i * m_batchSize;
    PT2E_ASSIGN(const Tensor rows,
                readRows(first, std::min(first + m_batchSize, m_samples), batch));
    for (const NodeId id : m_graph.placeholders()) {
        const auto constant = constantOf(m_graph.node(id));
        batch.inputs.push_back(constant ? *constant : Value{rows});
    }
    PT2E_ASSIGN(batch.hash, hashOf(batch.inputs));
    return batch;
}

} // namespace

Result<std::unique_ptr<DataSet>> batchesOfSamples(SampleDataParts parts, const Graph& graph,
                                                  const DataFormat& format, std::int64_t samples)
{
    PT2E_ASSIGN(SampleWriter writer, SampleWriter::make(parts.form, format));
    if (parts.source->count() == 0)
        return badInput("", "there are no samples");
    std::int64_t size = format.batchSize > 0 ? format.batchSize : kOpenBatch;
    if (parts.form.batch < 0)
        size = 1;
    else if (parts.form.batch > 0 && format.batchSize > parts.form.batch)
        return badInput("", fmt::format("a batch size of {} is wanted, input '{}' takes {}",
                                        format.batchSize, parts.form.input, parts.form.batch));
    else if (parts.form.batch > 0 && format.batchSize == 0)
        size = parts.form.batch;
    return std::make_unique<SampleData>(std::move(parts), std::move(writer), graph, size, samples);
}

} // namespace pt2e

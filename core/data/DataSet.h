// Data that are read batch by batch: files of arrays, IDX and raw files, folders of pictures. A batch or a sample that
// is bad is reported and left out; the others stay. Start here.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/data/Batches.h"
#include "core/data/DataFormat.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pt2e {

struct DataRequest
{
    std::string
        path; ///< .npz, .npy, IDX (either may be gzipped), a raw file, or a folder of pictures or of arrays
    DataFormat format;
    std::int64_t samples =
        0; ///< only the first so many; 0: all. Files of arrays: batches that hold them
    bool hasNaN =
        false; ///< arrays with a NaN are taken all the same, and told (problem "nan-in-data")
};

struct DataBatch
{
    Values inputs; ///< one per placeholder
    /// Which sample of the data stands in each row of the first axis. Rows behind them only fill up a batch size that the
    /// graph fixes. Empty where the inputs have no such axis.
    std::vector<std::int64_t> samples;
    Diagnostics problems; ///< samples that were left out ("data-left-out"), with file and reason
    std::string hash; ///< sha256 over shapes, dtypes and bytes, so that a run can be repeated
};

class DataSet
{
public:
    virtual ~DataSet() = default;
    virtual std::int64_t batchCount() const = 0;
    /// All samples, bad ones included; as far as it is known without reading them.
    virtual std::int64_t sampleCount() const = 0;
    /// The batch that sample `sample` of sampleCount() is in.
    virtual std::int64_t batchOf(std::int64_t sample) const = 0;
    /// With those that DataRequest::samples left out.
    std::int64_t samplesInAll() const
    {
        return m_labelsWanted > 0 ? m_labelsWanted : sampleCount();
    }
    /// The error names file and reason; other batches can be read nevertheless.
    virtual Result<DataBatch> read(std::int64_t batch) const = 0;
    /// "t10k-images-idx3-ubyte.gz, first 1000 of 10000 samples".
    const std::string& description() const { return m_description; }
    /// Files that were left out when it was opened.
    const Diagnostics& problems() const { return m_problems; }
    /// Labels by the names of folders: one per sample, and what they stand for. Empty without.
    const std::vector<std::int64_t>& labels() const { return m_labels; }
    const std::vector<std::string>& classNames() const { return m_classNames; }

    /// Labels from a file (Labels.h). An error, and nothing changes, if it has another number of them than there are
    /// samples in the data.
    Result<void> readLabels(const std::string& path);
    void setClassNames(std::vector<std::string> names) { m_classNames = std::move(names); }

protected:
    std::string m_description;
    Diagnostics m_problems;
    std::vector<std::int64_t> m_labels;
    std::vector<std::string> m_classNames;
    std::int64_t m_labelsWanted =
        0; ///< samples in the data, also those behind DataRequest::samples
};

/// What is told of data that could not be read ("data-left-out"), with file and reason.
Diagnostic leftOut(const Error& error);

/// Looks at the data and checks what can be known before reading: the kind of the files, names, sizes, whether the graph
/// has an input for them. An error if nothing is left. The graph must live as long as the data set.
Result<std::unique_ptr<DataSet>> openData(const DataRequest& request, const Graph& graph);
/// Batches that are there already.
std::unique_ptr<DataSet> dataOf(Batches batches);

/// The first `limit` good batches (−1: all) in memory. problems tells what was left out; an error if nothing is left:
/// the first problem's.
Result<Batches> collectBatches(const DataSet& data, std::int64_t limit = -1);

} // namespace pt2e

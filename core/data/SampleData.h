// Batches put together from single samples.
#pragma once

#include "core/data/DataSet.h"
#include "core/data/Samples.h"

#include <cstdint>

namespace pt2e {

struct SampleDataParts
{
    std::unique_ptr<SampleSource> source;
    SampleForm form;
    std::string name; ///< of the data, for the description
    std::vector<std::int64_t> labels; ///< by folder names; may be empty
    std::vector<std::string> classNames;
};

/// samples: the first so many; 0: all. A sample that cannot be read is left out of its batch and reported; a batch size
/// that the graph fixes is filled up with the batch's first sample.
Result<std::unique_ptr<DataSet>> batchesOfSamples(SampleDataParts parts, const Graph& graph,
                                                  const DataFormat& format, std::int64_t samples);

} // namespace pt2e

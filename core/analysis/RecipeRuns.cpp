// Both recipes run on the same data.
#include "core/analysis/RecipeComparison.h"

#include <algorithm>

namespace pt2e {

namespace {

/// Inputs for measuring time: those of the file, as `pt2e bench` takes them, else the first batch.
Result<Values> timedInputs(const Model& model, const DataSet& data)
{
    if (!model.examples.empty())
        return model.examples.front();
    PT2E_ASSIGN(const DataBatch batch, data.read(0));
    return batch.inputs;
}

} // namespace

std::optional<RecipePredictions> comparePredictions(const CompareReport& first,
                                                    const CompareReport& second)
{
    if (!first.classified || !second.classified || first.dataHash != second.dataHash)
        return std::nullopt;
    const std::vector<Flip>& a = first.classified->all;
    const std::vector<Flip>& b = second.classified->all;
    if (a.size() != b.size())
        return std::nullopt;
    constexpr auto kRun = static_cast<std::size_t>(RunKind::Xnnpack);
    RecipePredictions found;
    std::int64_t broken = 0;
    std::int64_t fixed = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool wasRight = a[i].predicted[kRun] == a[i].label;
        const bool isRight = b[i].predicted[kRun] == b[i].label;
        found.agreeing += a[i].predicted[kRun] == b[i].predicted[kRun] ? 1 : 0;
        broken += wasRight && !isRight ? 1 : 0;
        fixed += !wasRight && isRight ? 1 : 0;
    }
    found.difference = pairedDifference(broken, fixed, static_cast<std::int64_t>(a.size()));
    return found;
}

Result<RecipeRuns> runRecipes(const Snapshot& first, const Snapshot& second, const DataSet& data,
                              const RecipeRunOptions& options, const JobContext& context)
{
    RecipeRuns runs;
    CompareOptions outputsOnly = options.compare;
    outputsOnly.nodeBatches = 0;
    outputsOnly.hasTimes = false;
    const std::array<const Snapshot*, 2> snapshots{&first, &second};
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
        PT2E_ASSIGN(CompareReport report,
                    compareEngines(*snapshots[i], data, outputsOnly, context));
        runs.compared[i] = std::make_shared<const CompareReport>(std::move(report));
    }
    if (!options.benchmark)
        return runs;
    PT2E_ASSIGN(const Values inputs, timedInputs(*first.model, data));
    PT2E_ASSIGN(runs.times,
                benchmarkBoth(first.model->exported, first.converted->graph,
                              second.converted->graph, inputs, *options.benchmark, context));
    return runs;
}

} // namespace pt2e

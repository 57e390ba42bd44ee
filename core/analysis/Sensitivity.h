// Which part of the quantization costs the most: each group of points (SensitivityGroups.h) quantized alone, or everything
// but it, and the model's outputs held against those of the float model.
//
// Nothing is computed that is known: values before the first point that differs come from a run whose values are kept
// (VariantRuns), scores that were computed before from a store. A score is bit by bit the one of a recipe with
// floatEdits(), prepared, converted and run as a whole.
#pragma once

#include "core/analysis/SensitivityGroups.h"
#include "core/analysis/SensitivityStore.h"
#include "core/analysis/VariantRuns.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pt2e {

/// What the groups are scored on: all in memory.
struct SensitivityData
{
    std::string description;
    std::vector<DataBatch> batches;
    std::vector<std::int64_t> labels; ///< by sample; empty without
    Diagnostics problems; ///< what was left out
};
/// So much is judged on where nothing else is said: samples of data that come with a model, or batches.
inline constexpr std::int64_t kSensitivitySamples = 256;
inline constexpr std::int64_t kSensitivityBatches = 8;
/// All batches that can be read; an error if none can.
Result<SensitivityData> sensitivityData(const DataSet& data, const JobContext& context);

enum class SensitivityMode : std::uint8_t {
    OneOn, ///< only this group is quantized
    OneOff, ///< all but this group
    WeightsOnly, ///< only this group's weights
    ActivationsOnly ///< only this group's values
};
inline constexpr std::array kSensitivityModes{SensitivityMode::OneOn, SensitivityMode::OneOff,
                                              SensitivityMode::WeightsOnly,
                                              SensitivityMode::ActivationsOnly};
const char* modeName(SensitivityMode mode); ///< "one-on", "one-off", "weights", "activations"
std::optional<SensitivityMode> modeFromName(const std::string& name);

struct GroupResult
{
    std::size_t group = 0; ///< number in groups()
    SensitivityScore score;
    bool isFromStore = false;
};

struct SensitivityReport
{
    SensitivityMode mode = SensitivityMode::OneOn;
    std::optional<SensitivityScore> quantized; ///< all groups on
    SensitivityScore floats; ///< the float model itself: its accuracy
    std::vector<GroupResult> results; ///< as they came: those that look worst at first sight first
    std::size_t wanted = 0; ///< how many there will be
};
/// Places in report.results, what costs most first: the worst score, in one-off mode the best.
std::vector<std::size_t> worstFirst(const SensitivityReport& report, SensitivityMetric metric);

class Sensitivity
{
public:
    /// The snapshot has its converted stage. Runs the float model once on each batch.
    static Result<std::unique_ptr<Sensitivity>> make(
        SnapshotPtr snapshot, SensitivityData data, const JobContext& context,
        const ActivationLimits& limits = ActivationLimits::defaults());

    const Snapshot& snapshot() const { return *m_snapshot; }
    const SensitivityData& data() const { return m_data; }
    const std::vector<SensitivityGroup>& groups() const { return m_groups; }
    const SwitchedGraph& switched() const { return m_switched; }

    using OnReport = std::function<void(const SensitivityReport&)>;
    /// Scores all groups that have something to switch in this mode; onReport is called on the calling thread after each.
    /// The store is asked first and takes what is computed, so that after a cancelled run the next goes on.
    Result<SensitivityReport> run(SensitivityMode mode, SensitivityStore& store,
                                  const JobContext& context, const OnReport& onReport = {});

    /// Each given set of groups quantized, the others float; index of a set: group. What they have in common with `near`
    /// is computed once for all calls with the same `near`.
    Result<std::vector<SensitivityScore>> scores(const std::vector<std::vector<bool>>& sets,
                                                 const std::vector<bool>& near,
                                                 SensitivityStore& store,
                                                 const JobContext& context);
    /// Gives back the memory of values kept for further calls of scores().
    void releaseValues() { m_runsNear.reset(); }
    /// The model's batches run since this was made, as whole models or in parts.
    std::int64_t runs() const { return m_runs; }

private:
    struct Variant
    {
        InstanceSet on;
        std::string label;
    };
    using OnScore = std::function<void(std::size_t, const SensitivityScore&, bool)>;
    explicit Sensitivity(SnapshotPtr snapshot) : m_snapshot(std::move(snapshot)) {}
    Result<void> prepare(const JobContext& context);
    std::string keyOf(const InstanceSet& on) const;
    Result<void> evaluate(const InstanceSet& base, const std::vector<Variant>& variants,
                          SensitivityStore& store, const OnScore& onScore,
                          const JobContext& context);
    Result<void> startFrom(const InstanceSet& base, const std::vector<GraphPtr>& graphs,
                           const JobContext& context);
    std::vector<std::size_t> promisingFirst(std::vector<std::size_t> groups, GroupPart part) const;
    Result<void> measureNoise(const JobContext& context);

    SnapshotPtr m_snapshot;
    SensitivityData m_data;
    ActivationLimits m_limits;
    SwitchedGraph m_switched;
    std::vector<SensitivityGroup> m_groups;
    RunTraits m_traits;
    std::unique_ptr<Scorer> m_scorer;
    SensitivityScore m_floats;
    std::vector<double> m_noise; ///< by instance: noise to signal at its points
    std::vector<std::string> m_instanceKeys;
    std::string m_commonKey;
    InstanceSet m_base; ///< of m_runsNear
    std::unique_ptr<VariantRuns> m_runsNear;
    std::int64_t m_runs = 0;
};

} // namespace pt2e

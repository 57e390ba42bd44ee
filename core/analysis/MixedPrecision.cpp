#include "core/analysis/MixedPrecision.h"

#include "core/passes/Qdq.h"
#include "core/pipeline/Coverage.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

namespace {

/// Noise to signal as powers: nearly additive over the groups.
double noiseOf(const SensitivityScore& score)
{
    return std::isnan(score.output.sqnrDb) ? 0 : std::pow(10.0, -score.output.sqnrDb / 10);
}

class Search
{
public:
    Search(Sensitivity& sensitivity, const MixedPrecisionGoal& goal, SensitivityStore& store,
           const JobContext& context,
           const std::function<void(const MixedPrecisionReport&)>& onStep)
        : m_sensitivity(sensitivity),
          m_store(store),
          m_context(context),
          m_onStep(onStep),
          m_isOn(sensitivity.groups().size(), true),
          m_candidates(sensitivity.groups().size())
    {
        m_report.goal = goal;
    }

    Result<MixedPrecisionReport> run()
    {
        PT2E_TRY(scoreEach());
        while (!isMet(m_report.result.score)
               && m_report.result.floatGroups.size() < m_isOn.size()) {
            PT2E_ASSIGN(const std::size_t best, bestCandidate());
            PT2E_TRY(setFloat(best));
        }
        m_report.isMet = isMet(m_report.result.score);
        if (m_report.isMet)
            PT2E_TRY(putBack());
        m_report.edits =
            floatEdits(m_sensitivity.snapshot(),
                       instancesOf(m_sensitivity.snapshot(), m_sensitivity.groups(), m_isOn));
        return m_report;
    }

private:
    struct Candidate
    {
        double gain = 0; ///< noise that it takes away if set to float
        SensitivityScore score; ///< with it set to float
        std::size_t step = 0; ///< at which that was measured
    };

    bool isMet(const SensitivityScore& score) const
    {
        const std::optional<double> value = valueOf(score, m_report.goal.metric);
        return value && meets(*value, m_report.goal.target, m_report.goal.metric);
    }

    /// Each group alone set to float: one-off.
    Result<void> scoreEach()
    {
        PT2E_ASSIGN(const SensitivityReport each,
                    m_sensitivity.run(SensitivityMode::OneOff, m_store, m_context));
        m_report.floats = each.floats;
        if (!each.quantized || !valueOf(*each.quantized, m_report.goal.metric))
            return badInput("mixed precision",
                            fmt::format("the data give no {}", metricName(m_report.goal.metric)));
        for (const GroupResult& result : each.results)
            m_candidates[result.group] = {noiseOf(*each.quantized) - noiseOf(result.score),
                                          result.score, 0};
        tell(*each.quantized);
        return {};
    }

    void tell(const SensitivityScore& score)
    {
        ParetoPoint point = costOf(m_sensitivity, m_isOn);
        point.floatGroups = m_chosen;
        point.score = score;
        m_report.path.push_back(point);
        m_report.result = std::move(point);
        if (m_onStep)
            m_onStep(m_report);
    }

    Result<SensitivityScore> scoreWith(std::size_t group, bool isOn)
    {
        std::vector<bool> set = m_isOn;
        set[group] = isOn;
        PT2E_ASSIGN(const auto scores, m_sensitivity.scores({set}, m_isOn, m_store, m_context));
        return scores.front();
    }

    /// The group on top by the figures known, once its own figure is of this step.
    Result<std::size_t> bestCandidate()
    {
        const std::size_t step = m_report.path.size() - 1;
        for (;;) {
            std::size_t best = m_isOn.size();
            for (std::size_t i = 0; i < m_isOn.size(); ++i) {
                if (m_isOn[i]
                    && (best == m_isOn.size() || m_candidates[i].gain > m_candidates[best].gain))
                    best = i;
            }
            if (m_candidates[best].step == step)
                return best;
            PT2E_ASSIGN(const SensitivityScore score, scoreWith(best, false));
            m_candidates[best] = {noiseOf(m_report.result.score) - noiseOf(score), score, step};
        }
    }

    Result<void> setFloat(std::size_t group)
    {
        m_isOn[group] = false;
        m_chosen.push_back(group);
        tell(m_candidates[group].score);
        m_context.report("mixed precision", static_cast<std::int64_t>(m_chosen.size()),
                         static_cast<std::int64_t>(m_isOn.size()));
        return {};
    }

    /// Those that took away least first.
    Result<void> putBack()
    {
        std::vector<std::size_t> order = m_chosen;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return m_candidates[a].gain < m_candidates[b].gain;
        });
        for (const std::size_t group : order) {
            PT2E_ASSIGN(const SensitivityScore score, scoreWith(group, true));
            if (!isMet(score))
                continue;
            m_isOn[group] = true;
            std::erase(m_chosen, group);
            tell(score);
        }
        return {};
    }

    Sensitivity& m_sensitivity;
    SensitivityStore& m_store;
    const JobContext& m_context;
    const std::function<void(const MixedPrecisionReport&)>& m_onStep;
    std::vector<bool> m_isOn; ///< by group
    std::vector<Candidate> m_candidates; ///< by group
    std::vector<std::size_t> m_chosen;
    MixedPrecisionReport m_report;
};

/// The multiply-accumulates of a graph with bodies whose first two inputs are quantized, and those of all of them.
void addMacs(const Graph& folded, const Graph& variant, std::int64_t& quantized, std::int64_t& all)
{
    for (const Node& node : folded) {
        const std::int64_t macs = macsOf(folded, node);
        const Node* now = variant.find(node.id);
        all += macs;
        if (macs == 0 || !now)
            continue;
        std::size_t count = 0;
        for (const NodeId input : now->inputs())
            count += isDequantize(variant.node(input)) ? 1 : 0;
        const bool isSquare = now->inputs().size() == 1; // x · x
        quantized += count >= (isSquare ? 1 : 2) ? macs : 0;
    }
    for (const auto& [name, body] : folded.subgraphs()) {
        const GraphPtr* there = variant.subgraphs().find(name);
        if (body && there && *there)
            addMacs(*body, **there, quantized, all);
    }
}

} // namespace

ParetoPoint costOf(const Sensitivity& sensitivity, const std::vector<bool>& isOn)
{
    const SwitchedGraph& switched = sensitivity.switched();
    const InstanceSet on = instancesOf(sensitivity.snapshot(), sensitivity.groups(), isOn);
    ParetoPoint point;
    std::int64_t quantized = 0, all = 0;
    addMacs(*sensitivity.snapshot().annotated->folded.graph, *switched.only(on), quantized, all);
    if (all > 0)
        point.floatMacs = 1 - static_cast<double>(quantized) / static_cast<double>(all);
    std::int64_t floatBytes = 0, bytes = 0;
    for (const QuantizationSite& site : switched.sites()) {
        const Node* value = switched.full()->find(site.value);
        const Attribute* attribute = value && value->is(OpKind::GetAttr)
                                         ? switched.full()->attributes().find(value->target)
                                         : nullptr;
        if (!site.isConstant || !attribute || !attribute->value.isValid())
            continue;
        const auto size = static_cast<std::int64_t>(attribute->value.byteCount());
        bytes += size;
        floatBytes += on[site.instance.value] ? 0 : size;
    }
    if (bytes > 0)
        point.floatWeightBytes = static_cast<double>(floatBytes) / static_cast<double>(bytes);
    for (std::size_t i = 0; i < isOn.size(); ++i) {
        if (!isOn[i])
            point.floatGroups.push_back(i);
    }
    return point;
}

Result<MixedPrecisionReport> findMixedPrecision(
    Sensitivity& sensitivity, const MixedPrecisionGoal& goal, SensitivityStore& store,
    const JobContext& context, const std::function<void(const MixedPrecisionReport&)>& onStep)
{
    auto found = Search(sensitivity, goal, store, context, onStep).run();
    sensitivity.releaseValues();
    return found;
}

} // namespace pt2e

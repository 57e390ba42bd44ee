#include "core/analysis/Sensitivity.h"

#include "core/analysis/OneTorchThread.h"
#include "core/base/ParallelFor.h"
#include "core/ir/Text.h"
#include "core/pipeline/NodeNames.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace pt2e {

namespace {

GroupPart partOf(SensitivityMode mode)
{
    switch (mode) {
    case SensitivityMode::WeightsOnly: return GroupPart::Weights;
    case SensitivityMode::ActivationsOnly: return GroupPart::Activations;
    default: return GroupPart::All;
    }
}

std::string sha256Of(const std::string& text)
{
    return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

/// The graph as text, and the bytes of what it reads.
Result<std::string> contentOf(const Graph& graph)
{
    std::string text = printGraph(graph);
    for (const Node& node : graph) {
        const Attribute* attribute =
            node.is(OpKind::GetAttr) ? graph.attributes().find(node.target) : nullptr;
        if (!attribute || !attribute->value.isValid())
            continue;
        PT2E_ASSIGN(const std::string hash, sha256(attribute->value));
        text += "\n" + node.target + " " + hash;
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (!body)
            continue;
        PT2E_ASSIGN(const std::string inner, contentOf(*body));
        text += "\n" + name + "\n" + inner;
    }
    return text;
}

/// Where an instance stands and how it quantizes.
std::string textOf(const ObserverInstance& instance, const QParamsResult& qparams,
                   const std::vector<std::string>& places)
{
    const ObserverConfig& config = instance.config;
    std::string text = fmt::format("{} {}..{} {} {} {}", dtypeName(config.dtype), config.quantMin,
                                   config.quantMax, qschemeName(config.qscheme), config.chAxis,
                                   config.isDynamic ? fmt::format("dynamic {}", config.eps) : "");
    if (qparams.qparams)
        text += fmt::format(" {} {}", fmt::join(qparams.qparams->scale, ","),
                            fmt::join(qparams.qparams->zeroPoint, ","));
    return text + fmt::format(" {}", fmt::join(places, ","));
}

} // namespace

Result<SensitivityData> sensitivityData(const DataSet& data, const JobContext& context)
{
    SensitivityData all{data.description(), {}, data.labels(), data.problems()};
    for (std::int64_t i = 0; i < data.batchCount(); ++i) {
        PT2E_TRY(context.checkpoint());
        auto batch = data.read(i);
        if (!batch) {
            all.problems.push_back(leftOut(batch.error()));
            continue;
        }
        all.problems.insert(all.problems.end(), batch->problems.begin(), batch->problems.end());
        all.batches.push_back(std::move(*batch));
    }
    if (all.batches.empty())
        return badInput(data.description(), all.problems.empty() ? "has no batch to judge on"
                                                                 : all.problems.front().message);
    return all;
}

const char* modeName(SensitivityMode mode)
{
    switch (mode) {
    case SensitivityMode::OneOn: return "one-on";
    case SensitivityMode::OneOff: return "one-off";
    case SensitivityMode::WeightsOnly: return "weights";
    case SensitivityMode::ActivationsOnly: break;
    }
    return "activations";
}

std::optional<SensitivityMode> modeFromName(const std::string& name)
{
    for (const SensitivityMode mode : kSensitivityModes) {
        if (name == modeName(mode))
            return mode;
    }
    return std::nullopt;
}

std::vector<std::size_t> worstFirst(const SensitivityReport& report, SensitivityMetric metric)
{
    std::vector<std::size_t> order(report.results.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const bool isOff = report.mode == SensitivityMode::OneOff;
    const auto costsMore = [&](std::size_t a, std::size_t b) {
        const SensitivityScore& left = report.results[a].score;
        const SensitivityScore& right = report.results[b].score;
        return isOff ? isBetter(left, right, metric) : isBetter(right, left, metric);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (costsMore(a, b) || costsMore(b, a))
            return costsMore(a, b);
        return report.results[a].group < report.results[b].group;
    });
    return order;
}

Result<std::unique_ptr<Sensitivity>> Sensitivity::make(SnapshotPtr snapshot, SensitivityData data,
                                                       const JobContext& context,
                                                       const ActivationLimits& limits)
{
    if (!snapshot || !snapshot->converted)
        return badInput("sensitivity", "the model is not converted");
    if (data.batches.empty())
        return badInput("sensitivity", "there are no data to judge on");
    std::unique_ptr<Sensitivity> made(new Sensitivity(std::move(snapshot)));
    made->m_data = std::move(data);
    made->m_limits = limits;
    PT2E_TRY(made->prepare(context));
    return made;
}

Result<void> Sensitivity::prepare(const JobContext& context)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    const OneTorchThread oneThread(*torch);
    PT2E_ASSIGN(m_switched, SwitchedGraph::make(*m_snapshot, context));
    m_groups = sensitivityGroups(*m_snapshot, m_switched);
    const GraphPtr floats = m_switched.only(InstanceSet(m_switched.instanceCount(), false));
    PT2E_ASSIGN(m_traits, traitsOf(floats, m_data.batches.front().inputs, context));
    PT2E_ASSIGN(auto outputs, runBatches(m_snapshot->model->exported, m_data.batches, context));
    m_runs += static_cast<std::int64_t>(outputs.size());
    m_scorer = std::make_unique<Scorer>(std::move(outputs), m_data.batches, m_data.labels);
    PT2E_ASSIGN(m_floats, m_scorer->floatScore());

    PT2E_ASSIGN(std::string common, contentOf(*floats));
    for (const DataBatch& batch : m_data.batches)
        common += "\n" + batch.hash;
    for (const std::int64_t label : m_data.labels)
        common += fmt::format(" {}", label);
    m_commonKey = sha256Of(common);
    const NodeNames names(*m_snapshot->annotated->folded.graph);
    std::vector<std::vector<std::string>> places(m_switched.instanceCount());
    for (const QuantizationSite& site : m_switched.sites()) {
        const Node* value = m_switched.full()->find(site.value);
        places[site.instance.value].push_back(value ? value->name : names.nameOf(site.value));
    }
    for (const ObserverInstance& instance : m_snapshot->prepared->instances)
        m_instanceKeys.push_back(textOf(instance,
                                        m_snapshot->calibrated->qparams[instance.id.value],
                                        places[instance.id.value]));
    return {};
}

std::string Sensitivity::keyOf(const InstanceSet& on) const
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < on.size(); ++i) {
        if (on[i])
            parts.push_back(m_instanceKeys[i]);
    }
    std::sort(parts.begin(), parts.end());
    return sha256Of(fmt::format("{}\n{}", m_commonKey, fmt::join(parts, "\n")));
}

/// One quantized run of the first batch: what each instance adds to the values at its points.
Result<void> Sensitivity::measureNoise(const JobContext& context)
{
    if (!m_noise.empty())
        return {};
    std::vector<ErrorSums> sums(m_switched.instanceCount());
    std::unordered_map<NodeId, std::vector<const QuantizationSite*>> readers; // by value
    std::unordered_map<NodeId, const QuantizationSite*> siteOf; // by its first result
    for (const QuantizationSite& site : m_switched.sites()) {
        if (site.results.empty())
            continue;
        readers[site.value].push_back(&site);
        siteOf.emplace(site.results.front(), &site);
    }
    std::unordered_map<NodeId, Tensor> values;
    RunOptions options;
    options.wants = [&](NodeId id) { return readers.contains(id) || siteOf.contains(id); };
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        const Tensor* tensor = value.tensor();
        if (tensor && readers.contains(id))
            values[id] = *tensor;
        const auto site = siteOf.find(id);
        if (!tensor || site == siteOf.end() || !values.contains(site->second->value))
            return {};
        RunningError error;
        const Tensor& before = values.at(site->second->value);
        if (before.shape() == tensor->shape()) {
            PT2E_ASSIGN(const std::vector<double> wanted, before.toDoubles());
            PT2E_ASSIGN(const std::vector<double> got, tensor->toDoubles());
            for (std::size_t i = 0; i < wanted.size(); ++i)
                sums[site->second->instance.value].add(wanted[i], got[i]);
        }
        if (readers.at(site->second->value).size() == 1 && !readers.contains(id))
            values.erase(site->second->value);
        return {};
    };
    PT2E_ASSIGN(const auto program, makeReferenceProgram(m_switched.full()));
    PT2E_TRY(program->run(m_data.batches.front().inputs, options, context));
    ++m_runs;
    for (const ErrorSums& sum : sums)
        m_noise.push_back(sum.signal > 0 ? sum.noise / sum.signal : 0);
    return {};
}

std::vector<std::size_t> Sensitivity::promisingFirst(std::vector<std::size_t> groups,
                                                     GroupPart part) const
{
    std::vector<double> noise(m_groups.size(), 0);
    for (const std::size_t group : groups) {
        std::vector<bool> only(m_groups.size(), false);
        only[group] = true;
        const InstanceSet on = instancesOf(*m_snapshot, m_groups, only, part);
        for (std::size_t i = 0; i < on.size(); ++i)
            noise[group] += on[i] ? m_noise[i] : 0;
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [&](std::size_t a, std::size_t b) { return noise[a] > noise[b]; });
    return groups;
}

Result<void> Sensitivity::startFrom(const InstanceSet& base, const std::vector<GraphPtr>& graphs,
                                    const JobContext& context)
{
    if (m_runsNear && m_base == base)
        return {};
    m_runsNear.reset();
    PT2E_ASSIGN(m_runsNear, VariantRuns::make(m_switched.only(base), graphs, m_data.batches,
                                              m_traits, m_limits, context));
    m_base = base;
    m_runs += static_cast<std::int64_t>(m_data.batches.size());
    return {};
}

Result<void> Sensitivity::evaluate(const InstanceSet& base, const std::vector<Variant>& variants,
                                   SensitivityStore& store, const OnScore& onScore,
                                   const JobContext& context)
{
    std::vector<std::size_t> open;
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        keys.push_back(keyOf(variants[i].on));
        if (const SensitivityStore::Entry* known = store.find(keys.back()))
            onScore(i, known->score, true);
        else
            open.push_back(i);
    }
    if (open.empty())
        return {};
    std::vector<GraphPtr> graphs;
    for (const std::size_t i : open)
        graphs.push_back(m_switched.only(variants[i].on));
    PT2E_TRY(startFrom(base, graphs, context));
    // As many at a time as give each thread a run.
    const std::size_t batches = m_data.batches.size();
    const std::size_t step =
        (static_cast<std::size_t>(std::max(context.threads, 1)) + batches - 1) / batches;
    for (std::size_t first = 0; first < open.size(); first += step) {
        const std::size_t count = std::min(step, open.size() - first);
        PT2E_ASSIGN(const auto outputs,
                    m_runsNear->run(std::span(graphs).subspan(first, count), context));
        m_runs += static_cast<std::int64_t>(count * batches);
        for (std::size_t i = 0; i < count; ++i) {
            PT2E_ASSIGN(const SensitivityScore score, m_scorer->score(outputs[i]));
            const std::size_t variant = open[first + i];
            store.set(keys[variant], {variants[variant].label, score});
            onScore(variant, score, false);
        }
    }
    return {};
}

Result<SensitivityReport> Sensitivity::run(SensitivityMode mode, SensitivityStore& store,
                                           const JobContext& context, const OnReport& onReport)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    const OneTorchThread oneThread(*torch);
    const GroupPart part = partOf(mode);
    const bool isOff = mode == SensitivityMode::OneOff;
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const bool hasPart = (part != GroupPart::Activations && !m_groups[i].weights.empty())
                             || (part != GroupPart::Weights && !m_groups[i].activations.empty());
        if (hasPart)
            groups.push_back(i);
    }
    PT2E_TRY(measureNoise(context));
    groups = promisingFirst(std::move(groups), part);

    const auto all = std::vector<bool>(m_groups.size(), true);
    const InstanceSet full = instancesOf(*m_snapshot, m_groups, all, GroupPart::All);
    std::vector<Variant> variants;
    for (const std::size_t group : groups) {
        std::vector<bool> isOn(m_groups.size(), isOff);
        isOn[group] = !isOff;
        variants.push_back({instancesOf(*m_snapshot, m_groups, isOn, part),
                            fmt::format("{}: {}", modeName(mode), m_groups[group].name)});
    }
    // What all groups together cost is told after the first of them, which people wait for.
    variants.insert(variants.begin() + (variants.empty() ? 0 : 1), {full, "everything quantized"});

    SensitivityReport report;
    report.mode = mode;
    report.floats = m_floats;
    report.wanted = groups.size();
    context.report("sensitivity", 0, static_cast<std::int64_t>(report.wanted));
    const std::size_t fullPlace = groups.empty() ? 0 : 1;
    const auto onScore = [&](std::size_t i, const SensitivityScore& score, bool isFromStore) {
        if (i == fullPlace)
            report.quantized = score;
        else
            report.results.push_back({groups[i - (i > fullPlace ? 1 : 0)], score, isFromStore});
        context.report("sensitivity", static_cast<std::int64_t>(report.results.size()),
                       static_cast<std::int64_t>(report.wanted));
        if (onReport)
            onReport(report);
    };
    releaseValues(); // those kept may be too few for this mode
    const InstanceSet base = isOff ? full : InstanceSet(full.size(), false);
    const Result<void> done = evaluate(base, variants, store, onScore, context);
    releaseValues();
    PT2E_TRY(done);
    return report;
}

Result<std::vector<SensitivityScore>> Sensitivity::scores(
    const std::vector<std::vector<bool>>& sets, const std::vector<bool>& near,
    SensitivityStore& store, const JobContext& context)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    const OneTorchThread oneThread(*torch);
    const auto instances = [&](const std::vector<bool>& isOn) {
        return instancesOf(*m_snapshot, m_groups, isOn, GroupPart::All);
    };
    const auto labelOf = [](const std::vector<bool>& isOn) {
        const auto off = std::count(isOn.begin(), isOn.end(), false);
        return fmt::format("{} of {} groups float", off, isOn.size());
    };
    const InstanceSet base = instances(near);
    std::vector<Variant> variants;
    bool isKnown = true;
    for (const std::vector<bool>& set : sets) {
        variants.push_back({instances(set), labelOf(set)});
        isKnown = isKnown && store.find(keyOf(variants.back().on));
    }
    if (!isKnown && !(m_runsNear && m_base == base)) {
        // Later calls will switch any one of the groups.
        std::vector<GraphPtr> graphs;
        for (std::size_t i = 0; i < near.size(); ++i) {
            std::vector<bool> isOn = near;
            isOn[i] = !isOn[i];
            graphs.push_back(m_switched.only(instances(isOn)));
        }
        PT2E_TRY(startFrom(base, graphs, context));
    }
    std::vector<SensitivityScore> scores(sets.size());
    const auto onScore = [&](std::size_t i, const SensitivityScore& score, bool) {
        scores[i] = score;
    };
    PT2E_TRY(evaluate(base, variants, store, onScore, context));
    return scores;
}

} // namespace pt2e

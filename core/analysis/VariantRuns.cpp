#include "core/analysis/VariantRuns.h"

#include "core/analysis/GraphVariants.h"
#include "core/base/ParallelFor.h"
#include "core/ir/GraphEditor.h"
#include "core/passes/Qdq.h"

#include <algorithm>

namespace pt2e {

namespace {

// ---- what can be kept

/// Watches a run for values that are written while others still look at them.
class AliasWatch
{
public:
    explicit AliasWatch(const Graph& graph) : m_graph(graph)
    {
        std::size_t place = 0;
        for (const Node& node : graph)
            m_place.emplace(node.id, place++);
        for (const Node& node : graph) {
            std::size_t last = 0;
            for (const NodeId user : node.users)
                last = std::max(last, m_place.at(user));
            m_lastUse.emplace(node.id, last);
        }
    }

    void see(NodeId id, const Tensor* tensor)
    {
        const auto place = m_place.find(id);
        if (place == m_place.end())
            return; // of a body
        const Node& node = m_graph.node(id);
        if (node.is(OpKind::CallFunction) && mutatesArgument(node.target)) {
            for (const NodeId input : node.inputs())
                checkWritten(input, place->second);
        }
        if (tensor && tensor->isValid())
            m_storages[id] = tensor->storage();
    }
    bool isLate() const { return m_isLate; }

private:
    using Handle = std::weak_ptr<const Storage>;

    /// Any value in the same memory that is read behind the write.
    void checkWritten(NodeId written, std::size_t place)
    {
        const auto memory = m_storages.find(written);
        if (memory == m_storages.end())
            return;
        for (const auto& [id, storage] : m_storages) {
            const bool isSame =
                !storage.owner_before(memory->second) && !memory->second.owner_before(storage);
            m_isLate |= isSame && m_lastUse.at(id) > place;
        }
    }

    const Graph& m_graph;
    std::unordered_map<NodeId, std::size_t> m_place;
    std::unordered_map<NodeId, std::size_t> m_lastUse;
    std::unordered_map<NodeId, Handle> m_storages; ///< as they were when the value was computed
    bool m_isLate = false;
};

// ---- where two graphs differ

class SuffixMaker
{
public:
    SuffixMaker(const GraphPtr& graph, const Graph& base, const RunTraits& traits)
        : m_graph(*graph),
          m_base(base),
          m_traits(traits)
    {}

    Suffix make()
    {
        findChanged();
        findNeeded();
        GraphEditor editor{Graph(m_graph)};
        for (const NodeId id : m_values) {
            editor.morph(id, OpKind::Placeholder, m_graph.node(id).name);
            editor.setArgsAndKwargs(id, {}, {});
        }
        const std::vector<NodeId> order = m_graph.order();
        for (auto id = order.rbegin(); id != order.rend(); ++id) {
            const Node& node = editor.graph().node(*id);
            if (!m_isKept.contains(*id) && !node.is(OpKind::Placeholder) && node.users.empty())
                editor.erase(*id);
        }
        Suffix suffix;
        suffix.graph = std::move(editor).publish();
        suffix.inputs = suffix.graph->placeholders();
        return suffix;
    }

private:
    bool isSame(const Node& node) const
    {
        const Node* before = m_base.find(node.id);
        if (!before || node.is(OpKind::Output) || before->kind != node.kind
            || before->target != node.target || before->args != node.args
            || before->kwargs != node.kwargs)
            return false;
        if (node.is(OpKind::GetAttr)) {
            const GraphPtr* here = m_graph.subgraphs().find(node.target);
            const GraphPtr* there = m_base.subgraphs().find(node.target);
            return (here ? *here : nullptr) == (there ? *there : nullptr);
        }
        const std::vector<NodeId> inputs = node.inputs();
        return std::none_of(inputs.begin(), inputs.end(),
                            [this](NodeId input) { return m_isChanged.contains(input); });
    }

    void findChanged()
    {
        for (const Node& node : m_graph) {
            if (!isSame(node))
                m_isChanged.insert(node.id);
        }
    }

    /// Backwards from what changed: what has a value in the base is not computed.
    void findNeeded()
    {
        std::vector<NodeId> open(m_isChanged.begin(), m_isChanged.end());
        m_isKept = m_isChanged;
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const NodeId input : m_graph.node(id).inputs()) {
                const Node& node = m_graph.node(input);
                const bool hasValue = node.is(OpKind::CallFunction)
                                      && m_traits.tensors.contains(input)
                                      && !m_isChanged.contains(input);
                if (hasValue)
                    m_values.insert(input);
                else if (m_isKept.insert(input).second)
                    open.push_back(input);
            }
        }
    }

    const Graph& m_graph;
    const Graph& m_base;
    const RunTraits& m_traits;
    std::unordered_set<NodeId> m_isChanged;
    std::unordered_set<NodeId> m_isKept; ///< computed in the suffix
    std::unordered_set<NodeId> m_values; ///< placeholders in it
};

} // namespace

Result<RunTraits> traitsOf(const GraphPtr& graph, const Values& inputs, const JobContext& context)
{
    RunTraits traits;
    AliasWatch watch(*graph);
    RunState state;
    RunOptions options;
    options.state = &state;
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        watch.see(id, value.tensor());
        if (value.tensor())
            traits.tensors.insert(id);
        return {};
    };
    PT2E_ASSIGN(const auto program, makeReferenceProgram(graph));
    PT2E_TRY(program->run(inputs, options, context));
    traits.isCuttable = state.attributes.empty() && !watch.isLate();
    return traits;
}

Suffix suffixOf(const GraphPtr& graph, const Graph& base, const RunTraits& traits)
{
    if (!traits.isCuttable)
        return {graph, graph->placeholders()};
    return SuffixMaker(graph, base, traits).make();
}

Result<std::vector<Values>> runBatches(const GraphPtr& graph, std::span<const DataBatch> batches,
                                       const JobContext& context)
{
    PT2E_ASSIGN(const auto program, makeReferenceProgram(graph));
    std::vector<Values> outputs(batches.size());
    PT2E_TRY(parallelFor(context, batches.size(), [&](std::size_t i) -> Result<void> {
        PT2E_ASSIGN(RunReport report, program->run(batches[i].inputs, {}, context));
        outputs[i] = std::move(report.outputs);
        return {};
    }));
    return outputs;
}

Result<std::unique_ptr<VariantRuns>> VariantRuns::make(
    GraphPtr base, std::span<const GraphPtr> variants, std::span<const DataBatch> batches,
    const RunTraits& traits, const ActivationLimits& limits, const JobContext& context)
{
    std::unique_ptr<VariantRuns> runs(new VariantRuns(batches, traits, limits));
    runs->m_base = std::move(base);
    // Quantizing gives a tensor; what else convert puts in is computed from it.
    for (const Node& node : *runs->m_base) {
        if (isQuantize(node) || isDequantize(node))
            runs->m_traits.tensors.insert(node.id);
    }
    std::unordered_map<NodeId, bool> known;
    for (const GraphPtr& variant : variants) {
        PT2E_TRY(context.checkpoint());
        for (const NodeId id : suffixOf(variant, *runs->m_base, runs->m_traits).inputs) {
            if (!runs->m_base->node(id).is(OpKind::Placeholder))
                (isConstant(*runs->m_base, id, known) ? runs->m_wantedConstants : runs->m_wanted)
                    .insert(id);
        }
    }
    PT2E_TRY(runs->runBase(context));
    return runs;
}

Result<void> VariantRuns::runBase(const JobContext& context)
{
    PT2E_ASSIGN(const auto program, makeReferenceProgram(m_base));
    m_cache.bind(m_base, "");
    m_baseOutputs.resize(m_batches.size());
    const auto stride = static_cast<std::size_t>(std::max(context.threads, 1));
    for (std::size_t first = 0; first < m_batches.size(); first += stride) {
        const std::size_t count = std::min(stride, m_batches.size() - first);
        std::vector<BatchValues> values(count);
        PT2E_TRY(parallelFor(context, count, [&](std::size_t i) -> Result<void> {
            RunOptions options;
            const bool isFirst = first + i == 0;
            options.wants = [&](NodeId id) {
                return m_wanted.contains(id) || (isFirst && m_wantedConstants.contains(id));
            };
            options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
                const Tensor* tensor = value.tensor();
                if (tensor && m_wantedConstants.contains(id))
                    m_constants.emplace(id, *tensor);
                else if (tensor)
                    values[i].emplace_back(id, *tensor);
                return {};
            };
            PT2E_ASSIGN(RunReport report,
                        program->run(m_batches[first + i].inputs, options, context));
            m_baseOutputs[first + i] = std::move(report.outputs);
            return {};
        }));
        for (std::size_t i = 0; i < count; ++i)
            m_notKept += m_cache.keep(first + i, values[i]) ? 0 : 1;
    }
    return {};
}

bool VariantRuns::hasInputs(const Suffix& suffix, std::size_t batch) const
{
    return std::all_of(suffix.inputs.begin(), suffix.inputs.end(), [&](NodeId id) {
        return m_base->node(id).is(OpKind::Placeholder) || m_constants.contains(id)
               || (m_wanted.contains(id) && m_cache.has(batch));
    });
}

Result<Values> VariantRuns::runSuffix(Program& program, const Suffix& suffix, std::size_t batch,
                                      const JobContext& context) const
{
    std::unordered_map<NodeId, Tensor> kept;
    if (m_cache.has(batch)) {
        PT2E_ASSIGN(BatchValues values, m_cache.values(batch));
        for (auto& [id, tensor] : values)
            kept.emplace(id, std::move(tensor));
    }
    Values inputs;
    std::size_t own = 0;
    for (const NodeId id : suffix.inputs) {
        if (m_base->node(id).is(OpKind::Placeholder))
            inputs.push_back(m_batches[batch].inputs.at(own++));
        else if (const auto constant = m_constants.find(id); constant != m_constants.end())
            inputs.push_back(Value{constant->second});
        else if (const auto value = kept.find(id); value != kept.end())
            inputs.push_back(Value{value->second});
        else
            return fail(ErrorCode::Internal, "node '" + m_base->node(id).name + "'",
                        "its value was not kept");
    }
    PT2E_ASSIGN(RunReport report, program.run(inputs, {}, context));
    return std::move(report.outputs);
}

Result<Values> VariantRuns::runWhole(const GraphPtr& graph, std::size_t batch,
                                     const JobContext& context) const
{
    PT2E_ASSIGN(const auto program, makeReferenceProgram(graph));
    PT2E_ASSIGN(RunReport report, program->run(m_batches[batch].inputs, {}, context));
    return std::move(report.outputs);
}

Result<std::vector<VariantRuns::Outputs>> VariantRuns::run(std::span<const GraphPtr> variants,
                                                           const JobContext& context) const
{
    std::vector<Suffix> suffixes;
    std::vector<std::unique_ptr<Program>> programs;
    for (const GraphPtr& variant : variants) {
        suffixes.push_back(suffixOf(variant, *m_base, m_traits));
        PT2E_ASSIGN(auto program, makeReferenceProgram(suffixes.back().graph));
        programs.push_back(std::move(program));
    }
    const std::size_t count = m_batches.size();
    std::vector<Outputs> outputs(variants.size(), Outputs(count));
    PT2E_TRY(parallelFor(context, variants.size() * count, [&](std::size_t i) -> Result<void> {
        const std::size_t variant = i / count, batch = i % count;
        const Suffix& suffix = suffixes[variant];
        auto result = hasInputs(suffix, batch)
                          ? runSuffix(*programs[variant], suffix, batch, context)
                          : runWhole(variants[variant], batch, context);
        PT2E_ASSIGN(outputs[variant][batch], std::move(result));
        return {};
    }));
    return outputs;
}

} // namespace pt2e

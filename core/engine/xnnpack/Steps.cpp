// From units to steps: the epoch method, linear in the graph and acyclic by construction.
#include "core/engine/xnnpack/Aliasing.h"
#include "core/engine/xnnpack/Plan.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

class Epochs
{
public:
    explicit Epochs(const std::vector<Unit>& units) : m_units(units)
    {
        std::unordered_map<NodeId, std::size_t> producer;
        for (std::size_t i = 0; i < units.size(); ++i) {
            for (const NodeId written : units[i].writes)
                producer[written] = i;
        }
        m_waitsFor.resize(units.size());
        m_readers.resize(units.size());
        for (std::size_t i = 0; i < units.size(); ++i) {
            for (const NodeId read : units[i].reads) {
                const auto it = producer.find(read);
                if (it == producer.end())
                    continue; // an input of the model
                ++m_waitsFor[i];
                m_readers[it->second].push_back(i);
            }
        }
    }

    enum Engine : std::size_t { kXnnpack, kOwn, kTorch };

    /// LibTorch only where neither of the others can go on.
    std::vector<Step> run(std::size_t engine) const
    {
        std::vector<std::size_t> waitsFor = m_waitsFor;
        std::set<std::size_t> ready[3]; // by engine; in graph order
        std::size_t left = m_units.size();
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            if (waitsFor[i] == 0)
                ready[engineOf(i)].insert(i);
        }
        std::vector<Step> steps;
        while (left > 0) {
            std::set<std::size_t>& mine = ready[engine];
            Step step;
            step.isXnnpack = engine == kXnnpack;
            step.isOwn = engine == kOwn;
            while (!mine.empty()) {
                const std::size_t unit = *mine.begin();
                mine.erase(mine.begin());
                step.units.push_back(unit);
                --left;
                for (const std::size_t reader : m_readers[unit]) {
                    if (--waitsFor[reader] == 0)
                        ready[engineOf(reader)].insert(reader);
                }
            }
            if (!step.units.empty())
                steps.push_back(std::move(step));
            engine = kXnnpack;
            while (engine < kTorch && ready[engine].empty())
                ++engine;
            if (ready[engine].empty())
                break; // cannot happen in a graph in execution order
        }
        return steps;
    }

private:
    std::size_t engineOf(std::size_t unit) const
    {
        if (m_units[unit].kind == Unit::Kind::Torch)
            return kTorch;
        return m_units[unit].isOwn() ? kOwn : kXnnpack;
    }

    const std::vector<Unit>& m_units;
    std::vector<std::size_t> m_waitsFor;
    std::vector<std::vector<std::size_t>> m_readers;
};

/// What each step reads from before and what is needed after it.
void findPorts(std::vector<Step>& steps, const std::vector<Unit>& units, const Graph& graph,
               bool keepsValues)
{
    std::set<NodeId> needed; // after the step at hand
    if (const Node* output = graph.output()) {
        for (const NodeId id : output->inputs())
            needed.insert(id);
    }
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        std::set<NodeId> written;
        std::set<NodeId> read;
        for (const std::size_t i : step->units) {
            written.insert(units[i].writes.begin(), units[i].writes.end());
            read.insert(units[i].reads.begin(), units[i].reads.end());
        }
        for (const NodeId id : written) {
            if (needed.contains(id) || (keepsValues && step->isXnnpack))
                step->outputs.push_back(id);
            needed.erase(id);
        }
        for (const NodeId id : read) {
            if (!written.contains(id)) {
                step->inputs.push_back(id);
                needed.insert(id);
            }
        }
    }
}

} // namespace

std::vector<Step> makeSteps(const std::vector<Unit>& units, const ConvertedView& view,
                            bool keepsValues)
{
    const Epochs epochs(units);
    std::vector<Step> steps = epochs.run(Epochs::kXnnpack);
    for (const auto first : {Epochs::kOwn, Epochs::kTorch}) {
        std::vector<Step> others = epochs.run(first);
        if (others.size() < steps.size())
            steps = std::move(others);
    }
    int partition = 0;
    for (Step& step : steps) {
        if (step.isXnnpack)
            step.partition = partition++;
        else if (!step.isOwn)
            std::sort(step.units.begin(), step.units.end()); // the graph's own order
    }
    findPorts(steps, units, view.graph(), keepsValues);
    return steps;
}

Reason whyUncuttable(const ConvertedView& view, const std::vector<Unit>& units)
{
    for (const NodeId input : view.graph().placeholders()) {
        const Node& node = view.graph().node(input);
        if (node.val.tensor() && !view.shape(input))
            return fmt::format("the graph stays whole: the sizes of {} are symbols ({})", node.name,
                               shapeText(node.val.tensor()->shape));
    }
    for (const Unit& unit : units) {
        const Node& node = view.graph().node(unit.node);
        if (unit.isXnnpack() || !node.is(OpKind::CallFunction) || !mutatesArgument(node.target))
            continue;
        const Node* written = view.graph().find(node.arg(0).node());
        if (!isPrivateWrite(view.graph(), node))
            return fmt::format("the graph stays whole: {} writes {} in place", node.name,
                               written ? written->name : "its input");
    }
    return {};
}

} // namespace pt2e::xnn

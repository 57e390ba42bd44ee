// From units to steps: the epoch method, linear in the graph and acyclic by construction.
#include "core/engine/xnnpack/Plan.h"

#include <algorithm>

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

    std::vector<Step> run(bool startsWithXnnpack) const
    {
        std::vector<std::size_t> waitsFor = m_waitsFor;
        std::set<std::size_t> ready[2]; // by isXnnpack; in graph order
        std::size_t left = m_units.size();
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            if (waitsFor[i] == 0)
                ready[m_units[i].isXnnpack() ? 1 : 0].insert(i);
        }
        std::vector<Step> steps;
        for (bool isXnnpack = startsWithXnnpack; left > 0; isXnnpack = !isXnnpack) {
            std::set<std::size_t>& mine = ready[isXnnpack ? 1 : 0];
            if (mine.empty() && ready[isXnnpack ? 0 : 1].empty())
                break; // cannot happen in a graph in execution order
            Step step;
            step.isXnnpack = isXnnpack;
            while (!mine.empty()) {
                const std::size_t unit = *mine.begin();
                mine.erase(mine.begin());
                step.units.push_back(unit);
                --left;
                for (const std::size_t reader : m_readers[unit]) {
                    if (--waitsFor[reader] == 0)
                        ready[m_units[reader].isXnnpack() ? 1 : 0].insert(reader);
                }
            }
            if (!step.units.empty())
                steps.push_back(std::move(step));
        }
        return steps;
    }

private:
    const std::vector<Unit>& m_units;
    std::vector<std::size_t> m_waitsFor;
    std::vector<std::vector<std::size_t>> m_readers;
};

/// What each step reads from before and what is needed after it.
void findPorts(std::vector<Step>& steps, const std::vector<Unit>& units, const Graph& graph)
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
            if (needed.contains(id))
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

std::vector<Step> makeSteps(const std::vector<Unit>& units, const ConvertedView& view)
{
    const Epochs epochs(units);
    std::vector<Step> steps = epochs.run(true);
    std::vector<Step> others = epochs.run(false);
    if (others.size() < steps.size())
        steps = std::move(others);
    int partition = 0;
    for (Step& step : steps) {
        if (step.isXnnpack)
            step.partition = partition++;
        else
            std::sort(step.units.begin(), step.units.end()); // the graph's own order
    }
    findPorts(steps, units, view.graph());
    return steps;
}

} // namespace pt2e::xnn

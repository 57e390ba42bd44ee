// One int8 operator of a converted graph, alone: fed with the simulation's own int8 inputs, how far is
// its result from the simulation's?
#pragma once

#include "core/engine/xnnpack/Plan.h"

#include <map>
#include <string>
#include <vector>

namespace pt2e::test {

/// Deviations of one kernel over the places where it ran.
struct Deviations
{
    std::int64_t ops = 0;
    std::int64_t elements = 0;
    std::int64_t differing = 0;
    double most = 0; ///< steps

    double share() const
    {
        return elements > 0 ? static_cast<double>(differing) / static_cast<double>(elements) : 0;
    }
    Deviations& operator+=(const Deviations& more);
};

/// The largest share of elements that may be one step off, by kernel ("convolution_2d qcint8"): sums of
/// products 1 %, additions, products and averages 0.1 %, bilinear 10 %, all others none.
double allowedShare(const std::string& kernel);

/// The graph's plan and what the simulation computes everywhere. A graph with symbolic sizes is taken
/// with those of the inputs.
class OpsAlone
{
public:
    static Result<OpsAlone> make(GraphPtr converted, const Values& inputs);

    /// Ops in int8 and byte tables.
    std::vector<const xnn::Unit*> units() const;
    /// "convolution_2d qcint8", "byte table".
    static std::string kernelOf(const xnn::Unit& unit);
    Result<Deviations> deviations(const xnn::Unit& unit) const;
    const std::string& nameOf(const xnn::Unit& unit) const { return m_graph->node(unit.node).name; }

private:
    GraphPtr opAlone(const xnn::Unit& unit, std::vector<NodeId>& sources) const;
    Result<Deviations> ofOp(const xnn::Unit& unit) const;
    Result<Deviations> ofTable(const xnn::Unit& unit) const;

    GraphPtr m_graph;
    xnn::Plan m_plan;
    Values m_inputs;
    std::map<NodeId, Value> m_simulated;
};

} // namespace pt2e::test

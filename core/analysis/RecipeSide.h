// What one recipe says about each node and point, by name. Internal to the comparison of two recipes.
#pragma once

#include "core/analysis/RecipeComparison.h"
#include "core/pipeline/NodeNames.h"

#include <unordered_map>

namespace pt2e {

inline constexpr const char* kSaysNothing = "-";
/// A word of its own for translators, or a pattern ("shared with %1") with what stands in it.
RecipeWord recipeWord(const char* text);
RecipeWord recipeWord(const char* pattern, const std::string& argument);

class RecipeSide
{
public:
    /// The snapshot has the annotated stage; both must outlive it. The run may be null.
    RecipeSide(const Snapshot& snapshot, const CompareReport* run);

    const Node* node(const std::string& name) const
    {
        const NodeId id = m_names.find(name);
        return id ? m_names.entry(id)->node : nullptr;
    }
    const NodeNames& names() const { return m_names; }
    /// Edges into the node, then its output, where anything is said about them.
    std::vector<std::string> points(const std::string& name) const;

    RecipeWord op(const std::string& name) const;
    RecipeWord spec(const std::string& point) const;
    std::string specAsJson(const std::string& point) const;
    /// Invalid where nothing observes the point.
    std::optional<ObserverId> instance(const std::string& point) const;
    RecipeWord observer(ObserverId instance, std::size_t channel, int digits) const;
    const QParams* qparams(ObserverId instance) const;
    /// Names of the points of an instance, sorted.
    const std::vector<std::string>& pointsOf(ObserverId instance) const
    {
        return m_pointsOf.at(instance);
    }
    /// "q → dq" into each argument of the node of the converted graph, by the edge's name; empty before convert.
    std::vector<std::pair<std::string, std::string>> conversions(const std::string& name) const;
    const Assignment* assignment(const std::string& name) const;
    const ObserverConfig& config(ObserverId instance) const
    {
        return m_snapshot.prepared->instances[instance.value].config;
    }
    bool isPrepared() const { return m_snapshot.prepared != nullptr; }

private:
    const Spec* specOf(const std::string& point) const;
    std::string chain(const Graph& graph, NodeId from) const;

    const Snapshot& m_snapshot;
    NodeNames m_names; ///< of the annotated graph
    std::optional<NodeNames> m_converted;
    std::unordered_map<NodeId, const WhyNot*> m_reasons;
    std::unordered_map<NodeId, std::vector<Point>> m_points; ///< by the node they belong to
    std::unordered_map<std::string, Point> m_pointOf;
    std::unordered_map<ObserverId, std::vector<std::string>> m_pointsOf;
    std::unordered_map<std::string, const Assignment*> m_assignments; ///< by node name
};

} // namespace pt2e

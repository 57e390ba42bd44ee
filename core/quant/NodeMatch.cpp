#include "core/quant/NodeMatch.h"

#include "core/quant/Filter.h"

namespace pt2e {

std::string_view positionName(NodeMatch::Position position)
{
    switch (position) {
    case NodeMatch::Position::All: return "all";
    case NodeMatch::Position::First: return "first";
    case NodeMatch::Position::Last: return "last";
    }
    return "";
}

bool matchesPattern(std::string_view text, std::string_view pattern)
{
    // The last '*' may stand for one character more each time what follows it does not fit.
    std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<NodeId> matchNodes(const Graph& graph, const NodeMatch& match)
{
    const ModuleFilter inModule =
        match.module.empty() ? ModuleFilter::everything() : ModuleFilter::named(match.module);
    std::vector<NodeId> found;
    for (const Node& node : graph) {
        const TensorMeta* value = node.val.tensor();
        if (node.is(OpKind::CallFunction)
            && (match.op.empty() || matchesPattern(node.target, match.op))
            && (match.name.empty() || matchesPattern(node.name, match.name))
            && (!match.dtype || (value && value->dtype == *match.dtype)) && inModule.allows(node))
            found.push_back(node.id);
    }
    if (match.position == NodeMatch::Position::First && found.size() > 1)
        found.resize(1);
    if (match.position == NodeMatch::Position::Last && found.size() > 1)
        found.erase(found.begin(), found.end() - 1);
    return found;
}

} // namespace pt2e

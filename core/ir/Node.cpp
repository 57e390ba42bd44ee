#include "core/ir/Node.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace pt2e {

std::string_view opKindName(OpKind kind)
{
    constexpr std::array<std::string_view, 5> kNames{"placeholder", "get_attr", "call_function",
                                                     "call_module", "output"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view originKindName(OriginKind kind)
{
    constexpr std::array<std::string_view, 6> kNames{"same",       "inserted", "fused",
                                                     "decomposed", "folded",   "duplicated"};
    return kNames[static_cast<std::size_t>(kind)];
}

const Argument& Node::arg(std::size_t i) const
{
    static const Argument kNone;
    return i < args.size() ? args[i] : kNone;
}

const Argument* Node::kwarg(std::string_view wanted) const
{
    for (const auto& [key, value] : kwargs) {
        if (key == wanted)
            return &value;
    }
    return nullptr;
}

std::vector<NodeId> Node::inputs() const
{
    std::vector<NodeId> found;
    std::unordered_set<NodeId> seen;
    const auto visit = [&](NodeId input) {
        // Most nodes have a handful of inputs, where a scan beats a set.
        const bool isNew = found.size() < 16
                               ? std::find(found.begin(), found.end(), input) == found.end()
                               : seen.insert(input).second;
        if (!isNew)
            return;
        found.push_back(input);
        if (found.size() == 16)
            seen.insert(found.begin(), found.end());
    };
    for (const Argument& argument : args)
        forEachNode(argument, visit);
    for (const auto& [key, argument] : kwargs)
        forEachNode(argument, visit);
    return found;
}

std::string_view shortOpName(std::string_view target)
{
    const std::size_t first = target.find('.');
    const std::size_t last = target.rfind('.');
    if (first == std::string_view::npos || first == last)
        return target;
    return target.substr(first + 1, last - first - 1);
}

bool mutatesArgument(std::string_view target)
{
    const std::size_t dot = target.rfind('.');
    if (dot == std::string_view::npos)
        return false;
    const std::string_view name = shortOpName(target);
    const std::string_view overload = target.substr(dot + 1);
    if (name.ends_with('_') && !name.ends_with("__"))
        return name != "_no_grad_embedding_renorm_";
    if (name.starts_with("__i") && name.ends_with("__"))
        return name != "__is__" && name != "__isnot__";
    if (overload.ends_with("out") && name != "__interpolate")
        return target != "aten.to.dtype_layout";
    // Schemas of ATen that write an argument under another name.
    static const std::unordered_set<std::string_view> kOthers{"_batch_norm_with_update",
                                                              "_fused_moving_avg_obs_fq_helper",
                                                              "fused_moving_avg_obs_fake_quant",
                                                              "_native_batch_norm_legit",
                                                              "_cummax_helper",
                                                              "_cummin_helper",
                                                              "rrelu_with_noise"};
    return overload == "default" && kOthers.contains(name);
}

} // namespace pt2e

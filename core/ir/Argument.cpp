#include "core/ir/Argument.h"

namespace pt2e {

bool operator==(const ArgumentList& a, const ArgumentList& b)
{
    return a.isTuple == b.isTuple && a.items == b.items;
}

bool operator==(const Argument& a, const Argument& b) { return a.m_value == b.m_value; }

Argument Argument::ints(const std::vector<std::int64_t>& values)
{
    return list(std::vector<Argument>(values.begin(), values.end()));
}

void forEachNode(const Argument& argument, const std::function<void(NodeId)>& visit)
{
    if (const NodeId* node = argument.get<NodeId>()) {
        visit(*node);
    } else if (const ArgumentList* list = argument.get<ArgumentList>()) {
        for (const Argument& item : list->items)
            forEachNode(item, visit);
    }
}

Argument mapNodes(const Argument& argument, const std::function<Argument(NodeId)>& map)
{
    if (const NodeId* node = argument.get<NodeId>())
        return map(*node);
    if (const ArgumentList* list = argument.get<ArgumentList>()) {
        ArgumentList mapped;
        mapped.isTuple = list->isTuple;
        mapped.items.reserve(list->items.size());
        for (const Argument& item : list->items)
            mapped.items.push_back(mapNodes(item, map));
        return mapped;
    }
    return argument;
}

} // namespace pt2e

#include "core/pipeline/EditSpec.h"

#include <charconv>

namespace pt2e {

Result<NamedPoint> NamedPoint::parse(const std::string& text)
{
    const std::size_t arrow = text.find("->");
    NamedPoint point;
    point.node = text.substr(0, arrow);
    if (arrow != std::string::npos)
        point.user = text.substr(arrow + 2);
    const bool isEdge = arrow != std::string::npos;
    if (point.node.empty() || (isEdge && point.user.empty())
        || point.user.find("->") != std::string::npos)
        return badInput("point '" + text + "'", "must be 'node' or 'node->user'");
    return point;
}

Result<std::optional<std::size_t>> relativeInput(const std::string& name)
{
    constexpr std::string_view kInput = "$input";
    if (name == "$output")
        return std::optional<std::size_t>();
    if (name.starts_with(kInput)) {
        std::size_t number = 0;
        const char* end = name.data() + name.size();
        const auto [last, error] = std::from_chars(name.data() + kInput.size(), end, number);
        if (error == std::errc() && last == end)
            return std::optional<std::size_t>(number);
    }
    return badInput("point '" + name + "'",
                    "a rule's points are $input0, $input1 … and $output of the operator");
}

} // namespace pt2e

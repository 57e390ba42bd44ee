#include "core/engine/xnnpack/XnnOwners.h"

#include <algorithm>
#include <array>

namespace pt2e::xnn {

namespace {

/// What the optimizer may take away, and how the profile calls it where it stays; versions differ.
struct Fusible
{
    std::string_view what;
    std::array<std::string_view, 2> names;
};
constexpr Fusible kFusible[] = {
    {"clamp", {"Clamp", "Unary"}},
    {"copy", {"Copy", "Copy"}},
    {"static_constant_pad", {"Constant Pad", "Constant Pad"}},
    {"static_reshape", {"Copy", "Reshape"}},
};

const Fusible* fusible(std::string_view what)
{
    for (const Fusible& one : kFusible) {
        if (one.what == what)
            return &one;
    }
    return nullptr;
}

bool mayBe(const OwnedOperator& one, std::string_view name)
{
    const Fusible* rule = fusible(one.what);
    return !rule || name.starts_with(rule->names[0]) || name.starts_with(rule->names[1]);
}

} // namespace

std::vector<NodeId> ownersOf(std::span<const OwnedOperator> operators,
                             std::span<const std::string> profile)
{
    std::vector<NodeId> owners(profile.size());
    if (operators.size() < profile.size())
        return owners;
    // fits[i][gone]: the operators from i on can be those of the profile from i - gone on.
    const std::size_t count = operators.size();
    const std::size_t mostGone = count - profile.size();
    std::vector<std::vector<char>> fits(count + 1, std::vector<char>(mostGone + 2, 0));
    fits[count][mostGone] = 1;
    for (std::size_t i = count; i-- > 0;) {
        for (std::size_t gone = 0; gone <= std::min(mostGone, i); ++gone) {
            const std::size_t at = i - gone;
            const bool stays =
                at < profile.size() && mayBe(operators[i], profile[at]) && fits[i + 1][gone];
            fits[i][gone] = stays || (fusible(operators[i].what) && fits[i + 1][gone + 1]);
        }
    }
    if (!fits[0][0])
        return owners;
    for (std::size_t i = 0, gone = 0; i < count; ++i) {
        const std::size_t at = i - gone;
        if (at < profile.size() && mayBe(operators[i], profile[at]) && fits[i + 1][gone])
            owners[at] = operators[i].owner;
        else
            ++gone;
    }
    return owners;
}

} // namespace pt2e::xnn

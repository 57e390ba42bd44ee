// Typed ids. An id is handed around instead of a pointer: it stays valid when a graph is copied.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace pt2e {

template<typename Tag>
struct Id
{
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value = kNone;

    bool isValid() const { return value != kNone; }
    explicit operator bool() const { return isValid(); }
    friend auto operator<=>(const Id&, const Id&) = default;
};

/// A node of a graph or of one of its sub-graphs: unique over all of them, kept from stage to stage.
using NodeId = Id<struct NodeTag>;
/// An observer instance; one instance may stand at several places of a prepared graph.
using ObserverId = Id<struct ObserverTag>;

} // namespace pt2e

template<typename Tag>
struct std::hash<pt2e::Id<Tag>>
{
    std::size_t operator()(pt2e::Id<Tag> id) const noexcept
    {
        return std::hash<std::uint32_t>{}(id.value);
    }
};

// A string-keyed map that keeps insertion order, like Python's dict.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pt2e {

template<typename T>
class OrderedMap
{
public:
    using Entry = std::pair<std::string, T>;

    bool contains(std::string_view key) const { return find(key) != nullptr; }
    /// The value, or nullptr. Valid until the map is changed.
    const T* find(std::string_view key) const
    {
        const auto it = m_index.find(key);
        return it == m_index.end() ? nullptr : &m_entries[it->second].second;
    }
    T* find(std::string_view key) { return const_cast<T*>(std::as_const(*this).find(key)); }

    /// Inserts at the end, or overwrites in place (order unchanged), as `d[key] = value` does.
    T& set(std::string key, T value)
    {
        if (T* present = find(key)) {
            *present = std::move(value);
            return *present;
        }
        m_index.emplace(key, m_entries.size());
        m_entries.emplace_back(std::move(key), std::move(value));
        return m_entries.back().second;
    }
    bool erase(std::string_view key)
    {
        const auto it = m_index.find(key);
        if (it == m_index.end())
            return false;
        const std::size_t at = it->second;
        m_index.erase(it);
        m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(at));
        for (auto& [name, position] : m_index)
            position -= position > at ? 1 : 0;
        return true;
    }

    std::size_t size() const { return m_entries.size(); }
    bool empty() const { return m_entries.empty(); }
    auto begin() const { return m_entries.begin(); }
    auto end() const { return m_entries.end(); }

private:
    struct Hash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view>{}(text);
        }
    };
    std::vector<Entry> m_entries;
    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> m_index;
};

} // namespace pt2e

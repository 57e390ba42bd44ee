#include "core/pt2/ArgumentNames.h"

#include <algorithm>
#include <unordered_map>

namespace pt2e::pt2 {

namespace {

struct Row
{
    std::string_view names;
    std::string_view operators;
};

constexpr Row kRows[] = {
#include "core/pt2/ArgumentNames.inc"
};

struct Found
{
    const Row* row = nullptr;
    bool returnsList = false;
};

/// Calls visit for each part between separators; nothing for an empty text.
template<typename Visit>
void forEachPart(std::string_view text, char separator, Visit visit)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

const std::unordered_map<std::string_view, Found>& index()
{
    static const std::unordered_map<std::string_view, Found> kIndex = [] {
        std::unordered_map<std::string_view, Found> made;
        made.reserve(3000);
        for (const Row& row : kRows) {
            forEachPart(row.operators, ' ', [&](std::string_view op) {
                const bool isList = op.ends_with('*');
                made.emplace(isList ? op.substr(0, op.size() - 1) : op, Found{&row, isList});
            });
        }
        return made;
    }();
    return kIndex;
}

} // namespace

std::optional<ArgumentNames> argumentNames(std::string_view target)
{
    constexpr std::string_view kAten = "aten.";
    if (target.starts_with(kAten))
        target.remove_prefix(kAten.size());
    else if (!target.starts_with("quantized_decomposed."))
        return std::nullopt;
    const auto it = index().find(target);
    if (it == index().end())
        return std::nullopt;
    ArgumentNames names;
    names.returnsList = it->second.returnsList;
    const std::string_view all = it->second.row->names;
    const std::size_t semicolon = std::min(all.find(';'), all.size());
    forEachPart(all.substr(0, semicolon), ',',
                [&](std::string_view name) { names.positional.push_back(name); });
    if (semicolon < all.size())
        forEachPart(all.substr(semicolon + 1), ',',
                    [&](std::string_view name) { names.keywordOnly.push_back(name); });
    return names;
}

bool isUsuallyKeywordOnly(std::string_view name)
{
    constexpr std::string_view kNames[] = {"dtype",         "layout",    "device",    "pin_memory",
                                           "memory_format", "generator", "out_dtype", "out"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

} // namespace pt2e::pt2

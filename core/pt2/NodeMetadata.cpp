#include "core/pt2/NodeMetadata.h"

namespace pt2e::pt2 {

namespace {

constexpr std::size_t kMaxFrames = 256;
constexpr int kMaxGetattr = 256;
constexpr std::string_view kSynthetic = "_empty_nn_module_stack_from_metadata_hook";

/// Splits at a separator that stands outside (), [] and quotes.
std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    char quote = '\0';
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != '\0') {
            if (c == quote)
                quote = '\0';
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (c == separator && depth == 0) {
            parts.push_back(text.substr(from, at - from));
            from = at + 1;
        }
    }
    parts.push_back(text.substr(from));
    return parts;
}

std::vector<ModuleFrame> readModuleStack(std::string_view text)
{
    std::vector<ModuleFrame> stack;
    for (const std::string_view entry : split(text, ';')) {
        const std::vector<std::string_view> fields = split(entry, ',');
        if (fields.size() != 3 || fields[0] == kSynthetic || stack.size() == kMaxFrames)
            continue;
        stack.push_back(
            {std::string(fields[0]), normalizedModulePath(fields[1]), std::string(fields[2])});
    }
    return stack;
}

std::vector<FileMeta::SourceFn> readSourceFns(std::string_view text)
{
    std::vector<FileMeta::SourceFn> stack;
    for (const std::string_view entry : split(text, ';')) {
        const std::size_t comma = entry.find(',');
        if (comma != std::string_view::npos)
            stack.push_back(
                {std::string(entry.substr(0, comma)), std::string(entry.substr(comma + 1))});
    }
    return stack;
}

} // namespace

std::string normalizedModulePath(std::string_view path)
{
    std::string suffix; // what the getattr levels around the path add, innermost first
    constexpr std::string_view kGetattr = "getattr(";
    for (int level = 0; level < kMaxGetattr && path.starts_with(kGetattr); ++level) {
        // getattr(P, '0').rest: the closing bracket is the last one.
        const std::size_t close = path.rfind(')');
        const std::size_t comma = close == std::string_view::npos ? close : path.rfind(", ", close);
        if (comma == std::string_view::npos || comma < kGetattr.size() || close < comma + 4)
            break;
        std::string name(path.substr(comma + 3, close - comma - 4));
        suffix = "." + name + std::string(path.substr(close + 1)) + suffix;
        path = path.substr(kGetattr.size(), comma - kGetattr.size());
    }
    if (path.starts_with("L['")) {
        const std::size_t close = path.find("']");
        if (close != std::string_view::npos)
            path.remove_prefix(close + 2);
    }
    std::string whole = std::string(path) + suffix;
    if (whole.starts_with('.'))
        whole.erase(0, 1);
    return whole;
}

std::shared_ptr<const FileMeta> readNodeMetadata(const Json& metadata)
{
    auto meta = std::make_shared<FileMeta>();
    if (!metadata.IsObject())
        return meta;
    for (auto at = metadata.MemberBegin(); at != metadata.MemberEnd(); ++at) {
        if (!at->value.IsString())
            continue;
        const std::string_view key = textOf(at->name);
        const std::string_view text = textOf(at->value);
        meta->raw.emplace_back(key, text);
        if (key == "stack_trace") {
            meta->stackTrace = text;
        } else if (key == "nn_module_stack") {
            meta->moduleStack = readModuleStack(text);
        } else if (key == "source_fn_stack") {
            meta->sourceFnStack = readSourceFns(text);
        } else if (key == "torch_fn") {
            for (const std::string_view part : split(text, ';'))
                meta->torchFn.emplace_back(part);
        } else if (key == "custom") {
            meta->custom = text;
        }
    }
    return meta;
}

std::vector<std::pair<std::string, std::string>> writeNodeMetadata(const FileMeta& meta)
{
    std::vector<std::pair<std::string, std::string>> entries = meta.raw;
    const auto add = [&](std::string_view key, std::string text) {
        for (const auto& [present, value] : entries) {
            if (present == key)
                return;
        }
        if (!text.empty())
            entries.emplace_back(key, std::move(text));
    };
    const auto joined = [](std::string all, const std::string& part) {
        return all.empty() ? part : std::move(all) + ";" + part;
    };
    std::string modules;
    for (const ModuleFrame& frame : meta.moduleStack)
        modules = joined(std::move(modules), frame.key + "," + frame.path + "," + frame.className);
    std::string sources;
    for (const FileMeta::SourceFn& source : meta.sourceFnStack)
        sources = joined(std::move(sources), source.id + "," + source.callable);
    std::string function;
    for (const std::string& part : meta.torchFn)
        function = joined(std::move(function), part);
    add("stack_trace", meta.stackTrace);
    add("nn_module_stack", std::move(modules));
    add("source_fn_stack", std::move(sources));
    add("torch_fn", std::move(function));
    add("custom", meta.custom);
    return entries;
}

} // namespace pt2e::pt2

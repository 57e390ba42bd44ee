#include "core/data/Labels.h"

#include "core/data/Gzip.h"
#include "core/data/Idx.h"
#include "core/data/Npy.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace pt2e {

namespace {

constexpr std::int64_t kMaxClass = 1 << 24;

Result<std::vector<std::int64_t>> fromArray(const std::string& path, Result<Tensor> array)
{
    if (!array)
        return fail(array.error().code, path, array.error().what);
    if (array->shape().size() != 1 || !isInteger(array->dtype()))
        return badInput(path,
                        fmt::format("is an array of shape {} and dtype {}; labels are one "
                                    "integer a sample",
                                    shapeText(array->meta().shape), dtypeName(array->dtype())));
    PT2E_ASSIGN(const std::vector<double> values, array->toDoubles());
    std::vector<std::int64_t> labels;
    for (const double value : values) {
        if (value < 0 || value > static_cast<double>(kMaxClass))
            return badInput(path, fmt::format("label {} of sample {} is no class number", value,
                                              labels.size()));
        labels.push_back(static_cast<std::int64_t>(value));
    }
    return labels;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\r\"";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<std::int64_t> classOf(std::string_view line)
{
    const std::size_t comma = line.find_last_of(",;\t");
    const std::string_view field =
        trimmed(comma == std::string_view::npos ? line : line.substr(comma + 1));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value < 0
        || value > kMaxClass)
        return std::nullopt;
    return value;
}

Result<std::vector<std::int64_t>> fromText(const std::string& path, std::string_view text)
{
    constexpr std::string_view kMark = "\xef\xbb\xbf"; // as some editors begin UTF-8
    if (text.starts_with(kMark))
        text.remove_prefix(kMark.size());
    std::vector<std::int64_t> labels;
    std::size_t number = 0;
    bool isFirst = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (trimmed(line).empty())
            continue;
        const auto label = classOf(line);
        if (!label && !isFirst)
            return badInput(fmt::format("{}: line {}", path, number),
                            "its last column is no class number");
        if (label)
            labels.push_back(*label);
        isFirst = false; // that one may be titles
    }
    return labels;
}

} // namespace

Result<std::vector<std::int64_t>> readLabelFile(const std::string& path)
{
    PT2E_ASSIGN(const Storage::Bytes file, readPlainFile(path));
    constexpr std::string_view kNumpy = "\x93NUMPY";
    const std::string_view text(reinterpret_cast<const char*>(file.data.data()), file.data.size());
    if (looksLikeIdx(file.data))
        return fromArray(path, readIdx(file));
    if (text.starts_with(kNumpy))
        return fromArray(path, readNpy(file.data));
    if (text.find('\0') != std::string_view::npos)
        return badInput(path, "is neither an IDX nor a .npy file, nor text");
    PT2E_ASSIGN(std::vector<std::int64_t> labels, fromText(path, text));
    if (labels.empty())
        return badInput(path, "holds no labels");
    return labels;
}

} // namespace pt2e

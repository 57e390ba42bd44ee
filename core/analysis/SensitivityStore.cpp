#include "core/analysis/SensitivityStore.h"

#include "core/base/RealText.h"
#include "core/ir/Text.h"
#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/JsonText.h"

#include <cmath>
#include <limits>

namespace pt2e {

namespace {

constexpr std::string_view kFormat = "pt2e.sensitivity";
constexpr std::int64_t kVersion = 1;

/// The numbers of a score under their names, in the order of the columns; absent ones are NaN here.
struct Numbers
{
    static constexpr std::array kNames{"sqnr_db",   "worst_db",   "cosine", "mse",
                                       "max_abs",   "mean_error", "count",  "non_finite",
                                       "agreement", "accuracy"};
    std::array<double, kNames.size()> values{};
};
constexpr std::size_t kFirstOptional = 8;
constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

Numbers numbersOf(const SensitivityScore& score)
{
    const TensorError& error = score.output;
    return {{error.sqnrDb, error.worstDb, error.cosine, error.mse, error.maxAbs, error.meanError,
             static_cast<double>(error.count), static_cast<double>(error.nonFinite),
             score.agreement.value_or(kAbsent), score.accuracy.value_or(kAbsent)}};
}

SensitivityScore scoreOf(const Numbers& numbers)
{
    const auto& v = numbers.values;
    const auto whole = [](double value) {
        return std::isfinite(value) && std::abs(value) < 1e18 ? std::llround(value) : 0;
    };
    const auto optional = [](double value) {
        return std::isnan(value) ? std::optional<double>() : value;
    };
    SensitivityScore score;
    score.output = {v[0], v[1], v[2], v[3], v[4], v[5], whole(v[6]), whole(v[7])};
    score.agreement = optional(v[8]);
    score.accuracy = optional(v[9]);
    return score;
}

std::optional<std::size_t> numberOf(std::string_view name)
{
    for (std::size_t i = 0; i < Numbers::kNames.size(); ++i) {
        if (name == Numbers::kNames[i])
            return i;
    }
    return std::nullopt;
}

/// A real as the writers write it; infinities and NaN by name.
std::optional<double> realFrom(std::string_view text)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text == "inf")
        return kInfinity;
    if (text == "-inf")
        return -kInfinity;
    if (text == "nan" || text.empty())
        return kAbsent;
    return realOf(text);
}

Result<void> readReal(const json::Place& place, double& value)
{
    if (place.isNull()) {
        value = kAbsent;
        return {};
    }
    if (!place.isString())
        return place.read(value);
    std::string text;
    PT2E_TRY(place.read(text));
    const std::optional<double> real = realFrom(text);
    if (!real)
        return place.error("must be a number");
    value = *real;
    return {};
}

std::string realJson(double value)
{
    if (std::isnan(value))
        return json::kNull;
    return std::isfinite(value) ? json::real(value) : json::text(pythonFloat(value));
}

Result<void> readEntry(const json::Place& item, SensitivityStore& store)
{
    std::string key;
    SensitivityStore::Entry entry;
    Numbers numbers;
    numbers.values.fill(kAbsent);
    PT2E_TRY(item.members([&](std::string_view name, const json::Place& member) -> Result<void> {
        if (name == "key")
            return member.read(key);
        if (name == "what")
            return member.read(entry.label);
        if (const auto number = numberOf(name))
            return readReal(member, numbers.values[*number]);
        return member.unknownKey();
    }));
    for (std::size_t i = 0; i < kFirstOptional; ++i) {
        if (key.empty() || (std::isnan(numbers.values[i]) && i > 0))
            return item.error("needs a key and all figures of the error");
    }
    entry.score = scoreOf(numbers);
    store.set(key, std::move(entry));
    return {};
}

std::string csvText(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '\n' || c == '\r' ? ' ' : c;
        if (c == '"')
            quoted += c;
    }
    return quoted + "\"";
}

std::string fromCsvText(std::string_view quoted)
{
    std::string text;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        text += quoted[i];
        i += quoted[i] == '"' ? 1 : 0;
    }
    return text;
}

std::string csvHeader()
{
    std::string header = "key";
    for (const char* name : Numbers::kNames)
        header += std::string(",") + name;
    return header + ",what";
}

/// key, numbers, quoted text.
Result<void> readCsvLine(std::string_view line, const std::string& where, SensitivityStore& store)
{
    std::vector<std::string_view> fields;
    for (std::size_t i = 0; i <= Numbers::kNames.size(); ++i) {
        const std::size_t comma = line.find(',');
        if (comma == std::string_view::npos)
            return badInput(where, "has too few columns");
        fields.push_back(line.substr(0, comma));
        line.remove_prefix(comma + 1);
    }
    Numbers numbers;
    for (std::size_t i = 0; i < numbers.values.size(); ++i) {
        const std::optional<double> value = realFrom(fields[i + 1]);
        if (!value || (fields[i + 1].empty() && i < kFirstOptional))
            return badInput(where, std::string(Numbers::kNames[i]) + " must be a number");
        numbers.values[i] = *value;
    }
    const bool isQuoted = line.size() >= 2 && line.front() == '"' && line.back() == '"';
    if (fields[0].empty() || !isQuoted)
        return badInput(where, "needs a key and a text in quotes");
    store.set(std::string(fields[0]), {fromCsvText(line), scoreOf(numbers)});
    return {};
}

} // namespace

void SensitivityStore::merge(const SensitivityStore& other)
{
    for (const auto& [key, entry] : other.entries())
        set(key, entry);
}

std::string writeStore(const SensitivityStore& store)
{
    std::vector<std::string> items;
    for (const auto& [key, entry] : store.entries()) {
        const Numbers numbers = numbersOf(entry.score);
        json::Object item;
        item.add("what", json::text(entry.label));
        for (std::size_t i = 0; i < numbers.values.size(); ++i)
            item.add(Numbers::kNames[i], realJson(numbers.values[i]));
        item.add("key", json::text(key));
        items.push_back(item.line());
    }
    return json::Object()
               .add("format", json::text(kFormat))
               .add("version", json::integer(kVersion))
               .add("scores", json::arrayLines(items, 1))
               .lines(0)
           + "\n";
}

Result<SensitivityStore> readStore(const std::string& text, const std::string& fileName)
{
    rapidjson::Document document;
    PT2E_ASSIGN(const json::Place root, json::Place::parse(document, text, fileName));
    SensitivityStore store;
    std::string format;
    std::int64_t version = 0;
    PT2E_TRY(root.members([&](std::string_view key, const json::Place& member) -> Result<void> {
        if (key == "format")
            return member.read(format);
        if (key == "version")
            return member.read(version);
        if (key != "scores")
            return member.unknownKey();
        return member.items([&](const json::Place& item) { return readEntry(item, store); });
    }));
    if (format != kFormat)
        return root.error("no scores of sensitivity: 'format' must be 'pt2e.sensitivity'");
    if (version != kVersion)
        return root.error("version " + std::to_string(version) + " of the format is not known");
    return store;
}

std::string writeStoreCsv(const SensitivityStore& store)
{
    std::string csv = csvHeader() + "\n";
    for (const auto& [key, entry] : store.entries()) {
        csv += key;
        for (const double value : numbersOf(entry.score).values)
            csv += "," + (std::isnan(value) ? "" : pythonFloat(value));
        csv += "," + csvText(entry.label) + "\n";
    }
    return csv;
}

Result<SensitivityStore> readStoreCsv(const std::string& csv, const std::string& fileName)
{
    SensitivityStore store;
    std::int64_t number = 0;
    for (std::size_t at = 0; at < csv.size();) {
        const std::size_t end = std::min(csv.find('\n', at), csv.size());
        std::string_view line = std::string_view(csv).substr(at, end - at);
        at = end + 1;
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        const std::string where = fileName + ": line " + std::to_string(++number);
        if (number == 1 && line != csvHeader())
            return badInput(where, "must be '" + csvHeader() + "'");
        if (number > 1 && !line.empty())
            PT2E_TRY(readCsvLine(line, where, store));
    }
    if (number == 0)
        return badInput(fileName, "is empty");
    return store;
}

} // namespace pt2e

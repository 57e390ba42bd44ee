// Two of a kind: stage dumps, models, or runs. One difference a line.
#include "core/ir/Diff.h"
#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/data/Npz.h"
#include "core/pipeline/DumpCompare.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e::cli {

namespace {

struct Options
{
    std::string a;
    std::string b;
    std::string programA;
    std::string programB;
    double tolerance = 1e-6;
    TableOptions format;
};

enum class Kind { Dump, Run, Model };

Kind kindOf(const std::string& path)
{
    if (path.ends_with(".npz") || path.ends_with(".npy"))
        return Kind::Run;
    return path.ends_with(".json") ? Kind::Dump : Kind::Model;
}

using Differences = std::vector<DumpDifference>;

std::string metaText(const ValueMeta& val)
{
    if (const TensorMeta* meta = val.tensor()) {
        std::string text = std::string(dtypeName(meta->dtype)) + "[";
        for (const SymInt& size : meta->shape)
            text += (text.ends_with('[') ? "" : ", ") + size.text();
        return text + "]";
    }
    if (const auto* scalar = std::get_if<ValueMeta::Scalar>(&val.value))
        return scalar->type + " " + scalar->text;
    const auto* items = std::get_if<std::vector<ValueMeta>>(&val.value);
    std::string text = items ? "(" : "none";
    for (std::size_t i = 0; items && i < items->size(); ++i)
        text += (i > 0 ? ", " : "") + metaText((*items)[i]);
    return items ? text + ")" : text;
}

std::string shapeText(const Tensor& tensor) { return metaText({tensor.meta()}); }

// ---- dumps

Differences swapped(Differences differences)
{
    for (DumpDifference& difference : differences)
        std::swap(difference.golden, difference.got);
    return differences;
}

Result<Differences> diffDumps(const Options& options)
{
    rapidjson::Document dumps[2];
    for (int i = 0; i < 2; ++i) {
        const std::string& path = i == 0 ? options.a : options.b;
        PT2E_ASSIGN(const std::string text, readFile(path));
        std::string error;
        dumps[i] = parseDump(text, error);
        if (!error.empty())
            return badInput(path, error);
    }
    DumpTolerance tolerance;
    tolerance.reals = options.tolerance;
    Differences found = compareDumps(dumps[0], dumps[1], tolerance);
    // What only the second dump has (a stage further) is seen from the other side.
    if (found.empty())
        found = swapped(compareDumps(dumps[1], dumps[0], tolerance));
    return found;
}

// ---- runs

bool bothNaN(double a, double b) { return std::isnan(a) && std::isnan(b); }

Result<void> diffValues(const std::string& name, const Tensor& a, const Tensor& b, double tolerance,
                        Differences& found)
{
    PT2E_ASSIGN(const std::vector<double> x, a.toDoubles());
    PT2E_ASSIGN(const std::vector<double> y, b.toDoubles());
    std::size_t count = 0;
    std::size_t worst = 0;
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double distance = std::abs(x[i] - y[i]);
        if (x[i] == y[i] || bothNaN(x[i], y[i])
            || distance <= tolerance * std::max(std::abs(x[i]), std::abs(y[i])))
            continue;
        ++count;
        if (count == 1 || distance > largest || std::isnan(distance)) {
            largest = distance;
            worst = i;
        }
    }
    if (count > 0)
        found.push_back(
            {"run", name,
             fmt::format("{} of {} elements, the largest at {}", count, x.size(), worst),
             fmt::format("{:.9g}", x[worst]), fmt::format("{:.9g}", y[worst])});
    return {};
}

/// Everything named on either side; `compare` sees the pairs whose shape and dtype are equal.
template<typename Compare>
Result<void> diffTensors(const std::string& section, const NamedTensors& a, const NamedTensors& b,
                         Differences& found, Compare compare)
{
    const auto find = [](const NamedTensors& all, const std::string& name) {
        const auto at = std::find_if(all.begin(), all.end(),
                                     [&](const auto& item) { return item.first == name; });
        return at == all.end() ? nullptr : &at->second;
    };
    for (const auto& [name, tensor] : a) {
        const Tensor* other = find(b, name);
        if (!other)
            found.push_back({section, name, "present", shapeText(tensor), "<missing>"});
        else if (shapeText(tensor) != shapeText(*other))
            found.push_back({section, name, "shape", shapeText(tensor), shapeText(*other)});
        else
            PT2E_TRY(compare(name, tensor, *other));
    }
    for (const auto& [name, tensor] : b) {
        if (!find(a, name))
            found.push_back({section, name, "present", "<missing>", shapeText(tensor)});
    }
    return {};
}

Result<Differences> diffRuns(const Options& options, double tolerance)
{
    PT2E_ASSIGN(const NamedTensors a, readArrays(options.a));
    PT2E_ASSIGN(const NamedTensors b, readArrays(options.b));
    Differences found;
    PT2E_TRY(diffTensors("run", a, b, found,
                         [&](const std::string& name, const Tensor& x, const Tensor& y) {
                             return diffValues(name, x, y, tolerance, found);
                         }));
    return found;
}

// ---- models

void nodeDifferences(const Graph& a, const Graph& b, const std::string& section, Differences& found)
{
    for (const GraphDifference& difference : diffGraphs(a, b)) {
        using K = GraphDifference::Kind;
        // "field: from → to"
        const std::string& what = difference.what;
        const std::size_t colon = what.find(": ");
        const std::size_t arrow = what.find(" → ");
        if (difference.kind == K::Added)
            found.push_back({section, difference.node, "present", "<missing>", "true"});
        else if (difference.kind == K::Removed)
            found.push_back({section, difference.node, "present", "true", "<missing>"});
        else if (colon == std::string::npos || arrow == std::string::npos || arrow < colon)
            found.push_back({section, difference.node, "order", "", what});
        else
            found.push_back({section, difference.node, what.substr(0, colon),
                             what.substr(colon + 2, arrow - colon - 2),
                             what.substr(arrow + std::string_view(" → ").size())});
    }
    for (const Node& node : a) {
        const Node* other = b.findByName(node.name);
        if (other && metaText(node.val) != metaText(other->val))
            found.push_back(
                {section, node.name, "value", metaText(node.val), metaText(other->val)});
    }
}

Result<void> diffHashes(const std::string& section, const std::string& name, const Tensor& a,
                        const Tensor& b, Differences& found)
{
    PT2E_ASSIGN(const std::string x, sha256(a));
    PT2E_ASSIGN(const std::string y, sha256(b));
    if (x != y)
        found.push_back({section, name, "sha256", x, y});
    return {};
}

NamedTensors attributesOf(const Graph& graph)
{
    NamedTensors all;
    for (const auto& [name, attribute] : graph.attributes())
        all.emplace_back(name, attribute.value);
    return all;
}

Result<void> diffPair(const Graph& a, const Graph& b, const std::string& prefix, Differences& found)
{
    nodeDifferences(a, b, prefix + "graph", found);
    const std::string section = prefix + "tensors";
    PT2E_TRY(diffTensors(section, attributesOf(a), attributesOf(b), found,
                         [&](const std::string& name, const Tensor& x, const Tensor& y) {
                             return diffHashes(section, name, x, y, found);
                         }));
    for (const auto& [name, body] : a.subgraphs()) {
        const auto* other = b.subgraphs().find(name);
        if (!other)
            found.push_back({prefix + "graph", name, "present", "true", "<missing>"});
        else
            PT2E_TRY(diffPair(*body, **other, prefix + name + "/", found));
    }
    for (const auto& [name, body] : b.subgraphs()) {
        if (!a.subgraphs().contains(name))
            found.push_back({prefix + "graph", name, "present", "<missing>", "true"});
    }
    return {};
}

Result<Differences> diffModels(Cli& cli, const Options& options)
{
    ModelRequest requestA;
    requestA.what = options.a;
    requestA.programName = options.programA;
    ModelRequest requestB;
    requestB.what = options.b;
    requestB.programName = options.programB.empty() ? options.programA : options.programB;
    PT2E_ASSIGN(const ModelPtr a, openModel(requestA, cli.job()));
    PT2E_ASSIGN(const ModelPtr b, openModel(requestB, cli.job()));
    Differences found;
    PT2E_TRY(diffPair(*a->exported, *b->exported, "", found));
    return found;
}

// ---- the verb

std::string differencesText(const Differences& found, const Options& options)
{
    if (!options.format.json && !options.format.csv) {
        std::string text;
        for (const DumpDifference& difference : found)
            text += difference.line() + "\n";
        return text;
    }
    Table table;
    table.id = "diff";
    table.title = "differences";
    table.columns = {"section", "name", "what", "a", "b"};
    for (const DumpDifference& d : found)
        table.rows.push_back({{{d.section, {}, false},
                               {d.node, {}, false},
                               {d.field, {}, false},
                               {d.golden, {}, false},
                               {d.got, {}, false}},
                              {}});
    return formatTables({table}, options.format);
}

Result<int> run(Cli& cli, const Options& options, bool hasTolerance)
{
    const Kind kind = kindOf(options.a);
    if (kind != kindOf(options.b)) {
        say("diff: A and B must be of one kind: two dumps (.json), two runs (.npz) or two models");
        return kWrongUse;
    }
    Result<Differences> found = kind == Kind::Dump ? diffDumps(options)
                                : kind == Kind::Run
                                    ? diffRuns(options, hasTolerance ? options.tolerance : 0)
                                    : diffModels(cli, options);
    if (!found)
        return passOn(found);
    PT2E_TRY(writeResult("", differencesText(*found, options)));
    return found->empty() ? kDone : kNo;
}

} // namespace

void addDiff(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(
        app, "diff", "differences of two stage dumps, two models or two runs; exit code 1 if any");
    verb->add_option("A", options->a, "a dump (.json), a run (.npz, .npy) or a model")->required();
    verb->add_option("B", options->b, "another of the same kind")->required();
    verb->add_option("--model", options->programA, "the program, where a file holds several")
        ->type_name("NAME");
    verb->add_option("--model-b", options->programB, "the program of B (default: as --model)")
        ->type_name("NAME");
    CLI::Option* tolerance =
        verb->add_option("--tolerance", options->tolerance,
                         "relative, of reals (default: 1e-6 for dumps, none for runs)")
            ->type_name("X")
            ->check(CLI::NonNegativeNumber);
    addTableOptions(*verb, options->format);
    cli.onRun(*verb,
              [options, tolerance, &cli] { return run(cli, *options, tolerance->count() > 0); });
}

} // namespace pt2e::cli

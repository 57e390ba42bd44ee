#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/analysis/EvaluationData.h"
#include "core/analysis/MixedPrecision.h"
#include "core/view/SensitivityTables.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    TableOptions table;
    std::string evaluation;
    std::string labels;
    std::optional<std::int64_t> samples;
    std::string mode = modeName(SensitivityMode::OneOn);
    std::string metric = metricName(SensitivityMetric::Sqnr);
    std::optional<double> target;
    std::string resume;
    std::string recipe;
};

std::vector<std::string> modeNames()
{
    std::vector<std::string> names;
    for (const SensitivityMode mode : kSensitivityModes)
        names.emplace_back(modeName(mode));
    return names;
}

std::vector<std::string> metricNames()
{
    std::vector<std::string> names;
    for (const SensitivityMetric metric : kSensitivityMetrics)
        names.emplace_back(metricName(metric));
    return names;
}

/// Scores in a file: read at the start, written as they are computed, at most once a second, and at the end.
class StoreFile
{
public:
    explicit StoreFile(std::string path) : m_path(std::move(path)) {}

    Result<SensitivityStore> read() const
    {
        std::error_code ignored;
        if (m_path.empty() || !std::filesystem::exists(m_path, ignored))
            return SensitivityStore();
        PT2E_ASSIGN(const std::string text, readFile(m_path));
        return isCsv() ? readStoreCsv(text, m_path) : readStore(text, m_path);
    }
    Result<void> write(const SensitivityStore& store)
    {
        if (m_path.empty())
            return {};
        m_last = Clock::now();
        return writeResult(m_path, isCsv() ? writeStoreCsv(store) : writeStore(store));
    }
    /// Now and then; what fails here fails at the end too.
    void keep(const SensitivityStore& store)
    {
        if (Clock::now() - m_last > std::chrono::seconds(1))
            static_cast<void>(write(store));
    }

private:
    using Clock = std::chrono::steady_clock;
    bool isCsv() const { return m_path.ends_with(".csv"); }
    std::string m_path;
    Clock::time_point m_last = Clock::now();
};

Result<std::unique_ptr<Sensitivity>> start(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                runStages(cli, options.model, options.quantizing, StageKind::Converted));
    const Model& model = *snapshot->model;
    if (options.evaluation.empty() && model.data && !model.data->isInstalled())
        say(model.data->missing());
    const CalibrationChoice& calibration = snapshot->recipe.calibration;
    const std::int64_t every = options.evaluation.empty() ? kSensitivitySamples : 0;
    PT2E_ASSIGN(const auto data,
                evaluationData(model, calibration,
                               {options.evaluation, options.labels, calibration.format},
                               options.samples.value_or(every), kSensitivityBatches));
    PT2E_ASSIGN(SensitivityData read, sensitivityData(*data, cli.job()));
    sayDiagnostics(read.problems);
    return Sensitivity::make(snapshot, std::move(read), cli.job());
}

/// Each group as it comes, for who watches.
void sayScore(const Sensitivity& sensitivity, const SensitivityReport& report,
              SensitivityMetric metric)
{
    if (report.results.empty())
        return;
    const GroupResult& last = report.results.back();
    std::fprintf(stderr, "\r\033[K%zu/%zu %s: %s %s\n", report.results.size(), report.wanted,
                 sensitivity.groups()[last.group].name.c_str(),
                 metricCell(last.score, metric).text.c_str(),
                 metric == SensitivityMetric::Sqnr ? "dB" : "");
}

std::string textOf(double value) { return fmt::format("{}", value); }

Result<int> findRecipe(const Options& options, Sensitivity& sensitivity, SensitivityMetric metric,
                       SensitivityStore& store, const JobContext& job, std::vector<Table>& tables)
{
    PT2E_ASSIGN(const MixedPrecisionReport found,
                findMixedPrecision(sensitivity, {metric, *options.target}, store, job));
    tables.push_back(mixedPrecisionTable(sensitivity, found));
    if (!found.isMet) {
        say(fmt::format("the target {} {} is not met, not even with everything in float",
                        metricName(metric), textOf(*options.target)));
        return kNo;
    }
    const Recipe recipe = withEdits(sensitivity.snapshot().recipe, found.edits);
    if (!options.recipe.empty())
        PT2E_TRY(writeResult(options.recipe, writeRecipe(recipe)));
    say(fmt::format("{} of {} groups in float, {} edits", found.result.floatGroups.size(),
                    sensitivity.groups().size(), found.edits.size()));
    return kDone;
}

Result<int> run(Cli& cli, const Options& options)
{
    if (options.evaluation.empty() && !options.labels.empty())
        return badInput("--labels " + options.labels, "is for data given by --eval");
    const SensitivityMode mode = *modeFromName(options.mode);
    const SensitivityMetric metric = *metricFromName(options.metric);
    StoreFile file(options.resume);
    PT2E_ASSIGN(SensitivityStore store, file.read());
    PT2E_ASSIGN(const auto sensitivity, start(cli, options));
    const bool isWatched = isatty(STDERR_FILENO) == 1;
    const auto report = sensitivity->run(mode, store, cli.job(), [&](const SensitivityReport& r) {
        file.keep(store);
        if (isWatched)
            sayScore(*sensitivity, r, metric);
    });
    PT2E_TRY(file.write(store)); // also of a cancelled run
    if (!report)
        return passOn(report);
    if (!report->results.empty() && !valueOf(report->results.front().score, metric))
        return badInput("--metric " + options.metric, metric == SensitivityMetric::Accuracy
                                                          ? "the data have no labels"
                                                          : "the first output is no class scores");
    std::vector<Table> tables{sensitivitySetupTable(*sensitivity, *report, metric),
                              sensitivityTable(*sensitivity, *report, metric)};
    Result<int> answer = kDone;
    if (options.target) {
        answer = findRecipe(options, *sensitivity, metric, store, cli.job(), tables);
        PT2E_TRY(file.write(store));
        if (!answer)
            return answer;
    }
    PT2E_TRY(writeResult({}, formatTables(tables, options.table)));
    return answer;
}

void addOptions(CLI::App& verb, Options& options)
{
    verb.add_option("--mode", options.mode,
                    "one-on: one group of points quantized at a time (default); one-off: "
                    "everything but one; weights, activations: only that part of one group")
        ->check(CLI::IsMember(modeNames()));
    verb.add_option("--metric", options.metric,
                    "sqnr (default), cosine, mse: of the outputs against the float model's; "
                    "agreement: share of the samples in the float model's class; accuracy")
        ->check(CLI::IsMember(metricNames()));
    verb.add_option("--eval", options.evaluation,
                    "data to judge on, of the kinds of --calibration (default: 256 samples that "
                    "come with a built-in model; else 8 batches after those of calibration if "
                    "there are any; else calibration's own)")
        ->type_name("DATA");
    verb.add_option("--labels", options.labels, "the class of each sample, for --metric accuracy")
        ->type_name("FILE");
    verb.add_option("--samples", options.samples, "only the first N samples; 0: all")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    CLI::Option* target =
        verb.add_option("--target", options.target,
                        "find as few groups as can be that have to stay float, so that the metric "
                        "is at least this good; exit code 1 if that cannot be")
            ->type_name("VALUE");
    verb.add_option("-o,--output", options.recipe, "where to write the recipe that was found")
        ->type_name("RECIPE.json")
        ->needs(target);
    verb.add_option("--resume", options.resume,
                    "scores are taken from this file and written to it: .json, or .csv")
        ->type_name("FILE");
}

} // namespace

void addSensitivity(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "sensitivity",
                                 "which part of the quantization costs the most, and which has to "
                                 "stay float to meet a target");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    addOptions(*verb, *options);
    addTableOptions(*verb, options->table);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli

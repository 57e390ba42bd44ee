#include "core/analysis/Benchmark.h"

#include "core/analysis/OperatorTimes.h"
#include "core/metrics/Metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_set>

namespace pt2e {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostRounds = 100'000;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// An engine under measurement.
struct Contender
{
    EngineTimes times;
    std::unique_ptr<Program> program;
};

template<typename Make>
Result<void> enter(std::vector<Contender>& all, std::string name, Make make)
{
    const auto start = Clock::now();
    auto program = make();
    if (!program)
        return passOn(program);
    Contender contender;
    contender.times = {std::move(name), millisecondsSince(start), {}};
    contender.program = std::move(*program);
    all.push_back(std::move(contender));
    return {};
}

double rangeOf(const Tensor& tensor)
{
    const auto values = tensor.toDoubles();
    if (!values || values->empty())
        return 0;
    const auto [low, high] = std::minmax_element(values->begin(), values->end());
    return *high - *low;
}

/// Two float engines that do not give the same are not worth timing against each other.
Result<void> checkSame(Contender& a, Contender& b, const Values& inputs, const JobContext& context)
{
    PT2E_ASSIGN(const RunReport first, a.program->run(inputs, {}, context));
    PT2E_ASSIGN(const RunReport second, b.program->run(inputs, {}, context));
    for (std::size_t i = 0; i < first.outputs.size(); ++i) {
        const Tensor* x = first.outputs[i].tensor();
        const Tensor* y = i < second.outputs.size() ? second.outputs[i].tensor() : nullptr;
        if (!x || !y)
            continue;
        PT2E_ASSIGN(const TensorError error, compareTensors(*x, *y));
        if (!(error.maxAbs <= 1e-3 * rangeOf(*x) + 1e-6))
            return fail(ErrorCode::Internal, "benchmark",
                        fmt::format("{} and {} differ by {:.3g} in output {}", a.times.engine,
                                    b.times.engine, error.maxAbs, i));
    }
    return {};
}

Result<void> runRounds(std::vector<Contender>& contenders, const Values& inputs,
                       const BenchmarkOptions& options, const JobContext& context)
{
    constexpr int kFewestRounds = 5;
    const int all = options.warmUps + options.rounds;
    const auto begin = Clock::now();
    for (int round = 0; round < all; ++round) {
        const bool isEnough = round >= options.warmUps + kFewestRounds && options.most.count() > 0
                              && Clock::now() - begin > options.most;
        if (isEnough)
            break;
        context.report("timing", round, all);
        for (Contender& contender : contenders) {
            const auto start = Clock::now();
            PT2E_TRY(contender.program->run(inputs, {}, context));
            if (round >= options.warmUps)
                contender.times.milliseconds.push_back(millisecondsSince(start));
        }
    }
    for (Contender& contender : contenders)
        std::sort(contender.times.milliseconds.begin(), contender.times.milliseconds.end());
    return {};
}

Result<void> checkOptions(const BenchmarkOptions& options)
{
    if (options.rounds < 1 || options.warmUps < 0
        || static_cast<std::size_t>(options.rounds) > kMostRounds
        || static_cast<std::size_t>(options.warmUps) > kMostRounds)
        return badInput("benchmark", "needs 1 to 100000 rounds and 0 to 100000 warm-up rounds");
    return {};
}

Result<void> enterFloats(std::vector<Contender>& contenders, const GraphPtr& graph,
                         const Values& inputs, const XnnpackOptions& xnnpack,
                         const JobContext& context)
{
    PT2E_TRY(enter(contenders, "float on LibTorch", [&] { return makeReferenceProgram(graph); }));
    PT2E_TRY(
        enter(contenders, "float on XNNPACK", [&] { return makeXnnpackProgram(graph, xnnpack); }));
    return checkSame(contenders[0], contenders[1], inputs, context);
}

} // namespace

double EngineTimes::median() const
{
    const std::size_t count = milliseconds.size();
    if (count == 0)
        return 0;
    return count % 2 == 1 ? milliseconds[count / 2]
                          : (milliseconds[count / 2 - 1] + milliseconds[count / 2]) / 2;
}

double EngineTimes::spread() const
{
    const std::size_t count = milliseconds.size();
    return count == 0 ? 0 : milliseconds[count * 3 / 4] - milliseconds[count / 4];
}

EngineTimes::Interval EngineTimes::medianInterval() const
{
    if (milliseconds.empty())
        return {0, 0};
    // Ranks n/2 ± 1.96·√n/2: the normal approximation of the binomial.
    const auto count = static_cast<double>(milliseconds.size());
    const double half = 0.98 * std::sqrt(count);
    const double low = std::max(0.0, std::floor(count / 2 - half));
    const double high = std::min(count - 1, std::ceil(count / 2 + half));
    return {milliseconds[static_cast<std::size_t>(low)],
            milliseconds[static_cast<std::size_t>(high)]};
}

std::int64_t attributeBytes(const Graph& graph)
{
    std::unordered_set<std::string> seen;
    std::int64_t bytes = 0;
    for (const Node& node : graph) {
        if (!node.is(OpKind::GetAttr) || node.users.empty() || !seen.insert(node.target).second)
            continue;
        if (const Attribute* attribute = graph.attributes().find(node.target))
            bytes += static_cast<std::int64_t>(attribute->value.byteCount());
    }
    return bytes;
}

Result<BenchmarkReport> benchmark(const GraphPtr& floatGraph, const GraphPtr& converted,
                                  const Values& inputs, const BenchmarkOptions& options,
                                  const JobContext& context)
{
    PT2E_TRY(checkOptions(options));
    XnnpackOptions xnnpack;
    xnnpack.threads = options.threads;
    std::vector<Contender> contenders;
    BenchmarkReport report;
    if (floatGraph) {
        PT2E_TRY(enterFloats(contenders, floatGraph, inputs, xnnpack, context));
        report.floatBytes = attributeBytes(*floatGraph);
    }
    PT2E_TRY(enter(contenders, "int8 on XNNPACK",
                   [&] { return makeXnnpackProgram(converted, xnnpack); }));
    PT2E_TRY(runRounds(contenders, inputs, options, context));
    report.int8Bytes = attributeBytes(*converted);
    report.assignments = contenders.back().program->assignments();
    for (Contender& contender : contenders)
        report.engines.push_back(std::move(contender.times));
    if (floatGraph) {
        const EngineTimes& faster = report.engines[0].median() <= report.engines[1].median()
                                        ? report.engines[0]
                                        : report.engines[1];
        report.speedUp = {faster.median() / report.engines[2].median(), faster.engine};
    }
    if (options.hasOperators) {
        PT2E_ASSIGN(report.operators,
                    timeOperators(converted, inputs,
                                  {options.threads, options.warmUps, options.rounds}, context));
    }
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    report.torchInfo = torch->info();
    report.xnnpackInfo = xnnpackInfo();
    report.options = options;
    return report;
}

const EngineTimes& PairedTimes::fasterFloat() const
{
    return floats[0].median() <= floats[1].median() ? floats[0] : floats[1];
}

Result<PairedTimes> benchmarkBoth(const GraphPtr& floatGraph, const GraphPtr& first,
                                  const GraphPtr& second, const Values& inputs,
                                  const BenchmarkOptions& options, const JobContext& context)
{
    PT2E_TRY(checkOptions(options));
    XnnpackOptions xnnpack;
    xnnpack.threads = options.threads;
    std::vector<Contender> contenders;
    PT2E_TRY(enterFloats(contenders, floatGraph, inputs, xnnpack, context));
    for (const GraphPtr& converted : {first, second})
        PT2E_TRY(enter(contenders, "int8 on XNNPACK",
                       [&] { return makeXnnpackProgram(converted, xnnpack); }));
    PT2E_TRY(runRounds(contenders, inputs, options, context));
    PairedTimes times;
    times.floats = {std::move(contenders[0].times), std::move(contenders[1].times)};
    times.int8 = {std::move(contenders[2].times), std::move(contenders[3].times)};
    times.options = options;
    return times;
}

} // namespace pt2e

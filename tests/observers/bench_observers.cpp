// Where calibration time goes: observing, and the parameter search.
#include "core/kernels/Kernels.h"
#include "core/observers/Observer.h"

#include <benchmark/benchmark.h>

using namespace pt2e;

namespace {

Tensor activations(std::int64_t count, double spread, bool isRectified)
{
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const double v = (static_cast<double>((i * 7919 + 13) % 10007) - 4000) * spread / 10007;
        values.push_back(static_cast<float>(isRectified && v < 0 ? 0 : v));
    }
    return Tensor::fromValues<float>(DType::Float32, {count}, std::span<const float>(values));
}

ObserverConfig configOf(ObserverKind kind)
{
    ObserverConfig config;
    config.kind = kind;
    config.eps = 0.000244140625f;
    config.chAxis = 0;
    return config;
}

void observe(benchmark::State& state, ObserverKind kind, bool widens)
{
    auto observer = makeObserver(configOf(kind)).value();
    const Tensor narrow = activations(state.range(0), 1, true);
    (void)observer->observe(narrow);
    double spread = 1;
    for (auto _ : state) {
        state.PauseTiming();
        const Tensor next = widens ? activations(state.range(0), spread *= 1.001, true) : narrow;
        state.ResumeTiming();
        benchmark::DoNotOptimize(observer->observe(next));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void histogramSameRange(benchmark::State& state) { observe(state, ObserverKind::Histogram, false); }

void histogramWidening(benchmark::State& state) { observe(state, ObserverKind::Histogram, true); }

void minMax(benchmark::State& state) { observe(state, ObserverKind::MinMax, false); }

void search(benchmark::State& state)
{
    const ObserverConfig config = configOf(ObserverKind::Histogram);
    auto observer = makeObserver(config).value();
    // A constant runs the search through all its iterations.
    (void)observer->observe(state.range(0) == 0 ? activations(4096, 0, true)
                                                : activations(4096, 5, false));
    const ObserverState seen = observer->state();
    for (auto _ : state)
        benchmark::DoNotOptimize(calculateQParams(config, seen));
}

} // namespace

BENCHMARK(histogramSameRange)->Arg(1 << 16)->Arg(1 << 20);
BENCHMARK(histogramWidening)->Arg(1 << 16);
BENCHMARK(minMax)->Arg(1 << 20);
BENCHMARK(search)->Arg(0)->Arg(1);
BENCHMARK_MAIN();

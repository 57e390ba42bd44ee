#include "core/observers/HistogramSearch.h"

#include "core/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

/// std::fmod, which goes bit by bit, for the quotients that occur. The product has at most 52 bits, and the difference
/// is a multiple of b's last place below 2·b: both are exact in double.
static float remainderOf(float a, float b)
{
    const double dividend = std::fabs(static_cast<double>(a));
    const double divisor = std::fabs(static_cast<double>(b));
    const double quotient = dividend / divisor;
    if (!(quotient < 0x1p28))
        return std::fmod(a, b);
    double rest = dividend - std::trunc(quotient) * divisor;
    if (rest < 0) // the quotient was rounded up to a whole number
        rest += divisor;
    return static_cast<float>(std::copysign(rest, static_cast<double>(a)));
}

float floorDivide(float a, float b)
{
    if (b == 0)
        return a / b;
    const float remainder = remainderOf(a, b);
    float quotient = (a - remainder) / b;
    if (remainder != 0 && (b < 0) != (remainder < 0))
        quotient -= 1.0f;
    if (quotient == 0)
        return std::copysign(0.0f, a / b);
    const float floored = std::floor(quotient);
    return quotient - floored > 0.5f ? floored + 1.0f : floored;
}

namespace {

constexpr double kStep = 1e-5; // the stepsize of the search, as a Python float

/// torch.sum of a float32 vector, read as a Python float.
class AtenSum
{
public:
    static Result<AtenSum> make()
    {
        PT2E_ASSIGN(const Kernels* all, kernels());
        PT2E_ASSIGN(auto kernel, all->find("aten.sum.default"));
        return AtenSum(std::move(kernel));
    }

    Result<double> operator()(std::span<const float> values) const
    {
        const Tensor tensor = Tensor::fromValues<float>(
            DType::Float32, {static_cast<std::int64_t>(values.size())}, values);
        PT2E_ASSIGN(const Values results, m_kernel->call(Values{Value{tensor}}, {}));
        const Tensor* sum = results.empty() ? nullptr : results.front().tensor();
        if (!sum)
            return fail(ErrorCode::Internal, "aten.sum.default", "gave no tensor");
        PT2E_ASSIGN(const auto read, sum->values<float>());
        return static_cast<double>(read.front());
    }

private:
    explicit AtenSum(std::shared_ptr<const Kernel> kernel) : m_kernel(std::move(kernel)) {}
    std::shared_ptr<const Kernel> m_kernel;
};

class Search
{
public:
    Search(const ObserverConfig& config, const ObserverState& state, AtenSum sum)
        : m_histogram(state.histogram),
          m_min(state.minVal.front()),
          m_max(state.maxVal.front()),
          m_levels(std::int64_t(1) << (8 * elementSize(config.dtype))),
          m_sum(std::move(sum)),
          m_norms(state.histogram.size())
    {}

    Result<HistogramRange> run(HistogramTrace* trace, std::int64_t* iterations);

private:
    void accumulate();
    Result<double> error(std::int64_t first, std::int64_t last);

    const std::vector<float>& m_histogram;
    float m_min, m_max;
    std::int64_t m_levels; ///< of the dtype, whatever quant_min and quant_max say
    AtenSum m_sum;
    std::vector<float> m_norms;
    std::vector<float> m_cumulative;
};

/// torch.cumsum of float32: accumulated in double, each sum stored as float32.
void Search::accumulate()
{
    m_cumulative.resize(m_histogram.size());
    double sum = 0;
    for (std::size_t i = 0; i < m_histogram.size(); ++i) {
        sum += m_histogram[i];
        m_cumulative[i] = static_cast<float>(sum);
    }
}

/// HistogramObserver._compute_quantization_error: each line is one float32 tensor operation there.
Result<double> Search::error(std::int64_t first, std::int64_t last)
{
    const auto bins = static_cast<std::int64_t>(m_histogram.size());
    const double binWidth =
        (static_cast<double>(m_max) - static_cast<double>(m_min)) / static_cast<double>(bins);
    const double levelWidth =
        binWidth * static_cast<double>(last - first + 1) / static_cast<double>(m_levels);
    if (levelWidth == 0)
        return 0.0;
    const auto width = static_cast<float>(binWidth);
    const auto level = static_cast<float>(levelWidth);
    const auto halfLevel = static_cast<float>(levelWidth / 2);
    const auto top = static_cast<float>(m_levels - 1);
    const auto cubes = [](float begin, float end) {
        return (end * end * end - begin * begin * begin) / 3.0f;
    };
    const float inner = cubes(-halfLevel, halfLevel);
    for (std::int64_t i = 0; i < bins; ++i) {
        const float begin = static_cast<float>(i - first) * width;
        const float end = begin + width;
        const float levelOfBegin = std::clamp(floorDivide(begin, level), 0.0f, top);
        const float centreOfBegin = (levelOfBegin + 0.5f) * level;
        const float levelOfEnd = std::clamp(floorDivide(end, level), 0.0f, top);
        const float centreOfEnd = levelOfEnd * level + halfLevel;
        const float density = m_histogram[static_cast<std::size_t>(i)] / width;
        float norm = density * cubes(begin - centreOfBegin, halfLevel);
        norm += (levelOfEnd - levelOfBegin - 1.0f) * (density * inner);
        norm += density * cubes(-halfLevel, end - centreOfEnd);
        m_norms[static_cast<std::size_t>(i)] = norm;
    }
    return m_sum(m_norms);
}

Result<HistogramRange> Search::run(HistogramTrace* trace, std::int64_t* iterations)
{
    PT2E_ASSIGN(const double total, m_sum(m_histogram));
    accumulate();
    const auto bins = static_cast<std::int64_t>(m_histogram.size());
    const auto at = [this](std::int64_t i) { return m_cumulative[static_cast<std::size_t>(i)]; };
    std::int64_t first = 0, last = bins - 1, iteration = 0;
    // The original walks from first and last each time. Both thresholds only move inwards, so the walks go on
    // where they stopped.
    std::int64_t left = 0, right = bins - 1;
    double alpha = 0, beta = 1, best = std::numeric_limits<double>::infinity();
    while (alpha < beta) {
        ++iteration;
        const double nextAlpha = alpha + kStep;
        const double nextBeta = beta - kStep;
        const auto lowMark = static_cast<float>(nextAlpha * total);
        const auto highMark = static_cast<float>(nextBeta * total);
        while (left < bins - 1 && at(left) < lowMark)
            ++left;
        while (right > 0 && at(right) > highMark)
            --right;
        const std::int64_t l = std::max(first, std::min(left, last));
        const std::int64_t r = std::min(last, std::max(right, first));
        std::int64_t newFirst = first, newLast = last;
        if (l - first > last - r) {
            newFirst = l;
            alpha = nextAlpha;
        } else {
            newLast = r;
            beta = nextBeta;
        }
        if (newFirst == first && newLast == last)
            continue;
        PT2E_ASSIGN(const double norm, error(newFirst, newLast));
        // "greater", so that NaN and infinity are accepted as in the original.
        const bool isWorse = norm > best;
        if (trace)
            trace->push_back({iteration, newFirst, newLast, norm, !isWorse});
        if (isWorse)
            break;
        best = norm;
        first = newFirst;
        last = newLast;
    }
    if (iterations)
        *iterations = iteration;
    const float binWidth = (m_max - m_min) / static_cast<float>(bins);
    return HistogramRange{m_min + binWidth * static_cast<float>(first),
                          m_min + binWidth * static_cast<float>(last + 1)};
}

} // namespace

Result<HistogramRange> searchHistogramRange(const ObserverConfig& config,
                                            const ObserverState& state, HistogramTrace* trace,
                                            std::int64_t* iterations)
{
    if (state.minVal.size() != 1 || state.maxVal.size() != 1
        || state.histogram.size() != static_cast<std::size_t>(config.bins))
        return fail(ErrorCode::Internal, "HistogramObserver", "the state has no histogram");
    PT2E_ASSIGN(AtenSum sum, AtenSum::make());
    return Search(config, state, std::move(sum)).run(trace, iterations);
}

} // namespace pt2e

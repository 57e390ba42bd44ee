// Calibration data: too few, or not what the model was made for.
#include "core/analysis/Doctor.h"
#include "core/data/DataSet.h"
#include "core/pipeline/Pipeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace pt2e::diagnoses {

namespace {

// ---- too few batches

Range rangeOf(const SeenValue& seen, std::size_t batches)
{
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < batches; ++i) {
        range.low = std::min(range.low, static_cast<double>(seen.batches[i].min));
        range.high = std::max(range.high, static_cast<double>(seen.batches[i].max));
    }
    return range;
}

/// So many batches the choice could give at most; nothing where that is not known.
std::optional<std::int64_t> batchesInAll(const Snapshot& snapshot)
{
    const CalibrationChoice& choice = snapshot.recipe.calibration;
    switch (choice.source) {
    case CalibrationChoice::Source::Random: return std::numeric_limits<std::int64_t>::max();
    case CalibrationChoice::Source::Examples:
        return static_cast<std::int64_t>(snapshot.model->examples.size());
    case CalibrationChoice::Source::File: break;
    }
    const auto data = openData({choice.path, choice.format, 0, true}, *snapshot.model->exported);
    return data ? std::optional((*data)->batchCount()) : std::nullopt;
}

/// Twice as many batches as there are now, if the data have more.
std::optional<CalibrationChoice> withMoreBatches(const Snapshot& snapshot)
{
    const std::int64_t now = snapshot.calibrated->batches;
    const std::int64_t most = batchesInAll(snapshot).value_or(now);
    if (most <= now)
        return std::nullopt;
    CalibrationChoice more = snapshot.recipe.calibration;
    more.batches = std::min(2 * now, most);
    return more;
}

// ---- other values than expected

/// How many times farther the values are from the expected ones than is well; below 1 is well.
double distance(const Moments& given, const Moments& expected)
{
    const double spread = std::max(given.deviation, expected.deviation);
    const double ratio = given.deviation > 0 ? expected.deviation / given.deviation
                                             : std::numeric_limits<double>::infinity();
    return std::max({ratio / kSpreadRatio, 1 / ratio / kSpreadRatio,
                     std::abs(given.mean - expected.mean) / spread / kMeanShift});
}

/// Too few values, or all the same, say nothing: an input of zeros is an example of a shape.
bool isTelling(const Moments& values)
{
    constexpr std::int64_t kFewest = 64;
    return values.count >= kFewest && values.deviation > 0;
}

std::string text(const Moments& values)
{
    return fmt::format("{:.3g} ± {:.3g}", values.mean, values.deviation);
}

Moments normalized(const Moments& values, double mean, double std)
{
    return {(values.mean - mean) / std, values.deviation / std, (values.low - mean) / std,
            (values.high - mean) / std, values.count};
}

/// Mean and std that networks are commonly trained with: none, ±1, ImageNet, MNIST, Fashion-MNIST.
struct Normalization
{
    std::vector<double> mean, std;
};
const std::array<Normalization, 5>& knownNormalizations()
{
    static const std::array<Normalization, 5> kKnown{
        {{{}, {}},
         {{0.5}, {0.5}},
         {{0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}},
         {{0.1307}, {0.3081}},
         {{0.2860}, {0.3530}}}};
    return kKnown;
}

double meanOf(const std::vector<double>& values, double otherwise)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return values.empty() ? otherwise : sum / static_cast<double>(values.size());
}

/// The input's values in the first batch of that choice.
std::optional<Moments> firstBatch(const Snapshot& snapshot, CalibrationChoice choice,
                                  std::size_t input)
{
    choice.batches = 1;
    const auto batches = loadBatches(*snapshot.model, choice);
    if (!batches || batches->batches.empty() || input >= batches->batches.front().size())
        return std::nullopt;
    const Tensor* tensor = batches->batches.front()[input].tensor();
    RunningMoments moments;
    if (!tensor || !moments.add(*tensor))
        return std::nullopt;
    return moments.moments();
}

/// The known normalization, of values from 0 to 1 or to 255, that brings the data nearest to what is expected; nothing
/// where none does, or the data take none.
std::optional<CalibrationChoice> betterFormat(const Snapshot& snapshot, const Moments& expected,
                                              std::size_t input)
{
    if (snapshot.recipe.calibration.source != CalibrationChoice::Source::File)
        return std::nullopt;
    CalibrationChoice plain = snapshot.recipe.calibration;
    plain.format.mean.clear();
    plain.format.std.clear();
    const auto values = firstBatch(snapshot, plain, input);
    if (!values)
        return std::nullopt;
    CalibrationChoice best = plain;
    double least = std::numeric_limits<double>::infinity();
    for (const double unit : {1.0, 255.0, 1 / 255.0}) {
        for (const Normalization& known : knownNormalizations()) {
            const double mean = meanOf(known.mean, 0) * unit, std = meanOf(known.std, 1) * unit;
            const double left = distance(normalized(*values, mean, std), expected);
            if (left >= least)
                continue;
            least = left;
            best.format.mean = known.mean;
            best.format.std = known.std;
            if (unit != 1 && known.std.empty())
                best.format.std = {1};
            for (double& number : best.format.mean)
                number *= unit;
            for (double& number : best.format.std)
                number *= unit;
        }
    }
    // Batches of arrays are taken as they are; and some normalizations do not go with the input.
    const auto after = firstBatch(snapshot, best, input);
    const bool isBetter = after && distance(*after, expected) < 1;
    return isBetter && best != snapshot.recipe.calibration ? std::optional(best) : std::nullopt;
}

void judgeInput(Doctor& doctor, const SeenInput& given, std::size_t place, const Moments& expected,
                const char* evidence)
{
    if (!isTelling(expected) || given.values.count == 0)
        return;
    const double severity = distance(given.values, expected);
    if (severity < 1)
        return;
    Diagnosis found{DiagnosisKind::Preprocessing,
                    {given.input},
                    doctor.graph.node(given.input).name,
                    evidence,
                    fmt::format("{} / {}", text(given.values), text(expected)),
                    severity,
                    "calibrate with the mean and std that go with the data"};
    found.calibration = betterFormat(doctor.snapshot, expected, place);
    if (!found.calibration)
        found.mend = "no recipe can: give data that are prepared as the model expects them";
    doctor.found.push_back(std::move(found));
}

std::vector<double> attributeAt(const Graph& graph, const Node& node, std::size_t argument)
{
    const Node* source = graph.find(node.arg(argument).node());
    const Attribute* attribute =
        source && source->is(OpKind::GetAttr) ? graph.attributes().find(source->target) : nullptr;
    return attribute ? attribute->value.toDoubles().value_or(std::vector<double>{})
                     : std::vector<double>{};
}

/// The input's only reader if that is a convolution, whose result only a batch norm reads: both, else null.
std::pair<const Node*, const Node*> firstLayer(const Graph& graph, NodeId input)
{
    const auto onlyReader = [&](const Node& node, std::string_view op) -> const Node* {
        const Node* reader = node.users.size() == 1 ? graph.find(node.users.front()) : nullptr;
        const bool isThat = reader && shortOpName(reader->target).starts_with(op)
                            && reader->arg(0).node() == node.id;
        return isThat ? reader : nullptr;
    };
    const Node* placeholder = graph.find(input);
    const Node* convolution = placeholder ? onlyReader(*placeholder, "conv") : nullptr;
    return {convolution, convolution ? onlyReader(*convolution, "batch_norm") : nullptr};
}

/// How many of its standard deviations the mean of most channels behind the first convolution lies from the one that the
/// batch norm there has kept of training: a convolution takes a mean m to m·Σw + b, but for its padding. Nothing where
/// there are no such layers, or where they have not been trained.
std::optional<double> distanceFromTraining(const Graph& graph, NodeId input, double mean)
{
    const auto [convolution, norm] = firstLayer(graph, input);
    if (!norm)
        return std::nullopt;
    const std::vector<double> weights = attributeAt(graph, *convolution, 1);
    const std::vector<double> bias = attributeAt(graph, *convolution, 2);
    const std::vector<double> means = attributeAt(graph, *norm, 3);
    const std::vector<double> variances = attributeAt(graph, *norm, 4);
    const bool isTrained = std::any_of(means.begin(), means.end(), [](double m) { return m != 0; });
    if (!isTrained || means.size() != variances.size() || weights.size() % means.size() != 0)
        return std::nullopt;
    const std::size_t each = weights.size() / means.size();
    std::vector<double> distances;
    for (std::size_t i = 0; i < means.size(); ++i) {
        double sum = 0;
        for (std::size_t k = i * each; k < (i + 1) * each; ++k)
            sum += weights[k];
        const double behind = mean * sum + (bias.size() == means.size() ? bias[i] : 0);
        if (variances[i] > 0)
            distances.push_back(std::abs(behind - means[i]) / std::sqrt(variances[i]));
    }
    if (distances.empty())
        return std::nullopt;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle;
}

void judgeByTraining(Doctor& doctor, const SeenInput& given)
{
    const auto away =
        distanceFromTraining(*doctor.snapshot.model->exported, given.input, given.values.mean);
    if (!away || *away < kMeanShift)
        return;
    // Which mean and std the training had cannot be told from this one number.
    doctor.found.push_back(
        {DiagnosisKind::Preprocessing,
         {given.input},
         doctor.graph.node(given.input).name,
         "standard deviations from the mean that the first batch norm kept: %1",
         fmt::format("{:.3g} ({})", *away, text(given.values)),
         *away / kMeanShift,
         "give data prepared as in training: mean and std of the data's format"});
}

} // namespace

void findFewBatches(Doctor& doctor)
{
    const std::int64_t batches = doctor.snapshot.calibrated->batches;
    std::vector<std::pair<double, NodeId>> moving;
    std::size_t all = 0;
    for (const Node& node : *doctor.snapshot.annotated->folded.graph) {
        const SeenValue* seen = doctor.seenAt(node.id);
        if (!seen || batches < 2)
            continue;
        const std::size_t count = seen->batches.size();
        const double early = rangeOf(*seen, count / 2).width(),
                     late = rangeOf(*seen, count).width();
        if (!(late > 0))
            continue;
        ++all;
        if (late > (1 + kMovingRange) * early)
            moving.emplace_back(late / std::max(early, 1e-3 * late), node.id);
    }
    if (moving.empty()
        || static_cast<double>(moving.size()) < kMovingShare * static_cast<double>(all))
        return;
    std::stable_sort(moving.begin(), moving.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    Diagnosis found{DiagnosisKind::FewBatches, {}, {}, nullptr, {}, 0, nullptr};
    for (const auto& [growth, node] : moving)
        found.nodes.push_back(node);
    const NodeId worst = moving.front().second;
    const SeenValue& seen = *doctor.seenAt(worst);
    const Range early = rangeOf(seen, seen.batches.size() / 2);
    const Range late = rangeOf(seen, seen.batches.size());
    found.name = doctor.graph.node(worst).name;
    found.evidence = "range after half of the batches and after all: %1";
    found.numbers = fmt::format("{:.4g} … {:.4g} / {:.4g} … {:.4g} ({} of {})", early.low,
                                early.high, late.low, late.high, moving.size(), all);
    found.severity = static_cast<double>(moving.size()) / static_cast<double>(all) / kMovingShare;
    found.calibration = withMoreBatches(doctor.snapshot);
    found.mend = found.calibration ? "calibrate with twice as many batches"
                                   : "no recipe can: the data have no more batches; give more data";
    doctor.found.push_back(std::move(found));
}

void findPreprocessing(Doctor& doctor, const CompareReport* report)
{
    const Snapshot& snapshot = doctor.snapshot;
    const std::vector<NodeId> placeholders = snapshot.model->exported->placeholders();
    const bool hasExamples =
        !snapshot.model->examples.empty()
        && snapshot.recipe.calibration.source != CalibrationChoice::Source::Examples;
    for (const SeenInput& given : snapshot.calibrated->inputs) {
        const auto place = static_cast<std::size_t>(
            std::find(placeholders.begin(), placeholders.end(), given.input)
            - placeholders.begin());
        const std::size_t before = doctor.found.size();
        const Values* example = hasExamples ? &snapshot.model->examples.front() : nullptr;
        const Tensor* tensor =
            example && place < example->size() ? (*example)[place].tensor() : nullptr;
        RunningMoments moments;
        if (tensor && moments.add(*tensor))
            judgeInput(doctor, given, place, moments.moments(),
                       "values in calibration and in the example inputs: %1");
        for (const SeenInput& judged : report ? report->inputs : std::vector<SeenInput>{}) {
            if (judged.input == given.input && doctor.found.size() == before)
                judgeInput(doctor, given, place, judged.values,
                           "values in calibration and in the data it is judged on: %1");
        }
        if (doctor.found.size() == before)
            judgeByTraining(doctor, given);
    }
}

} // namespace pt2e::diagnoses

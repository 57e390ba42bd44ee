#include "core/view/RecipeTables.h"

#include "core/view/CompareTables.h"
#include "core/view/TableCells.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace pt2e {

namespace {

Cell wordOf(const RecipeWord& said)
{
    Cell cell = textCell(said.text);
    cell.pattern = said.pattern;
    cell.argument = said.argument;
    if (said.reason)
        cell.reason = std::make_shared<const Reason>(*said.reason);
    return cell;
}

/// "-12" and "+12", "0" where nothing differs.
Cell differenceCell(double difference, int digits)
{
    if (!std::isfinite(difference))
        return absentCell();
    std::string text = fmt::format("{:+.{}f}", difference, digits);
    const bool isNothing = text.find_first_of("123456789") == std::string::npos;
    return {isNothing ? "0" : text, difference, true};
}

class Summary
{
public:
    Summary(const RecipeComparison& comparison, Table& table) : m_all(comparison), m_table(table) {}

    void add(Cell what, Cell first, Cell second, Cell difference)
    {
        m_table.rows.push_back(
            {{std::move(what), std::move(first), std::move(second), std::move(difference)}, {}});
    }
    void addCoverage();
    void addCounts();
    void addOutputs();
    void addAccuracy();
    void addTimes();

private:
    using Number = std::function<std::optional<double>(std::size_t)>;
    /// No row where one of the two has no such number.
    void addNumbers(Cell what, const Number& number, int digits);
    void addShare(const char* what, std::int64_t (*part)(const Coverage&),
                  std::int64_t (*all)(const Coverage&));
    void addDecibels(Cell what, const TensorError& first, const TensorError& second);
    const CompareReport* report(std::size_t side) const { return m_all.runs.compared[side].get(); }

    const RecipeComparison& m_all;
    Table& m_table;
};

Cell patternCell(const char* pattern, const std::string& argument)
{
    const RecipeWord word = [&] {
        std::string text = pattern;
        text.replace(text.find("%1"), 2, argument);
        return RecipeWord{text, pattern, argument, {}};
    }();
    return wordOf(word);
}

void Summary::addNumbers(Cell what, const Number& number, int digits)
{
    const std::optional<double> first = number(0);
    const std::optional<double> second = number(1);
    if (!first || !second)
        return;
    const auto cell = [&](double value) {
        return Cell{fmt::format("{:.{}f}", value, digits), value, true};
    };
    add(std::move(what), cell(*first), cell(*second), differenceCell(*second - *first, digits));
}

void Summary::addShare(const char* what, std::int64_t (*part)(const Coverage&),
                       std::int64_t (*all)(const Coverage&))
{
    addNumbers(
        wordCell(what),
        [&](std::size_t side) -> std::optional<double> {
            const Coverage& coverage = m_all.figures[side].coverage;
            if (all(coverage) == 0)
                return std::nullopt;
            return 100.0 * static_cast<double>(part(coverage)) / static_cast<double>(all(coverage));
        },
        1);
}

void Summary::addCoverage()
{
    const auto count = [](std::optional<std::int64_t> value) {
        return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    };
    addNumbers(
        wordCell("operators"),
        [&](std::size_t side) { return count(m_all.figures[side].coverage.ops); }, 0);
    addNumbers(
        wordCell("operators quantized"),
        [&](std::size_t side) { return count(m_all.figures[side].coverage.opsQuantized); }, 0);
    addShare(
        "MACs quantized, %", [](const Coverage& c) { return c.macsQuantized; },
        [](const Coverage& c) { return c.macs; });
    addShare(
        "weight bytes quantized, %", [](const Coverage& c) { return c.weightBytesQuantized; },
        [](const Coverage& c) { return c.weightBytes; });
    addNumbers(
        wordCell("observers"),
        [&](std::size_t side) { return count(m_all.figures[side].observers); }, 0);
    addNumbers(
        wordCell("quantize and dequantize nodes"),
        [&](std::size_t side) { return count(m_all.figures[side].conversions); }, 0);
    addNumbers(
        wordCell("weights, bytes"),
        [&](std::size_t side) { return count(m_all.figures[side].weightBytes); }, 0);
}

/// Of the operators, without quantize and dequantize nodes.
std::int64_t ranInInt8(const CompareReport& report)
{
    return std::count_if(report.assignments.begin(), report.assignments.end(),
                         [&](const Assignment& assignment) {
                             const Node* node = report.converted->find(assignment.node);
                             return assignment.where == Assignment::Where::XnnpackInt8 && node
                                    && !node->target.starts_with("quantized_decomposed.");
                         });
}

void Summary::addCounts()
{
    if (!report(0) || !report(1))
        return;
    addNumbers(
        wordCell("kernels that ran in int8"),
        [&](std::size_t side) {
            return std::optional(static_cast<double>(ranInInt8(*report(side))));
        },
        0);
}

void Summary::addDecibels(Cell what, const TensorError& first, const TensorError& second)
{
    add(std::move(what), decibelCell(first), decibelCell(second),
        first.count > 0 && second.count > 0 ? differenceCell(second.sqnrDb - first.sqnrDb, 2)
                                            : absentCell());
}

void Summary::addOutputs()
{
    if (!report(0) || !report(1))
        return;
    const auto& first = report(0)->outputs;
    const auto& second = report(1)->outputs;
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
        const OutputComparison& a = first[i];
        const OutputComparison& b = second[i];
        addDecibels(patternCell("SQNR of %1 simulated, dB", a.name), a.simulated, b.simulated);
        addDecibels(patternCell("SQNR of %1 on XNNPACK, dB", a.name), a.xnnpack, b.xnnpack);
        addNumbers(
            patternCell("cosine of %1 on XNNPACK", a.name),
            [&](std::size_t side) { return std::optional((side == 0 ? a : b).xnnpack.cosine); }, 6);
    }
}

void Summary::addAccuracy()
{
    if (!report(0) || !report(1) || !report(0)->classified || !report(1)->classified)
        return;
    const auto accuracy = [&](RunKind run) {
        return [this, run](std::size_t side) {
            return std::optional(
                100.0 * report(side)->classified->accuracy[static_cast<std::size_t>(run)].share);
        };
    };
    addNumbers(wordCell("accuracy of the float model, %"), accuracy(RunKind::Float), 2);
    addNumbers(wordCell("accuracy simulated, %"), accuracy(RunKind::Simulated), 2);
    addNumbers(wordCell("accuracy on XNNPACK, %"), accuracy(RunKind::Xnnpack), 2);
    addNumbers(
        wordCell("XNNPACK agrees with float, %"),
        [&](std::size_t side) -> std::optional<double> {
            const Classified& classified = *report(side)->classified;
            for (const RunComparison& each : classified.comparisons) {
                if (each.run == RunKind::Xnnpack && each.with == RunKind::Float)
                    return 100.0 * static_cast<double>(each.agreeing)
                           / static_cast<double>(classified.samples);
            }
            return std::nullopt;
        },
        2);
    if (!m_all.predictions)
        return;
    const RecipePredictions& predictions = *m_all.predictions;
    add(wordCell("samples in the same class under both"), absentCell(), absentCell(),
        countCell(predictions.agreeing,
                  fmt::format("{} / {}", predictions.agreeing, predictions.difference.all)));
    add(wordCell("chance of such a difference (McNemar)"), absentCell(), absentCell(),
        numberCell(predictions.difference.p, "{:.3g}"));
}

void Summary::addTimes()
{
    if (!m_all.runs.times)
        return;
    const PairedTimes& times = *m_all.runs.times;
    addNumbers(
        wordCell("time in float, ms"),
        [&](std::size_t) { return std::optional(times.fasterFloat().median()); }, 3);
    addNumbers(
        wordCell("time in int8, ms"),
        [&](std::size_t side) { return std::optional(times.int8[side].median()); }, 3);
    const auto interval = [&](std::size_t side) {
        const EngineTimes::Interval found = times.int8[side].medianInterval();
        Cell cell = textCell(fmt::format("{:.3f} … {:.3f}", found.low, found.high));
        cell.rightAligned = true;
        return cell;
    };
    add(wordCell("95 % interval of it, ms"), interval(0), interval(1), absentCell());
}

} // namespace

Table recipeSummaryTable(const RecipeComparison& comparison, const RecipeNames& names)
{
    Table table{"recipes",
                fmt::format("two recipes: {} and {}", names[0], names[1]),
                {"what", names[0], names[1], "difference"},
                {},
                {}};
    Summary summary(comparison, table);
    summary.addCoverage();
    summary.addCounts();
    summary.addOutputs();
    summary.addAccuracy();
    summary.addTimes();
    return table;
}

Table recipeDifferenceTable(const RecipeComparison& comparison, const RecipeNames& names)
{
    Table table{
        "recipe-differences",
        fmt::format("where {} and {} differ", names[0], names[1]),
        {"place", "op", "what", names[0], names[1]},
        {},
        {StageKind::Annotated, StageKind::Prepared, StageKind::Converted, StageKind::Exported}};
    for (const RecipeDifference& difference : comparison.differences) {
        TableRow row;
        row.cells = {textCell(difference.at), textCell(difference.op),
                     wordCell(aspectName(difference.aspect)), wordOf(difference.said[0]),
                     wordOf(difference.said[1])};
        if (difference.node[0])
            row.nodes = {difference.node[0]};
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace pt2e

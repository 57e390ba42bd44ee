// What the tests of single ops check, and how far XNNPACK may be from the reference.
#pragma once

#include "tests/engine/xnnpack/ConvertedGraph.h"

#include <QTest>

namespace pt2e::test {

using Ints = std::vector<std::int64_t>;

// Largest share of elements that may differ, each by one quantization step at most.
inline constexpr double kExact = 0;
inline constexpr double kSum = 0.01; ///< the reference adds many products in float32
inline constexpr double kAdd = 0.001;
inline constexpr double kMean = 0.001;

inline std::vector<double> spreadScales(std::int64_t count)
{
    std::vector<double> scales;
    for (std::int64_t i = 0; i < count; ++i)
        scales.push_back(0.002 * (1 + static_cast<double>(i % 5)));
    return scales;
}

inline void checkClose(const Comparison& comparison, double share)
{
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY2(comparison.distinct > 3, "the case has too few different values to mean anything");
    QVERIFY2(comparison.maxSteps <= 1.01, qPrintable(QString::number(comparison.maxSteps)));
    QVERIFY2(comparison.shareDiffering <= share,
             qPrintable(QString::number(comparison.shareDiffering)));
}

inline void checkKernel(const GraphPtr& graph, const std::string& node, const std::string& kernel)
{
    const Assignment assignment = assignmentOf(graph, node);
    QVERIFY2(assignment.where == Assignment::Where::XnnpackInt8, assignment.reason.c_str());
    QCOMPARE(assignment.kernel, kernel);
    QVERIFY(assignment.reason.empty());
}

} // namespace pt2e::test

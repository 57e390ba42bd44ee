// The small graphs of tests/data/passes/scenarios.txt with what torchao makes of them (record.py beside it).
#pragma once

#include "core/ir/GraphEditor.h"
#include "core/passes/Convert.h"
#include "core/quant/Quantizer.h"

#include <QtTest/QtTest>

#include <map>

namespace pt2e::test {

struct Scenario
{
    std::string name;
    std::string flavor; ///< "pc", "pt", "dyn", "custom" (annotations by hand)
    std::map<std::string, std::vector<std::string>> sections; ///< lines by heading

    bool has(const std::string& section) const { return sections.contains(section); }
    std::string text(const std::string& section) const; ///< lines joined
    QuantizerSettings settings() const;
    /// The exported graph with shapes, module stacks and the attributes of the recorder's formula.
    GraphPtr exported() const;
    /// The recorded annotations, as lines and (for "custom") as a table on a graph.
    AnnotationTable customAnnotations(const Graph& graph) const;
};

std::vector<Scenario> loadScenarios();

/// A spec as the recorder writes it: "observed(int8,-128,127,per_tensor_affine,None,False,HistogramObserver)".
std::string specText(const Graph& graph, const Spec& spec);
std::string pointText(const Graph& graph, const Point& point);
/// One line per annotated node, as recorded.
std::vector<std::string> annotationLines(const Graph& graph, const AnnotationTable& annotations);
std::vector<std::string> attributeHashes(const Graph& graph); ///< "target|sha256" per get_attr
/// The made-up parameters of the recorder for the instances of a prepared graph.
Result<QParamsResult> recordedQParams(const PreparedGraph& prepared, ObserverId id);

} // namespace pt2e::test

// The graph as text: exactly what Python's print(graph) writes, and back.
#pragma once

#include "core/base/Result.h"
#include "core/ir/Graph.h"

#include <string>
#include <string_view>

namespace pt2e {

/// As `print(graph)` of torch 2.13 (without a trailing newline).
std::string printGraph(const Graph& graph);
/// One line of it, without indentation.
std::string printNode(const Graph& graph, const Node& node);
/// An argument as Python writes it in a call, node names with or without "%".
std::string printArgument(const Graph& graph, const Argument& argument, bool percent = true);
/// The call as a person would write it: "conv2d(x, conv1_weight, None, [1, 1], [1, 1])".
std::string printCall(const Graph& graph, const Node& node);
/// Python's repr of a float: shortest digits that read back, "1e-05", "inf".
std::string pythonFloat(double value);
/// Python's repr of a string, in single quotes.
std::string pythonString(std::string_view text);

/// Reads what printGraph writes. Shapes, dtypes and attributes are not part of the text; get_attr targets get no value.
/// The error names line and column.
Result<Graph> parseGraph(std::string_view text);

} // namespace pt2e

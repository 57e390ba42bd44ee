// What pt2e-layout is asked and what it answers: a graph by sizes and words, and its text form on the pipe.
//
// The pipe carries messages "WORD LENGTH\n" + LENGTH bytes. Requests: layout, write (a DotGraph), read (DOT text).
// Answers: ok or error, for layout a DotLayout, for write DOT text, for read a DotGraph. Numbers have a point whatever
// the locale; texts are percent-encoded.
#pragma once

#include "core/base/Result.h"
#include "core/view/Scene.h"

#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

struct DotNode
{
    std::string label; ///< only in written DOT; the layout goes by the size
    double width = 0; ///< scene units (1 unit = 1 pt)
    double height = 0;
    std::string shape = "box"; ///< box, ellipse, hexagon, triangle, invtriangle, note
    std::string style; ///< "", "dashed", "bold", "filled", …
    int cluster = -1; ///< index into DotGraph::clusters
    PointF at; ///< centre, y down; written as pos
    friend bool operator==(const DotNode&, const DotNode&) = default;
};

struct DotEdge
{
    int from = 0;
    int to = 0;
    std::string style;
    friend bool operator==(const DotEdge&, const DotEdge&) = default;
};

struct DotGraph
{
    std::string title;
    std::vector<std::string> clusters;
    std::vector<DotNode> nodes;
    std::vector<DotEdge> edges;
    bool hasPositions = false;
    friend bool operator==(const DotGraph&, const DotGraph&) = default;
};

struct DotLayout
{
    std::vector<PointF>
        centers; ///< per node, y down, the upper left corner of the picture is (0, 0)
    double width = 0;
    double height = 0;
    friend bool operator==(const DotLayout&, const DotLayout&) = default;
};

std::string encode(const DotGraph& graph);
std::string encode(const DotLayout& layout);
/// Errors name the line.
Result<DotGraph> decodeGraph(std::string_view text);
Result<DotLayout> decodeLayout(std::string_view text);

} // namespace pt2e

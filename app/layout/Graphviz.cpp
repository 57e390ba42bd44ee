#include "app/layout/Graphviz.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gvc.h>
#include <memory>
#include <unordered_map>

namespace pt2e {

namespace {

constexpr double kPointsPerInch = 72;

struct CloseGraph
{
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using GraphHandle = std::unique_ptr<Agraph_t, CloseGraph>;

/// Graphviz's functions take char* for texts that they only read.
char* text(const std::string& s) { return const_cast<char*>(s.c_str()); }
char* text(const char* s) { return const_cast<char*>(s); }

void set(void* object, const char* name, const std::string& value)
{
    agsafeset(object, text(name), text(value), text(""));
}

std::string get(void* object, const char* name)
{
    const char* value = agget(object, text(name));
    return value ? value : "";
}

double toNumber(const std::string& s)
{
    const double value = std::strtod(s.c_str(), nullptr); // the program never leaves the C locale
    return std::isfinite(value) ? value : 0;
}

/// What libcgraph complained about last, instead of on stderr.
std::string& complaint()
{
    static std::string last;
    return last;
}
int keepComplaint(char* message)
{
    if (complaint().size() < 2000)
        complaint() += message;
    return 0;
}
void listen()
{
    complaint().clear();
    agseterr(AGWARN);
    agseterrf(keepComplaint);
}
std::string heard(const std::string& otherwise)
{
    auto message = complaint();
    while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
        message.pop_back();
    return message.empty() ? otherwise : message;
}

struct Built
{
    GraphHandle graph;
    std::vector<Agnode_t*> nodes;
};

/// forLayout: sizes only, no labels, so that Graphviz never measures text. Otherwise all the words, and places.
Built build(const DotGraph& source, bool forLayout)
{
    Built built;
    built.graph.reset(agopen(text("pt2e"), Agdirected, nullptr));
    Agraph_t* root = built.graph.get();
    std::vector<Agraph_t*> clusters;
    if (!forLayout) {
        set(root, "label", source.title);
        set(root, "labelloc", "t");
        set(root, "fontname", "DejaVu Sans");
        for (std::size_t c = 0; c < source.clusters.size(); ++c) {
            Agraph_t* cluster = agsubg(root, text(fmt::format("cluster_{}", c)), 1);
            set(cluster, "label", source.clusters[c]);
            clusters.push_back(cluster);
        }
    }
    double height = 0;
    for (const auto& n : source.nodes)
        height = std::max(height, n.at.y + n.height / 2);
    for (std::size_t i = 0; i < source.nodes.size(); ++i) {
        const auto& n = source.nodes[i];
        Agraph_t* home = n.cluster >= 0 && !clusters.empty()
                             ? clusters[static_cast<std::size_t>(n.cluster)]
                             : root;
        Agnode_t* node = agnode(home, text(fmt::format("n{}", i)), 1);
        built.nodes.push_back(node);
        set(node, "shape", forLayout ? "box" : n.shape);
        set(node, "fixedsize", "true");
        set(node, "width", fmt::format("{:.4f}", n.width / kPointsPerInch));
        set(node, "height", fmt::format("{:.4f}", n.height / kPointsPerInch));
        set(node, "label", forLayout ? "" : n.label);
        if (forLayout)
            continue;
        set(node, "fontname", "DejaVu Sans");
        set(node, "fontsize", "10");
        if (!n.style.empty())
            set(node, "style", n.style);
        if (source.hasPositions)
            set(node, "pos", fmt::format("{:.2f},{:.2f}!", n.at.x, height - n.at.y));
    }
    for (std::size_t i = 0; i < source.edges.size(); ++i) {
        const auto& e = source.edges[i];
        Agedge_t* edge =
            agedge(root, built.nodes[static_cast<std::size_t>(e.from)],
                   built.nodes[static_cast<std::size_t>(e.to)], text(fmt::format("e{}", i)), 1);
        if (!forLayout && !e.style.empty())
            set(edge, "style", e.style);
        if (!forLayout)
            set(edge, "dir", "none");
    }
    return built;
}

/// A writer for agwrite: appends to a std::string.
int appendTo(void* channel, const char* data)
{
    static_cast<std::string*>(channel)->append(data);
    return 0;
}
int flushNothing(void*) { return 0; }

} // namespace

Graphviz::~Graphviz()
{
    if (m_context)
        gvFreeContext(static_cast<GVC_t*>(m_context));
}

Result<DotLayout> Graphviz::layout(const DotGraph& source)
{
    DotLayout layout;
    if (source.nodes.empty())
        return layout;
    listen();
    if (!m_context)
        m_context = gvContext();
    auto* context = static_cast<GVC_t*>(m_context);
    const auto built = build(source, true);
    Agraph_t* graph = built.graph.get();
    set(graph, "splines", "false");
    set(graph, "ranksep", "0.3");
    set(graph, "nodesep", "0.3");
    if (gvLayout(context, graph, "dot") != 0)
        return fail(ErrorCode::Internal, "dot", heard("the layout failed"));
    attach_attrs(graph); // places as text: does not depend on Graphviz's structures
    double left = 0;
    double bottom = 0;
    double right = 0;
    double top = 0;
    if (std::sscanf(get(graph, "bb").c_str(), "%lf,%lf,%lf,%lf", &left, &bottom, &right, &top) != 4)
        return fail(ErrorCode::Internal, "dot", "the layout has no bounds");
    layout.width = right - left;
    layout.height = top - bottom;
    for (Agnode_t* node : built.nodes) {
        double x = 0;
        double y = 0;
        if (std::sscanf(get(node, "pos").c_str(), "%lf,%lf", &x, &y) != 2)
            return fail(ErrorCode::Internal, "dot", "a node has no place");
        layout.centers.push_back({x - left, top - y});
    }
    gvFreeLayout(context, graph);
    return layout;
}

Result<std::string> Graphviz::write(const DotGraph& source)
{
    listen();
    const auto built = build(source, false);
    std::string out;
    Agiodisc_t io{};
    io.afread = AgIoDisc.afread;
    io.putstr = appendTo;
    io.flush = flushNothing;
    built.graph->clos->disc.io = &io; // agwrite takes its output from the graph's own discipline
    if (agwrite(built.graph.get(), &out) != 0)
        return fail(ErrorCode::Internal, "libcgraph", heard("the graph could not be written"));
    return out;
}

Result<DotGraph> Graphviz::read(const std::string& dot)
{
    listen();
    const GraphHandle graph(agmemread(dot.c_str()));
    if (!graph)
        return badInput("DOT", heard("no graph in it"));
    DotGraph result;
    result.title = get(graph.get(), "label");
    std::unordered_map<Agnode_t*, int> indexOf;
    std::unordered_map<Agnode_t*, int> clusterOf;
    for (Agraph_t* sub = agfstsubg(graph.get()); sub; sub = agnxtsubg(sub)) {
        const auto cluster = static_cast<int>(result.clusters.size());
        const auto label = get(sub, "label");
        result.clusters.push_back(label.empty() ? std::string(agnameof(sub)) : label);
        for (Agnode_t* node = agfstnode(sub); node; node = agnxtnode(sub, node))
            clusterOf[agsubnode(graph.get(), node, 0)] = cluster;
    }
    for (Agnode_t* node = agfstnode(graph.get()); node; node = agnxtnode(graph.get(), node)) {
        DotNode n;
        const auto label = get(node, "label");
        n.label = label.empty() || label == "\\N" ? std::string(agnameof(node)) : label;
        n.width = toNumber(get(node, "width")) * kPointsPerInch;
        n.height = toNumber(get(node, "height")) * kPointsPerInch;
        const auto shape = get(node, "shape");
        n.shape = shape.empty() ? n.shape : shape;
        n.style = get(node, "style");
        double x = 0;
        double y = 0;
        if (std::sscanf(get(node, "pos").c_str(), "%lf,%lf", &x, &y) == 2) {
            n.at = {x, -y};
            result.hasPositions = true;
        }
        const auto cluster = clusterOf.find(node);
        n.cluster = cluster == clusterOf.end() ? -1 : cluster->second;
        indexOf[node] = static_cast<int>(result.nodes.size());
        result.nodes.push_back(std::move(n));
    }
    for (Agnode_t* node = agfstnode(graph.get()); node; node = agnxtnode(graph.get(), node))
        for (Agedge_t* edge = agfstout(graph.get(), node); edge; edge = agnxtout(graph.get(), edge))
            result.edges.push_back(
                {indexOf[agtail(edge)], indexOf[aghead(edge)], get(edge, "style")});
    return result;
}

} // namespace pt2e

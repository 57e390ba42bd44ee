#include "app/layout/Graphviz.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gvc.h>
#include <memory>
#include <string_view>
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

/// Sizes only, no labels, so that Graphviz never measures text.
Built build(const DotGraph& source)
{
    Built built;
    built.graph.reset(agopen(text("pt2e"), Agdirected, nullptr));
    Agraph_t* root = built.graph.get();
    for (std::size_t i = 0; i < source.nodes.size(); ++i) {
        const auto& n = source.nodes[i];
        Agnode_t* node = agnode(root, text(fmt::format("n{}", i)), 1);
        built.nodes.push_back(node);
        set(node, "shape", "box");
        set(node, "fixedsize", "true");
        set(node, "width", fmt::format("{:.4f}", n.width / kPointsPerInch));
        set(node, "height", fmt::format("{:.4f}", n.height / kPointsPerInch));
        set(node, "label", "");
    }
    for (std::size_t i = 0; i < source.edges.size(); ++i) {
        const auto& e = source.edges[i];
        agedge(root, built.nodes[static_cast<std::size_t>(e.from)],
               built.nodes[static_cast<std::size_t>(e.to)], text(fmt::format("e{}", i)), 1);
    }
    return built;
}

/// A DOT string. A backslash is doubled, since Graphviz reads escapes in labels; line ends may stand as they are.
std::string quoted(const std::string& s)
{
    std::string out = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string unescaped(const std::string& label)
{
    std::string out;
    for (std::size_t i = 0; i < label.size(); ++i) {
        if (label[i] == '\\' && i + 1 < label.size() && label[i + 1] == '\\')
            ++i;
        out += label[i];
    }
    return out;
}

std::string nodeText(const DotNode& n, std::size_t index, const DotGraph& source, double height)
{
    auto line = fmt::format("n{} [label={}, shape={}, width={:.4f}, height={:.4f}, fixedsize=true",
                            index, quoted(n.label), quoted(n.shape), n.width / kPointsPerInch,
                            n.height / kPointsPerInch);
    if (!n.style.empty())
        line += ", style=" + quoted(n.style);
    if (source.hasPositions)
        line += fmt::format(", pos=\"{:.2f},{:.2f}!\"", n.at.x, height - n.at.y);
    return line + "];\n";
}

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
    const auto built = build(source);
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

/// Written here and not by agwrite, which orders sub-graphs by the addresses of their names; then read by libcgraph, so
/// that nothing leaves that Graphviz cannot read.
Result<std::string> Graphviz::write(const DotGraph& source)
{
    double height = 0;
    for (const auto& n : source.nodes)
        height = std::max(height, n.at.y + n.height / 2);
    std::string out = "digraph pt2e {\n  graph [label=" + quoted(source.title)
                      + ", labelloc=t, fontname=\"DejaVu Sans\"];\n"
                        "  node [fontname=\"DejaVu Sans\", fontsize=10];\n  edge [dir=none];\n";
    for (std::size_t c = 0; c < source.clusters.size(); ++c) {
        out += fmt::format("  subgraph cluster_{} {{\n    graph [label={}];\n", c,
                           quoted(source.clusters[c]));
        for (std::size_t i = 0; i < source.nodes.size(); ++i)
            if (source.nodes[i].cluster == static_cast<int>(c))
                out += "    " + nodeText(source.nodes[i], i, source, height);
        out += "  }\n";
    }
    for (std::size_t i = 0; i < source.nodes.size(); ++i)
        if (source.nodes[i].cluster < 0)
            out += "  " + nodeText(source.nodes[i], i, source, height);
    for (const auto& e : source.edges)
        out += fmt::format("  n{} -> n{}", e.from, e.to)
               + (e.style.empty() ? std::string() : " [style=" + quoted(e.style) + "]") + ";\n";
    out += "}\n";
    listen();
    if (!GraphHandle(agmemread(out.c_str())))
        return fail(ErrorCode::Internal, "libcgraph", heard("the written DOT cannot be read"));
    return out;
}

Result<DotGraph> Graphviz::read(const std::string& dot)
{
    listen();
    const GraphHandle graph(agmemread(dot.c_str()));
    if (!graph)
        return badInput("DOT", heard("no graph in it"));
    DotGraph result;
    result.title = unescaped(get(graph.get(), "label"));
    std::unordered_map<Agnode_t*, int> indexOf;
    std::unordered_map<Agnode_t*, int> clusterOf;
    std::vector<Agraph_t*> subgraphs; // libcgraph orders them by address
    for (Agraph_t* sub = agfstsubg(graph.get()); sub; sub = agnxtsubg(sub))
        subgraphs.push_back(sub);
    std::sort(subgraphs.begin(), subgraphs.end(), [](Agraph_t* a, Agraph_t* b) {
        return std::string_view(agnameof(a)) < std::string_view(agnameof(b));
    });
    for (Agraph_t* sub : subgraphs) {
        const auto cluster = static_cast<int>(result.clusters.size());
        const auto label = get(sub, "label");
        result.clusters.push_back(label.empty() ? std::string(agnameof(sub)) : label);
        for (Agnode_t* node = agfstnode(sub); node; node = agnxtnode(sub, node))
            clusterOf[agsubnode(graph.get(), node, 0)] = cluster;
    }
    for (Agnode_t* node = agfstnode(graph.get()); node; node = agnxtnode(graph.get(), node)) {
        DotNode n;
        const auto label = get(node, "label");
        n.label = label.empty() || label == "\\N" ? std::string(agnameof(node)) : unescaped(label);
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

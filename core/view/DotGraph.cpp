#include "core/view/DotGraph.h"

#include <charconv>
#include <fmt/format.h>

namespace pt2e {

namespace {

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 32 || byte == '%' || byte == 127)
            out += fmt::format("%{:02x}", byte);
        else
            out += c;
    }
    return out.empty() ? "%" : out; // "%" alone: empty, so that each field has a word
}

std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        unsigned value = 0;
        if (i + 2 >= text.size())
            continue; // "%" alone: nothing
        const char* digits = text.data() + i + 1;
        if (std::from_chars(digits, digits + 2, value, 16).ec == std::errc()) {
            out += static_cast<char>(value);
            i += 2;
        }
    }
    return out;
}

/// Reads a text line by line, word by word.
class Words
{
public:
    explicit Words(std::string_view text) : m_text(text) {}

    bool nextLine()
    {
        if (m_text.empty())
            return false;
        const auto end = m_text.find('\n');
        m_line = m_text.substr(0, end);
        m_text = end == std::string_view::npos ? std::string_view() : m_text.substr(end + 1);
        ++m_number;
        return true;
    }
    std::string_view word()
    {
        const auto end = m_line.find(' ');
        const auto word = m_line.substr(0, end);
        m_line = end == std::string_view::npos ? std::string_view() : m_line.substr(end + 1);
        return word;
    }
    template<typename T>
    bool number(T& value)
    {
        const auto text = word();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size() && !text.empty();
    }
    tl::unexpected<Error> error(const std::string& what) const
    {
        return badInput("line " + std::to_string(m_number), what);
    }

private:
    std::string_view m_text;
    std::string_view m_line;
    int m_number = 0;
};

} // namespace

std::string encode(const DotGraph& graph)
{
    std::string out = "graph " + escaped(graph.title) + (graph.hasPositions ? " 1\n" : " 0\n");
    for (const auto& cluster : graph.clusters)
        out += "cluster " + escaped(cluster) + "\n";
    for (const auto& n : graph.nodes)
        out += fmt::format("node {} {} {} {} {} {} {} {}\n", n.width, n.height, n.at.x, n.at.y,
                           n.cluster, escaped(n.shape), escaped(n.style), escaped(n.label));
    for (const auto& e : graph.edges)
        out += fmt::format("edge {} {} {}\n", e.from, e.to, escaped(e.style));
    return out;
}

std::string encode(const DotLayout& layout)
{
    std::string out = fmt::format("layout {} {}\n", layout.width, layout.height);
    for (const auto& c : layout.centers)
        out += fmt::format("at {} {}\n", c.x, c.y);
    return out;
}

Result<DotGraph> decodeGraph(std::string_view text)
{
    DotGraph graph;
    Words words(text);
    while (words.nextLine()) {
        const auto what = words.word();
        if (what == "graph") {
            graph.title = unescaped(words.word());
            graph.hasPositions = words.word() == "1";
        } else if (what == "cluster") {
            graph.clusters.push_back(unescaped(words.word()));
        } else if (what == "node") {
            DotNode n;
            if (!words.number(n.width) || !words.number(n.height) || !words.number(n.at.x)
                || !words.number(n.at.y) || !words.number(n.cluster)
                || n.cluster >= static_cast<int>(graph.clusters.size()))
                return words.error("a node needs size, place and cluster");
            n.shape = unescaped(words.word());
            n.style = unescaped(words.word());
            n.label = unescaped(words.word());
            graph.nodes.push_back(std::move(n));
        } else if (what == "edge") {
            DotEdge e;
            const auto isNode = [&](int i) {
                return i >= 0 && i < static_cast<int>(graph.nodes.size());
            };
            if (!words.number(e.from) || !words.number(e.to) || !isNode(e.from) || !isNode(e.to))
                return words.error("an edge needs two nodes that came before it");
            e.style = unescaped(words.word());
            graph.edges.push_back(std::move(e));
        } else {
            return words.error("unknown word '" + std::string(what.substr(0, 20)) + "'");
        }
    }
    return graph;
}

Result<DotLayout> decodeLayout(std::string_view text)
{
    DotLayout layout;
    Words words(text);
    while (words.nextLine()) {
        const auto what = words.word();
        if (what == "layout") {
            if (!words.number(layout.width) || !words.number(layout.height))
                return words.error("a layout needs a size");
        } else if (what == "at") {
            PointF at;
            if (!words.number(at.x) || !words.number(at.y))
                return words.error("a place needs two numbers");
            layout.centers.push_back(at);
        } else {
            return words.error("unknown word '" + std::string(what.substr(0, 20)) + "'");
        }
    }
    return layout;
}

} // namespace pt2e

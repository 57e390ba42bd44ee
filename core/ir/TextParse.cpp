#include "core/ir/GraphEditor.h"
#include "core/ir/Text.h"

#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

namespace pt2e {

namespace {

constexpr int kMaxDepth = 200;

/// A reader of one line of print(graph).
class LineParser
{
public:
    LineParser(std::string_view line, int number, std::size_t indentation,
               const std::unordered_map<std::string, NodeId>& nodes)
        : m_line(line),
          m_number(number),
          m_indentation(indentation),
          m_nodes(nodes)
    {}

    tl::unexpected<Error> wrong(const std::string& what) const
    {
        return badInput(
            fmt::format("graph text: line {}, column {}", m_number, m_indentation + m_at + 1),
            what);
    }

    bool accept(std::string_view token)
    {
        if (m_line.substr(m_at, token.size()) != token)
            return false;
        m_at += token.size();
        return true;
    }
    Result<void> expect(std::string_view token)
    {
        if (!accept(token))
            return wrong(fmt::format("expected '{}'", token));
        return {};
    }
    bool atEnd() const { return m_at == m_line.size(); }

    /// Text up to one of the characters, at least one character long.
    Result<std::string> textUntil(std::string_view stops)
    {
        const std::size_t end = std::min(m_line.find_first_of(stops, m_at), m_line.size());
        if (end == m_at)
            return wrong("expected a name");
        std::string text(m_line.substr(m_at, end - m_at));
        m_at = end;
        return text;
    }

    /// With percent, "%x" is a node and a bare word a string; without (the return line) a bare word is a node.
    Result<Argument> argument(bool percent, int depth = 0)
    {
        if (depth > kMaxDepth)
            return wrong("nested too deeply");
        if (accept("["))
            return items("]", false, percent, depth);
        if (accept("("))
            return items(")", true, percent, depth);
        if (accept("%")) {
            PT2E_ASSIGN(const std::string name, textUntil(",)]} "));
            return nodeNamed(name);
        }
        if (!atEnd() && (m_line[m_at] == '\'' || m_line[m_at] == '"'))
            return quoted();
        PT2E_ASSIGN(const std::string word, textUntil(",)]}"));
        return literal(word, percent);
    }

    Result<KeywordArguments> keywords()
    {
        PT2E_TRY(expect("{"));
        KeywordArguments found;
        while (!accept("}")) {
            if (!found.empty())
                PT2E_TRY(expect(", "));
            PT2E_ASSIGN(std::string key, textUntil(":"));
            PT2E_TRY(expect(": "));
            PT2E_ASSIGN(Argument value, argument(true));
            found.emplace_back(std::move(key), std::move(value));
        }
        return found;
    }

private:
    Result<Argument> items(std::string_view close, bool isTuple, bool percent, int depth)
    {
        ArgumentList list;
        list.isTuple = isTuple;
        while (!accept(close)) {
            if (!list.items.empty()) {
                PT2E_TRY(expect(","));
                if (accept(close))
                    break;
                PT2E_TRY(expect(" "));
            }
            PT2E_ASSIGN(Argument item, argument(percent, depth + 1));
            list.items.push_back(std::move(item));
        }
        return Argument(std::move(list));
    }

    Result<Argument> quoted()
    {
        const char quote = m_line[m_at++];
        std::string text;
        while (true) {
            if (atEnd())
                return wrong("string does not end");
            const char c = m_line[m_at++];
            if (c == quote)
                return Argument(std::move(text));
            if (c != '\\') {
                text += c;
                continue;
            }
            if (atEnd())
                return wrong("string does not end");
            const char escaped = m_line[m_at++];
            text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
        }
    }

    Result<Argument> nodeNamed(const std::string& name) const
    {
        const auto it = m_nodes.find(name);
        if (it == m_nodes.end())
            return wrong(fmt::format("node '{}' is not defined above", name));
        return Argument(it->second);
    }

    Result<Argument> literal(const std::string& word, bool percent) const
    {
        if (word == "None")
            return Argument();
        if (word == "True" || word == "False")
            return Argument(word == "True");
        const char* begin = word.data();
        const char* end = begin + word.size();
        std::int64_t integer = 0;
        if (const auto r = std::from_chars(begin, end, integer);
            r.ec == std::errc{} && r.ptr == end)
            return Argument(integer);
        double real = 0;
        if (const auto r = std::from_chars(begin, end, real); r.ec == std::errc{} && r.ptr == end)
            return Argument(real);
        if (word.starts_with("torch."))
            return torchConstant(word);
        if (word == "cpu" || word == "cuda" || word == "meta")
            return Argument(Device{word, -1});
        if (percent)
            return Argument(word);
        return nodeNamed(word);
    }

    Result<Argument> torchConstant(const std::string& word) const
    {
        const std::string_view name = std::string_view(word).substr(6);
        if (const auto dtype = dtypeFromName(name))
            return Argument(*dtype);
        for (int i = 0; i <= static_cast<int>(Layout::Mkldnn); ++i) {
            if (layoutName(static_cast<Layout>(i)) == name)
                return Argument(static_cast<Layout>(i));
        }
        for (int i = 0; i <= static_cast<int>(MemoryFormat::Preserve); ++i) {
            if (memoryFormatName(static_cast<MemoryFormat>(i)) == name)
                return Argument(static_cast<MemoryFormat>(i));
        }
        return Argument(OpaqueArgument{word});
    }

    std::string_view m_line;
    int m_number;
    std::size_t m_indentation;
    const std::unordered_map<std::string, NodeId>& m_nodes;
    std::size_t m_at = 0;
};

/// The target as a Node keeps it, from how it is printed.
std::string targetFromText(const std::string& text, OpKind kind)
{
    if (kind != OpKind::CallFunction)
        return text;
    for (const std::string_view prefix : {"torch.ops.higher_order.", "torch.ops.", "operator."}) {
        if (text.starts_with(prefix))
            return text.substr(prefix.size());
    }
    return text.starts_with("torch.sym_") ? text.substr(6) : text;
}

class GraphParser
{
public:
    Result<Graph> run(std::string_view text)
    {
        int number = 0;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            ++number;
            while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
                line.remove_suffix(1);
            const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
            line.remove_prefix(indentation);
            if (line.empty() || (number == 1 && line.starts_with("graph(")))
                continue;
            PT2E_TRY(parseLine(line, number, indentation));
        }
        return m_editor.graph();
    }

private:
    Result<void> parseLine(std::string_view line, int number, std::size_t indentation)
    {
        LineParser parser(line, number, indentation, m_nodes);
        if (m_editor.graph().output())
            return parser.wrong("nothing may follow the return line");
        NewNode node;
        if (parser.accept("return ")) {
            node.kind = OpKind::Output;
            node.target = "output";
            PT2E_ASSIGN(Argument result, parser.argument(false));
            node.args.push_back(std::move(result));
            m_editor.append(std::move(node));
            return {};
        }
        PT2E_TRY(parser.expect("%"));
        PT2E_ASSIGN(std::string name, parser.textUntil(" "));
        if (m_nodes.contains(name))
            return parser.wrong(fmt::format("node '{}' is defined twice", name));
        PT2E_TRY(parser.expect(" : [num_users="));
        PT2E_TRY(parser.textUntil("]"));
        PT2E_TRY(parser.expect("] = "));
        PT2E_ASSIGN(const std::string kind, parser.textUntil("["));
        PT2E_TRY(parser.expect("[target="));
        PT2E_ASSIGN(const std::string target, parser.textUntil("]"));
        PT2E_TRY(parser.expect("]"));
        PT2E_TRY(readKind(parser, kind, node));
        node.target = targetFromText(target, node.kind);
        node.nameCandidate = name;
        PT2E_TRY(readCall(parser, node));
        if (!parser.atEnd())
            return parser.wrong("unexpected text at the end of the line");
        if (node.kind == OpKind::GetAttr)
            m_editor.setAttribute(node.target, Attribute{});
        if (node.kind == OpKind::CallModule)
            m_editor.setModule(node.target, ModuleRef{});
        const NodeId id = m_editor.append(std::move(node));
        m_editor.setName(id, name);
        m_nodes.emplace(std::move(name), id);
        return {};
    }

    static Result<void> readKind(const LineParser& parser, const std::string& text, NewNode& node)
    {
        for (const OpKind kind :
             {OpKind::Placeholder, OpKind::GetAttr, OpKind::CallFunction, OpKind::CallModule}) {
            if (text == opKindName(kind)) {
                node.kind = kind;
                return {};
            }
        }
        return parser.wrong(fmt::format("unknown kind of node '{}'", text));
    }

    static Result<void> readCall(LineParser& parser, NewNode& node)
    {
        if (node.kind == OpKind::Placeholder && parser.accept("(default=")) {
            PT2E_ASSIGN(Argument value, parser.argument(true));
            node.args.push_back(std::move(value));
            return parser.expect(")");
        }
        if (node.kind != OpKind::CallFunction && node.kind != OpKind::CallModule)
            return {};
        PT2E_TRY(parser.expect("(args = "));
        PT2E_ASSIGN(Argument args, parser.argument(true));
        ArgumentList* list = args.get<ArgumentList>();
        if (!list || !list->isTuple)
            return parser.wrong("arguments are not a tuple");
        node.args = std::move(list->items);
        PT2E_TRY(parser.expect(", kwargs = "));
        PT2E_ASSIGN(node.kwargs, parser.keywords());
        return parser.expect(")");
    }

    GraphEditor m_editor;
    std::unordered_map<std::string, NodeId> m_nodes;
};

} // namespace

Result<Graph> parseGraph(std::string_view text) { return GraphParser().run(text); }

} // namespace pt2e

#include "core/ir/Text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

namespace pt2e {

namespace {

/// How an argument is written: as FX formats it (str of literals) or as Python's repr of a container.
enum class Style {
    Format, ///< torch.fx.node._format_arg: "%x", strings bare
    Repr ///< what a list or tuple of them prints as: "x", strings quoted
};

std::string deviceText(const Device& device, Style style)
{
    if (style == Style::Format)
        return device.index < 0 ? device.type : fmt::format("{}:{}", device.type, device.index);
    return device.index < 0 ? fmt::format("device(type='{}')", device.type)
                            : fmt::format("device(type='{}', index={})", device.type, device.index);
}

std::string complexText(const ComplexArgument& value)
{
    // Python's repr of a complex: "1j", "(1+2j)"; whole numbers without ".0".
    const auto part = [](double v) {
        std::string text = pythonFloat(v);
        return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
    };
    if (value.real == 0 && !std::signbit(value.real))
        return part(value.imag) + "j";
    const std::string imaginary = part(value.imag);
    return "(" + part(value.real) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j)";
}

class ArgumentPrinter
{
public:
    ArgumentPrinter(const Graph& graph, Style style, bool percent)
        : m_graph(graph),
          m_style(style),
          m_percent(percent)
    {}

    std::string print(const Argument& argument) const
    {
        return std::visit([this](const auto& value) { return text(value); }, argument.value());
    }

private:
    std::string text(std::monostate) const { return "None"; }
    std::string text(bool value) const { return value ? "True" : "False"; }
    std::string text(std::int64_t value) const { return std::to_string(value); }
    std::string text(double value) const { return pythonFloat(value); }
    std::string text(const std::string& value) const
    {
        return m_style == Style::Format ? value : pythonString(value);
    }
    std::string text(NodeId value) const
    {
        const Node* node = m_graph.find(value);
        return (m_percent ? "%" : "") + (node ? node->name : std::string("<gone>"));
    }
    std::string text(DType value) const { return fmt::format("torch.{}", dtypeName(value)); }
    std::string text(const Device& value) const { return deviceText(value, m_style); }
    std::string text(Layout value) const { return fmt::format("torch.{}", layoutName(value)); }
    std::string text(MemoryFormat value) const
    {
        return fmt::format("torch.{}", memoryFormatName(value));
    }
    std::string text(const SymbolArgument& value) const { return value.expression; }
    std::string text(const OpaqueArgument& value) const { return value.repr; }
    std::string text(const ComplexArgument& value) const { return complexText(value); }
    std::string text(const ArgumentList& list) const
    {
        std::string inside;
        for (const Argument& item : list.items)
            inside += (inside.empty() ? "" : ", ") + print(item);
        if (!list.isTuple)
            return "[" + inside + "]";
        return "(" + inside + (list.items.size() == 1 ? ",)" : ")");
    }

    const Graph& m_graph;
    Style m_style;
    bool m_percent;
};

/// Node._pretty_print_target.
std::string targetText(const Node& node)
{
    if (!node.is(OpKind::CallFunction))
        return node.target;
    const std::string& target = node.target;
    const std::size_t first = target.find('.');
    if (first != std::string::npos && first != target.rfind('.'))
        return "torch.ops." + target;
    if (target.starts_with("sym_"))
        return "torch." + target;
    if (first != std::string::npos)
        return target;
    // A bare name is a function of Python's operator module, else a higher-order operator.
    static const std::unordered_set<std::string_view> kOperators{
        "abs",    "add",    "and_",   "eq",       "floordiv", "ge",      "getitem", "gt",
        "invert", "is_",    "le",     "lt",       "mod",      "mul",     "ne",      "neg",
        "not_",   "or_",    "pos",    "pow",      "sub",      "truediv", "xor",     "matmul",
        "index",  "lshift", "rshift", "contains", "is_not",   "truth"};
    return (kOperators.contains(target) ? "operator." : "torch.ops.higher_order.") + target;
}

std::string kwargsText(const Graph& graph, const Node& node)
{
    std::string inside;
    for (const auto& [key, value] : node.kwargs)
        inside +=
            fmt::format("{}{}: {}", inside.empty() ? "" : ", ", key, printArgument(graph, value));
    return "{" + inside + "}";
}

} // namespace

std::string printArgument(const Graph& graph, const Argument& argument, bool percent)
{
    return ArgumentPrinter(graph, Style::Format, percent).print(argument);
}

std::string printNode(const Graph& graph, const Node& node)
{
    const std::string head =
        fmt::format("%{} : [num_users={}] = {}[target={}]", node.name, node.users.size(),
                    opKindName(node.kind), targetText(node));
    switch (node.kind) {
    case OpKind::Placeholder:
        return node.args.empty()
                   ? head
                   : fmt::format("{}(default={})", head, printArgument(graph, node.args[0], false));
    case OpKind::GetAttr: return head;
    case OpKind::Output:
        return "return " + ArgumentPrinter(graph, Style::Repr, false).print(node.arg(0));
    case OpKind::CallFunction:
    case OpKind::CallModule: break;
    }
    return fmt::format("{}(args = {}, kwargs = {})", head,
                       printArgument(graph, Argument::tuple(node.args)), kwargsText(graph, node));
}

std::string printGraph(const Graph& graph)
{
    std::string text = "graph():";
    for (const Node& node : graph)
        text += "\n    " + printNode(graph, node);
    return text;
}

std::string printCall(const Graph& graph, const Node& node)
{
    if (node.is(OpKind::Output))
        return printNode(graph, node);
    if (!node.is(OpKind::CallFunction) && !node.is(OpKind::CallModule))
        return fmt::format("{}[{}]", opKindName(node.kind), node.target);
    const ArgumentPrinter printer(graph, Style::Repr, false);
    std::string inside;
    for (const Argument& argument : node.args)
        inside += (inside.empty() ? "" : ", ") + printer.print(argument);
    for (const auto& [key, value] : node.kwargs)
        inside += fmt::format("{}{}={}", inside.empty() ? "" : ", ", key, printer.print(value));
    const std::string_view name =
        node.is(OpKind::CallFunction) ? shortOpName(node.target) : node.target;
    return fmt::format("{}({})", name, inside);
}

std::string pythonFloat(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    // Shortest digits that read back, laid out by the rule of float.__repr__: exponent form from 1e16 and below 1e-4.
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific);
    const std::string_view scientific(buffer.data(),
                                      static_cast<std::size_t>(end.ptr - buffer.data()));
    const std::size_t e = scientific.find('e');
    const int exponent = std::stoi(std::string(scientific.substr(e + 1)));
    if (exponent < -4 || exponent >= 16)
        return fmt::format("{}e{}{:02d}", scientific.substr(0, e), exponent < 0 ? '-' : '+',
                           std::abs(exponent));
    const auto fixedEnd = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                        std::chars_format::fixed);
    std::string fixed(buffer.data(), fixedEnd.ptr);
    return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

std::string pythonString(std::string_view text)
{
    const bool hasSingle = text.find('\'') != std::string_view::npos;
    const bool hasDouble = text.find('"') != std::string_view::npos;
    const char quote = hasSingle && !hasDouble ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : text) {
        if (c == quote || c == '\\')
            out += fmt::format("\\{}", c);
        else if (c == '\n')
            out += "\\n";
        else if (c == '\r')
            out += "\\r";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + quote;
}

} // namespace pt2e

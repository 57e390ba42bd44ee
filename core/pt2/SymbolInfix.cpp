// The infix text back to sympy's structural print.
#include "core/pt2/SymbolExpression.h"
#include "core/pt2/SymbolScanner.h"

#include <algorithm>
#include <iterator>

namespace pt2e::pt2 {

namespace {

/// What may be called in an expression; the text ends up in a file that Python evaluates.
std::string_view structuralFunction(std::string_view name)
{
    if (name == "Eq")
        return "Equality";
    if (name == "Ne")
        return "Unequality";
    constexpr std::string_view kNames[] = {
        "Max",      "Min",        "Abs",        "Mod",          "PythonMod",       "FloorDiv",
        "CleanDiv", "CeilDiv",    "CeilToInt",  "FloorToInt",   "ModularIndexing", "PowByNatural",
        "ToFloat",  "TruncToInt", "IntTrueDiv", "FloatTrueDiv", "LShift",          "RShift"};
    const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
    return found == std::end(kNames) ? std::string_view() : *found;
}

/// relation := sum [('>='|'<='|'>'|'<') sum]; sum := product {('+'|'-') product}; product := power {('*'|'//') power};
/// power := ['-'] atom ['**' atom]; atom := symbol | integer | '(' relation ')' | name '(' relation {',' …} ')'.
/// Gives structural text.
class InfixParser
{
public:
    explicit InfixParser(std::string_view text) : m_scanner(text) {}
    Result<std::string> parse()
    {
        PT2E_ASSIGN(std::string text, relation(0));
        if (!m_scanner.atEnd())
            return wrongExpression("is not arithmetic of symbols and integers");
        return text;
    }

private:
    Result<std::string> relation(int depth)
    {
        PT2E_ASSIGN(std::string left, sum(depth));
        const std::string_view head = m_scanner.accept(">=")   ? "GreaterThan"
                                      : m_scanner.accept("<=") ? "LessThan"
                                      : m_scanner.accept(">")  ? "StrictGreaterThan"
                                      : m_scanner.accept("<")  ? "StrictLessThan"
                                                               : "";
        if (head.empty())
            return left;
        PT2E_ASSIGN(const std::string right, sum(depth));
        return std::string(head) + "(" + left + ", " + right + ")";
    }
    Result<std::string> sum(int depth)
    {
        if (depth > kMaxDepth)
            return wrongExpression("is nested too deeply");
        PT2E_ASSIGN(std::string left, product(depth));
        while (true) {
            const bool isMinus = m_scanner.peek() == '-';
            if (!m_scanner.accept("+") && !m_scanner.accept("-"))
                return left;
            PT2E_ASSIGN(const std::string right, product(depth));
            left =
                "Add(" + left + ", " + (isMinus ? "Mul(Integer(-1), " + right + ")" : right) + ")";
        }
    }
    Result<std::string> product(int depth)
    {
        PT2E_ASSIGN(std::string left, power(depth));
        while (true) {
            const bool isDivision = m_scanner.accept("//");
            if (!isDivision && !m_scanner.accept("*"))
                return left;
            PT2E_ASSIGN(const std::string right, power(depth));
            left = (isDivision ? "FloorDiv(" : "Mul(") + left + ", " + right + ")";
        }
    }
    Result<std::string> power(int depth)
    {
        if (m_scanner.accept("-")) {
            PT2E_ASSIGN(const std::string operand, power(depth + 1));
            return "Mul(Integer(-1), " + operand + ")";
        }
        PT2E_ASSIGN(std::string base, atom(depth));
        if (!m_scanner.accept("**"))
            return base;
        PT2E_ASSIGN(const std::string exponent, atom(depth));
        return "Pow(" + base + ", " + exponent + ")";
    }
    Result<std::string> atom(int depth)
    {
        if (depth > kMaxDepth)
            return wrongExpression("is nested too deeply");
        if (m_scanner.accept("(")) {
            PT2E_ASSIGN(std::string inside, relation(depth + 1));
            return m_scanner.accept(")") ? Result<std::string>(inside)
                                         : wrongExpression("has no closing bracket");
        }
        const std::string word(m_scanner.word());
        if (word.empty())
            return wrongExpression("is not arithmetic of symbols and integers");
        if (m_scanner.accept("("))
            return call(word, depth);
        if (word.front() >= '0' && word.front() <= '9')
            return fitsInt64(word) ? Result<std::string>("Integer(" + word + ")")
                                   : wrongExpression("has an integer beyond 64 bits");
        return "Symbol('" + word + (word.front() == 'u' ? "'" : "', positive=True")
               + ", integer=True)";
    }

    Result<std::string> call(const std::string& name, int depth)
    {
        const std::string_view function = structuralFunction(name);
        if (function.empty())
            return wrongExpression("calls '" + name + "'");
        std::string text = std::string(function) + "(";
        do {
            PT2E_ASSIGN(const std::string argument, relation(depth + 1));
            text += (text.ends_with('(') ? "" : ", ") + argument;
        } while (m_scanner.accept(","));
        return m_scanner.accept(")") ? Result<std::string>(text + ")")
                                     : wrongExpression("has no closing bracket");
    }

    SymbolScanner m_scanner;
};

} // namespace

Result<std::string> structuralFromInfix(std::string_view infix)
{
    if (infix.size() > kMaxLength)
        return wrongExpression("is too long");
    return InfixParser(infix).parse();
}

} // namespace pt2e::pt2

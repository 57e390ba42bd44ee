#include "core/pt2/SymbolExpression.h"

#include "core/pt2/SymbolScanner.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace pt2e::pt2 {

namespace {

/// head = class name; for Symbol, Integer and Float, text is the value.
struct Term
{
    std::string head;
    std::string text;
    std::vector<Term> args;
    /// How it prints, worked out once: printing a sum or product looks at its parts several times.
    mutable std::string printed;
    mutable int precedence = -1;
    bool isInteger() const { return head == "Integer"; }
};

Term makeTerm(std::string head, std::string text = {})
{
    Term term;
    term.head = std::move(head);
    term.text = std::move(text);
    return term;
}

/// expr := IDENT '(' [arg {',' arg}] ')' | NUMBER | STRING | 'true' | 'false'; arg := expr | IDENT '=' …
/// nullopt: not of this grammar.
class StructuralParser
{
public:
    explicit StructuralParser(std::string_view text) : m_scanner(text) {}
    Result<std::optional<Term>> parse()
    {
        PT2E_ASSIGN(std::optional<Term> term, expression(0));
        if (term && !m_scanner.atEnd())
            return std::optional<Term>{};
        return term;
    }

private:
    Result<std::optional<Term>> expression(int depth)
    {
        if (depth > kMaxDepth)
            return wrongExpression("is nested too deeply");
        const char next = m_scanner.peek();
        if (next == '\'' || next == '"') {
            const auto inside = m_scanner.quoted();
            return inside ? std::optional<Term>(makeTerm("String", std::string(*inside)))
                          : std::nullopt;
        }
        if (next == '-' || (next >= '0' && next <= '9')) {
            Term number = makeTerm("Integer", std::string(m_scanner.number()));
            if (number.text.find_first_of(".eE") != std::string::npos)
                number.head = "Float";
            else if (!fitsInt64(number.text))
                return wrongExpression("has an integer beyond 64 bits");
            return std::optional<Term>(std::move(number));
        }
        Term term = makeTerm(std::string(m_scanner.word()));
        if (term.head.empty())
            return std::optional<Term>{};
        if (!m_scanner.accept("("))
            return std::optional<Term>(makeTerm("Name", term.head));
        return arguments(std::move(term), depth);
    }

    Result<std::optional<Term>> arguments(Term term, int depth)
    {
        while (!m_scanner.accept(")")) {
            PT2E_ASSIGN(std::optional<Term> argument, expression(depth + 1));
            if (!argument)
                return std::optional<Term>{};
            if (argument->head == "Name" && m_scanner.accept("=")) {
                PT2E_TRY(expression(depth + 1)); // an assumption such as positive=True
            } else {
                term.args.push_back(std::move(*argument));
            }
            if (!m_scanner.accept(",") && m_scanner.peek() != ')')
                return std::optional<Term>{};
        }
        if ((term.head == "Symbol" || term.head == "Integer" || term.head == "Float")
            && !term.args.empty()) {
            term.text = term.args.front().text;
            term.args.clear();
        }
        return std::optional<Term>(std::move(term));
    }

    SymbolScanner m_scanner;
};

/// sympy's StrPrinter with torch's own functions; the numbers are sympy's precedences.
class Printer
{
public:
    enum Precedence { Relational = 35, Sum = 40, Product = 50, Power = 60, Atom = 1000 };
    struct Text
    {
        std::string text;
        int precedence = Atom;
    };

    Text print(const Term& term) const
    {
        if (term.precedence < 0) {
            Text fresh = printFresh(term);
            term.printed = std::move(fresh.text);
            term.precedence = fresh.precedence;
        }
        return {term.printed, term.precedence};
    }

private:
    Text printFresh(const Term& term) const
    {
        if (term.head == "Symbol" || term.head == "Float" || term.head == "Name"
            || term.head == "String")
            return {term.text};
        if (term.isInteger())
            return {term.text, term.text.starts_with('-') ? Sum : Atom};
        if (term.head == "Rational" && term.args.size() == 2)
            return {print(term.args[0]).text + "/" + print(term.args[1]).text, Product};
        if (term.head == "Add")
            return sum(term);
        if (term.head == "Mul")
            return product(term);
        if (term.head == "Pow" && term.args.size() == 2)
            return power(term);
        if ((term.head == "FloorDiv" || term.head == "CleanDiv") && term.args.size() == 2)
            return {"(" + inside(term.args[0], Atom - 1) + "//" + inside(term.args[1], Atom - 1)
                    + ")"};
        if (const std::string_view sign = relation(term.head);
            !sign.empty() && term.args.size() == 2)
            return {inside(term.args[0], Relational) + " " + std::string(sign) + " "
                        + inside(term.args[1], Relational),
                    Relational};
        return call(term);
    }

    static std::string_view relation(std::string_view head)
    {
        if (head == "GreaterThan")
            return ">=";
        if (head == "LessThan")
            return "<=";
        if (head == "StrictGreaterThan")
            return ">";
        return head == "StrictLessThan" ? "<" : "";
    }

    std::string inside(const Term& term, int level) const
    {
        const Text printed = print(term);
        return printed.precedence <= level ? "(" + printed.text + ")" : printed.text;
    }

    Text call(const Term& term) const
    {
        std::vector<std::string> arguments;
        for (const Term& argument : term.args)
            arguments.push_back(print(argument).text);
        if (term.head == "Max" || term.head == "Min")
            std::sort(arguments.begin(), arguments.end());
        std::string text = term.head == "Equality"     ? "Eq"
                           : term.head == "Unequality" ? "Ne"
                                                       : term.head;
        text += "(";
        for (std::size_t i = 0; i < arguments.size(); ++i)
            text += (i > 0 ? ", " : "") + arguments[i];
        return {text + ")"};
    }

    /// Exponents of the symbols in a product, by name: what sympy's lexicographic order compares.
    std::map<std::string, std::int64_t> monomial(const Term& term) const
    {
        std::map<std::string, std::int64_t> exponents;
        if (term.head == "Mul") {
            for (const Term& factor : term.args) {
                for (const auto& [name, exponent] : monomial(factor))
                    exponents[name] += exponent;
            }
        } else if (term.head == "Pow" && term.args.size() == 2 && term.args[1].isInteger()) {
            std::int64_t exponent = 0;
            std::from_chars(term.args[1].text.data(),
                            term.args[1].text.data() + term.args[1].text.size(), exponent);
            exponents[print(term.args[0]).text] += exponent;
        } else if (!term.isInteger() && term.head != "Rational") {
            exponents[print(term).text] += 1;
        }
        return exponents;
    }

    Text sum(const Term& term) const
    {
        struct Part
        {
            std::map<std::string, std::int64_t> order;
            std::string text;
        };
        std::vector<Part> parts;
        for (const Term& summand : term.args)
            parts.push_back({monomial(summand), print(summand).text});
        const auto comesFirst = [](const Part& a, const Part& b) {
            // Compare exponent by exponent over the symbols in name order; higher first.
            auto left = a.order.begin();
            auto right = b.order.begin();
            while (left != a.order.end() && right != b.order.end()) {
                if (left->first != right->first)
                    return left->first < right->first;
                if (left->second != right->second)
                    return left->second > right->second;
                ++left;
                ++right;
            }
            return left != a.order.end();
        };
        std::stable_sort(parts.begin(), parts.end(), comesFirst);
        std::string text;
        for (const Part& part : parts) {
            if (text.empty())
                text = part.text;
            else if (part.text.starts_with('-'))
                text += " - " + part.text.substr(1);
            else
                text += " + " + part.text;
        }
        return {text, Sum};
    }

    Text product(const Term& term) const
    {
        std::string sign;
        std::vector<std::string> above;
        std::vector<std::string> below;
        std::vector<const Term*> factors;
        for (const Term& factor : term.args)
            factors.push_back(&factor);
        std::stable_sort(factors.begin(), factors.end(), [this](const Term* a, const Term* b) {
            const bool numbers[] = {a->isInteger() || a->head == "Rational",
                                    b->isInteger() || b->head == "Rational"};
            if (numbers[0] != numbers[1])
                return numbers[0];
            return !numbers[0] && print(*a).text < print(*b).text;
        });
        for (const Term* factor : factors) {
            if (factor->isInteger()) {
                std::string digits = factor->text;
                if (digits.starts_with('-')) {
                    sign = sign.empty() ? "-" : "";
                    digits.erase(0, 1);
                }
                if (digits != "1")
                    above.push_back(digits);
            } else if (factor->head == "Rational" && factor->args.size() == 2) {
                const std::string numerator = print(factor->args[0]).text;
                if (numerator.starts_with('-'))
                    sign = "-";
                const std::string digits = numerator.substr(numerator.starts_with('-') ? 1 : 0);
                if (digits != "1")
                    above.push_back(digits);
                below.push_back(print(factor->args[1]).text);
            } else if (factor->head == "Pow" && factor->args.size() == 2
                       && factor->args[1].text == "-1") {
                below.push_back(inside(factor->args[0], Product));
            } else {
                above.push_back(inside(*factor, Sum));
            }
        }
        std::string text = sign + (above.empty() ? "1" : above.front());
        for (std::size_t i = 1; i < above.size(); ++i)
            text += "*" + above[i];
        if (below.size() == 1)
            text += "/" + below.front();
        else if (!below.empty()) {
            text += "/(" + below.front();
            for (std::size_t i = 1; i < below.size(); ++i)
                text += "*" + below[i];
            text += ")";
        }
        return {text, sign.empty() ? Product : Sum};
    }

    Text power(const Term& term) const
    {
        if (term.args[1].text == "-1")
            return {"1/" + inside(term.args[0], Product), Product};
        return {inside(term.args[0], Power) + "**" + inside(term.args[1], Power), Power};
    }
};

} // namespace

Result<std::string> infixFromStructural(std::string_view structural)
{
    if (structural.size() > kMaxLength)
        return wrongExpression("is too long");
    PT2E_ASSIGN(const std::optional<Term> term, StructuralParser(structural).parse());
    return term ? Printer().print(*term).text : std::string(structural);
}

} // namespace pt2e::pt2

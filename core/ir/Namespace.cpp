#include "core/ir/Namespace.h"

#include <charconv>
#include <optional>

namespace pt2e {

namespace {

/// Names FX refuses: Python 3.11's keywords and builtins, and what generated code imports.
bool isForbidden(std::string_view name)
{
    static const std::unordered_set<std::string_view> kForbidden{"False",
                                                                 "None",
                                                                 "True",
                                                                 "and",
                                                                 "as",
                                                                 "assert",
                                                                 "async",
                                                                 "await",
                                                                 "break",
                                                                 "class",
                                                                 "continue",
                                                                 "def",
                                                                 "del",
                                                                 "elif",
                                                                 "else",
                                                                 "except",
                                                                 "finally",
                                                                 "for",
                                                                 "from",
                                                                 "global",
                                                                 "if",
                                                                 "import",
                                                                 "in",
                                                                 "is",
                                                                 "lambda",
                                                                 "nonlocal",
                                                                 "not",
                                                                 "or",
                                                                 "pass",
                                                                 "raise",
                                                                 "return",
                                                                 "try",
                                                                 "while",
                                                                 "with",
                                                                 "yield",
                                                                 "__name__",
                                                                 "__doc__",
                                                                 "__package__",
                                                                 "__loader__",
                                                                 "__spec__",
                                                                 "__build_class__",
                                                                 "__import__",
                                                                 "abs",
                                                                 "all",
                                                                 "any",
                                                                 "ascii",
                                                                 "bin",
                                                                 "breakpoint",
                                                                 "callable",
                                                                 "chr",
                                                                 "compile",
                                                                 "delattr",
                                                                 "dir",
                                                                 "divmod",
                                                                 "eval",
                                                                 "exec",
                                                                 "format",
                                                                 "getattr",
                                                                 "globals",
                                                                 "hasattr",
                                                                 "hash",
                                                                 "hex",
                                                                 "id",
                                                                 "input",
                                                                 "isinstance",
                                                                 "issubclass",
                                                                 "iter",
                                                                 "aiter",
                                                                 "len",
                                                                 "locals",
                                                                 "max",
                                                                 "min",
                                                                 "next",
                                                                 "anext",
                                                                 "oct",
                                                                 "ord",
                                                                 "pow",
                                                                 "print",
                                                                 "repr",
                                                                 "round",
                                                                 "setattr",
                                                                 "sorted",
                                                                 "sum",
                                                                 "vars",
                                                                 "Ellipsis",
                                                                 "NotImplemented",
                                                                 "bool",
                                                                 "memoryview",
                                                                 "bytearray",
                                                                 "bytes",
                                                                 "classmethod",
                                                                 "complex",
                                                                 "dict",
                                                                 "enumerate",
                                                                 "filter",
                                                                 "float",
                                                                 "frozenset",
                                                                 "property",
                                                                 "int",
                                                                 "list",
                                                                 "map",
                                                                 "object",
                                                                 "range",
                                                                 "reversed",
                                                                 "set",
                                                                 "slice",
                                                                 "staticmethod",
                                                                 "str",
                                                                 "super",
                                                                 "tuple",
                                                                 "type",
                                                                 "zip",
                                                                 "__debug__",
                                                                 "BaseException",
                                                                 "BaseExceptionGroup",
                                                                 "Exception",
                                                                 "GeneratorExit",
                                                                 "KeyboardInterrupt",
                                                                 "SystemExit",
                                                                 "ArithmeticError",
                                                                 "AssertionError",
                                                                 "AttributeError",
                                                                 "BufferError",
                                                                 "EOFError",
                                                                 "ImportError",
                                                                 "LookupError",
                                                                 "MemoryError",
                                                                 "NameError",
                                                                 "OSError",
                                                                 "ReferenceError",
                                                                 "RuntimeError",
                                                                 "StopAsyncIteration",
                                                                 "StopIteration",
                                                                 "SyntaxError",
                                                                 "SystemError",
                                                                 "TypeError",
                                                                 "ValueError",
                                                                 "Warning",
                                                                 "FloatingPointError",
                                                                 "OverflowError",
                                                                 "ZeroDivisionError",
                                                                 "BytesWarning",
                                                                 "DeprecationWarning",
                                                                 "EncodingWarning",
                                                                 "FutureWarning",
                                                                 "ImportWarning",
                                                                 "PendingDeprecationWarning",
                                                                 "ResourceWarning",
                                                                 "RuntimeWarning",
                                                                 "SyntaxWarning",
                                                                 "UnicodeWarning",
                                                                 "UserWarning",
                                                                 "BlockingIOError",
                                                                 "ChildProcessError",
                                                                 "ConnectionError",
                                                                 "FileExistsError",
                                                                 "FileNotFoundError",
                                                                 "InterruptedError",
                                                                 "IsADirectoryError",
                                                                 "NotADirectoryError",
                                                                 "PermissionError",
                                                                 "ProcessLookupError",
                                                                 "TimeoutError",
                                                                 "IndentationError",
                                                                 "IndexError",
                                                                 "KeyError",
                                                                 "ModuleNotFoundError",
                                                                 "NotImplementedError",
                                                                 "RecursionError",
                                                                 "UnboundLocalError",
                                                                 "UnicodeError",
                                                                 "BrokenPipeError",
                                                                 "ConnectionAbortedError",
                                                                 "ConnectionRefusedError",
                                                                 "ConnectionResetError",
                                                                 "TabError",
                                                                 "UnicodeDecodeError",
                                                                 "UnicodeEncodeError",
                                                                 "UnicodeTranslateError",
                                                                 "ExceptionGroup",
                                                                 "EnvironmentError",
                                                                 "IOError",
                                                                 "open",
                                                                 "quit",
                                                                 "exit",
                                                                 "copyright",
                                                                 "credits",
                                                                 "license",
                                                                 "help",
                                                                 "inf",
                                                                 "nan",
                                                                 "NoneType",
                                                                 "torch",
                                                                 "device",
                                                                 "fx_pytree",
                                                                 "pytree"};
    return kForbidden.contains(name);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isWord(char c) { return isDigit(c) || isLower(c) || isUpper(c) || c == '_'; }

bool isIdentifier(std::string_view text)
{
    if (text.empty() || isDigit(text.front()))
        return false;
    for (const char c : text) {
        if (!isWord(c))
            return false;
    }
    return true;
}

/// Each run of other characters becomes one "_".
std::string asIdentifier(std::string_view text)
{
    std::string out;
    bool inRun = false;
    for (const char c : text) {
        if (isWord(c))
            out += c;
        else if (!inRun)
            out += '_';
        inRun = !isWord(c);
    }
    if (out.empty())
        return "_unnamed";
    return isDigit(out.front()) ? "_" + out : out;
}

struct Split
{
    std::string_view base;
    std::optional<long long> number;
};

/// ^([a-zA-Z_][0-9a-zA-Z_]*?)(?:_(\d+))?$ on an identifier. A number too long for int64 counts as part of the base.
Split splitNumber(std::string_view name)
{
    std::size_t digits = name.size();
    while (digits > 0 && isDigit(name[digits - 1]))
        --digits;
    if (digits == name.size() || digits < 2 || name[digits - 1] != '_')
        return {name, std::nullopt};
    long long number = 0;
    const char* end = name.data() + name.size();
    if (std::from_chars(name.data() + digits, end, number).ec != std::errc{})
        return {name, std::nullopt};
    return {name.substr(0, digits - 1), number};
}

} // namespace

std::string Namespace::create(std::string_view wanted)
{
    std::string candidate = isIdentifier(wanted) ? std::string(wanted) : asIdentifier(wanted);
    const Split split = splitNumber(candidate);
    const std::string base(split.base);
    long long number = split.number.value_or(0);
    if (!split.number || isUsed(candidate)) {
        number = counterOf(base);
        if (isForbidden(candidate))
            candidate = base + "_" + std::to_string(++number);
    }
    while (isUsed(candidate))
        candidate = base + "_" + std::to_string(++number);
    m_used.insert(candidate);
    m_counter[base] = number;
    return candidate;
}

long long Namespace::counterOf(const std::string& start) const
{
    const auto counted = m_counter.find(start);
    if (counted != m_counter.end())
        return counted->second;
    return m_base ? m_base->counterOf(start) : 0;
}

void Namespace::reserve(std::string_view name) { m_used.emplace(name); }

std::string snakeCase(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && isLower(text[i - 1]) && isUpper(text[i]))
            out += '_';
        out += isUpper(text[i]) ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
    }
    return out;
}

std::string candidateFor(std::string_view target, bool isCallable)
{
    if (isCallable) {
        // An overload's __name__ is "op.overload": the target without its namespace.
        const std::size_t first = target.find('.');
        if (first != std::string_view::npos && first != target.rfind('.'))
            target.remove_prefix(first + 1);
        else if (target.starts_with("_operator."))
            target.remove_prefix(std::string_view("_operator.").size());
    } else if (target.size() > 4 && target.starts_with("__") && target.ends_with("__")) {
        target = target.substr(2, target.size() - 4);
    }
    return snakeCase(target);
}

} // namespace pt2e

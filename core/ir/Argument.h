// An argument of a node: a reference to another node, a literal, or a list of arguments.
#pragma once

#include "core/base/Ids.h"
#include "core/tensor/DType.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pt2e {

class Argument;

/// A list or a tuple; FX keeps them apart and prints them differently.
struct ArgumentList
{
    std::vector<Argument> items;
    bool isTuple = false;
    friend bool operator==(const ArgumentList&, const ArgumentList&);
};

/// A size expression that stands as an argument itself ("s77").
struct SymbolArgument
{
    std::string expression;
    friend bool operator==(const SymbolArgument&, const SymbolArgument&) = default;
};

/// Anything that only Python could evaluate: kept and printed as text, makes the node not executable.
struct OpaqueArgument
{
    std::string repr;
    friend bool operator==(const OpaqueArgument&, const OpaqueArgument&) = default;
};

struct ComplexArgument
{
    double real = 0;
    double imag = 0;
    friend bool operator==(const ComplexArgument&, const ComplexArgument&) = default;
};

class Argument
{
public:
    using Variant = std::variant<std::monostate, bool, std::int64_t, double, std::string, NodeId,
                                 DType, Device, Layout, MemoryFormat, ArgumentList, SymbolArgument,
                                 OpaqueArgument, ComplexArgument>;

    Argument() = default; ///< None
    Argument(bool value) : m_value(value) {}
    Argument(int value) : m_value(static_cast<std::int64_t>(value)) {}
    Argument(std::int64_t value) : m_value(value) {}
    Argument(double value) : m_value(value) {}
    Argument(const char* value) : m_value(std::string(value)) {}
    Argument(std::string value) : m_value(std::move(value)) {}
    Argument(NodeId node) : m_value(node) {}
    Argument(DType value) : m_value(value) {}
    Argument(Device value) : m_value(std::move(value)) {}
    Argument(Layout value) : m_value(value) {}
    Argument(MemoryFormat value) : m_value(value) {}
    Argument(SymbolArgument value) : m_value(std::move(value)) {}
    Argument(OpaqueArgument value) : m_value(std::move(value)) {}
    Argument(ComplexArgument value) : m_value(value) {}
    Argument(ArgumentList value) : m_value(std::move(value)) {}

    static Argument list(std::vector<Argument> items)
    {
        return ArgumentList{std::move(items), false};
    }
    static Argument tuple(std::vector<Argument> items)
    {
        return ArgumentList{std::move(items), true};
    }
    static Argument ints(const std::vector<std::int64_t>& values);

    const Variant& value() const { return m_value; }
    bool isNone() const { return m_value.index() == 0; }
    template<typename T>
    const T* get() const
    {
        return std::get_if<T>(&m_value);
    }
    template<typename T>
    T* get()
    {
        return std::get_if<T>(&m_value);
    }
    /// The node referred to, or an invalid id.
    NodeId node() const { return get<NodeId>() ? *get<NodeId>() : NodeId{}; }

    friend bool operator==(const Argument&, const Argument&);

private:
    Variant m_value;
};

using Arguments = std::vector<Argument>;
using KeywordArguments = std::vector<std::pair<std::string, Argument>>; ///< in Python's order

/// Calls visit for each node reference in it, left to right, lists walked recursively.
void forEachNode(const Argument& argument, const std::function<void(NodeId)>& visit);
/// A copy with each node reference mapped.
Argument mapNodes(const Argument& argument, const std::function<Argument(NodeId)>& map);

} // namespace pt2e

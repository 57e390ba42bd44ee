// A program's graph as its file has it: weights still lifted to inputs, names final, getitem nodes made.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/base/OrderedMap.h"
#include "core/ir/Node.h"
#include "core/pt2/Json.h"

#include <memory>
#include <string>
#include <vector>

namespace pt2e::pt2 {

/// Node references inside args hold the index of the producer in `nodes`.
struct RawNode
{
    OpKind kind = OpKind::CallFunction;
    std::string name;
    std::string target;
    Arguments args;
    KeywordArguments kwargs;
    ValueMeta val;
    std::shared_ptr<const FileMeta> fileMeta;
};

struct RawGraph
{
    std::vector<RawNode> nodes; ///< the placeholders first, the output last
    std::size_t inputCount = 0;
    OrderedMap<std::shared_ptr<const RawGraph>> bodies; ///< by the name that get_attr nodes use
};

/// Collects what is odd; each kind of remark at most kMaxOfAKind times.
class Remarks
{
public:
    static constexpr std::size_t kMaxOfAKind = 20;
    void add(Severity severity, std::string code, std::string node, std::string place,
             std::string message);
    void warn(std::string code, std::string node, std::string message)
    {
        add(Severity::Warning, std::move(code), std::move(node), {}, std::move(message));
    }
    Diagnostics take() { return std::move(m_diagnostics); }

private:
    Diagnostics m_diagnostics;
    OrderedMap<std::size_t> m_counts;
};

/// literalNames[i] names input i when the file gives it none (a literal fixed at export).
Result<std::shared_ptr<const RawGraph>> parseGraph(const Json& graph, const Place& place,
                                                   const std::vector<std::string>& literalNames,
                                                   Remarks& remarks);

/// A TensorMeta object; nothing (with a remark) for a dtype that is not known.
Result<std::optional<TensorMeta>> parseTensorMeta(const Json& value, const Place& place,
                                                  Remarks& remarks);
/// SymInt: {"as_int": 3}, {"as_expr": {…}}, or a plain integer (schema 2).
Result<SymInt> parseSymInt(const Json& value, const Place& place);

} // namespace pt2e::pt2

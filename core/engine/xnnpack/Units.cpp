// Cuts a converted graph into units and decides for each where it runs.
#include "core/engine/xnnpack/FloatCall.h"
#include "core/engine/xnnpack/Plan.h"
#include "core/engine/xnnpack/Pointwise.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

class UnitMaker
{
public:
    UnitMaker(const ConvertedView& view, const PlanOptions& options)
        : m_view(view),
          m_options(options)
    {}

    std::vector<Unit> make()
    {
        findNeeded();
        for (const Node& node : m_view.graph()) {
            if (isComputed(node) && !isQuantizeOrDequantize(node))
                decideOp(node);
        }
        findTables();
        resolveAliases();
        for (const Node& node : m_view.graph()) {
            if (m_options.hasFloat && isLeft(node))
                decideFloat(node);
        }
        findAlive();
        std::vector<Unit> units;
        for (const Node& node : m_view.graph()) {
            if (isComputed(node) && !m_claimed.contains(node.id))
                addUnits(node, units);
        }
        dropUnread(units);
        return units;
    }

private:
    /// XNNPACK aborts on a value that nothing reads, so what no output depends on is left out.
    void findNeeded()
    {
        const std::vector<NodeId> order = m_view.graph().order();
        for (auto id = order.rbegin(); id != order.rend(); ++id) {
            const Node& node = m_view.graph().node(*id);
            const bool isWriter = node.is(OpKind::CallFunction) && mutatesArgument(node.target);
            if (!m_needed.contains(node.id) && !isWriter && !isImpure(node))
                continue;
            m_needed.insert(node.id);
            for (const NodeId input : node.inputs())
                m_needed.insert(input);
        }
    }

    bool isComputed(const Node& node) const
    {
        return m_needed.contains(node.id) && !m_view.isConstant(node.id)
               && !node.is(OpKind::GetAttr) && !node.is(OpKind::Placeholder)
               && !node.is(OpKind::Output);
    }

    void decideOp(const Node& node)
    {
        if (m_claimed.contains(node.id))
            return;
        Unit unit;
        unit.kind = Unit::Kind::Op;
        unit.node = node.id;
        unit.rule = findRule(m_options.table, node.target);
        if (unit.rule && unit.rule->forms == Forms::Float)
            unit.rule = nullptr;
        unit.decision = decide(node, unit);
        if (!unit.decision.reason.empty()) {
            m_reasons[node.id] = unit.decision.reason;
            return;
        }
        if (unit.call.output.activation)
            m_claimed.insert(unit.call.output.activation);
        const auto& quantizes = unit.call.output.quantizes;
        m_claimed.insert(quantizes.begin(), quantizes.end());
        for (const NodeId quantize : quantizes)
            m_alias[quantize] = quantizes.front();
        unit.writes = {quantizes.front()};
        m_ops.emplace(node.id, std::move(unit));
    }

    Decision decide(const Node& node, Unit& unit) const
    {
        if (!node.is(OpKind::CallFunction))
            return Decision::no("it is a module");
        bool hasActivation = false; // in int8
        for (const NodeId input : node.inputs()) {
            const Operand operand = m_view.operand(input);
            if (operand.kind == Operand::Kind::Float)
                return Decision::no(operand.reason);
            hasActivation = hasActivation || operand.kind == Operand::Kind::Int8;
        }
        if (!hasActivation)
            return Decision::no("none of its inputs is an int8 activation");
        OpCall& call = unit.call;
        call.output = m_view.outputOf(node, unit.rule && unit.rule->fusesActivation);
        if (!call.output.reason.empty())
            return Decision::no(call.output.reason);
        if (!unit.rule)
            return Decision::no(fmt::format("there is no int8 kernel for {} here", node.target));
        if (const auto refused = m_options.refused.find(node.id);
            refused != m_options.refused.end())
            return Decision::no(refused->second);
        call.view = &m_view;
        call.node = &node;
        for (const Argument& argument : node.args)
            call.operands.push_back(m_view.operand(argument));
        if (const ArgumentList* list = node.arg(0).get<ArgumentList>()) {
            for (const Argument& item : list->items)
                call.items.push_back(m_view.operand(item));
        }
        return decideCall(node, unit);
    }

    Decision decideCall(const Node& node, Unit& unit) const
    {
        OpCall& call = unit.call;
        const Shape* shape = m_view.shape(node.id);
        const Shape* typed = m_view.shape(call.output.quantizes.front());
        if (!shape || !typed || *shape != *typed)
            return Decision::no("its shape is not fixed");
        call.outputShape = *shape;
        if (mutatesArgument(node.target)
            && m_view.graph().node(node.arg(0).node()).users.size() > 1)
            return Decision::no("it writes its input in place, which others read");
        call.bounds = boundsOf(node, call.output, m_view.graph());
        if (call.bounds.low >= call.bounds.high)
            return Decision::no("it is clipped to one value");
        return unit.rule->decide(call);
    }

    /// Chains of elementwise ops on one int8 value that no rule took.
    void findTables()
    {
        const Pointwise pointwise(m_view, [this](const Node& node) {
            return m_ops.contains(node.id) || m_claimed.contains(node.id) || !isComputed(node);
        });
        for (const Pointwise::Exit& exit : pointwise.exits()) {
            auto table = m_options.table.empty() ? fail(ErrorCode::Internal, "table", "not wanted")
                                                 : evaluateTable(m_view, exit.function);
            if (!table)
                continue; // LibTorch cannot run it by itself: it stays where it is
            Unit unit;
            unit.kind = Unit::Kind::Table;
            unit.node = exit.end;
            unit.function = exit.function;
            unit.table = std::make_shared<ByteTable>(*table);
            unit.call.output.quantizes = exit.quantizes;
            unit.reads = {exit.function.source};
            unit.writes = {exit.quantizes.empty() ? exit.end : exit.quantizes.front()};
            unit.decision = Decision::yes(
                fmt::format("byte table ({})", functionText(m_view.graph(), exit.function)),
                DataLayout::Any);
            for (const NodeId quantize : exit.quantizes) {
                m_alias[quantize] = exit.quantizes.front();
                m_claimed.insert(quantize);
            }
            m_tables[exit.end].push_back(std::move(unit));
        }
    }

    void resolveAliases()
    {
        for (auto& [node, unit] : m_ops) {
            for (auto* operands : {&unit.call.operands, &unit.call.items}) {
                for (Operand& operand : *operands) {
                    if (operand.kind != Operand::Kind::Int8)
                        continue;
                    operand.quantize = canonical(operand.quantize);
                    unit.reads.push_back(operand.quantize);
                }
            }
        }
        for (auto& [node, units] : m_tables) {
            for (Unit& unit : units)
                unit.reads = {canonical(unit.reads.front())};
        }
    }

    bool isLeft(const Node& node) const
    {
        return isComputed(node) && !isQuantizeOrDequantize(node) && !m_ops.contains(node.id)
               && !m_claimed.contains(node.id) && !m_tables.contains(node.id);
    }

    /// The same op in float on XNNPACK.
    void decideFloat(const Node& node)
    {
        Unit unit;
        unit.kind = Unit::Kind::Op;
        unit.node = node.id;
        unit.rule = findRule(m_options.table, node.target);
        if (!unit.rule || unit.rule->forms == Forms::Int8 || m_options.refused.contains(node.id))
            return;
        if (!makeFloatCall(
                 m_view, node, unit.rule->fusesActivation,
                 [this](const Node& user) { return isLeft(user); }, unit.call)
                 .empty())
            return;
        unit.decision = unit.rule->decide(unit.call);
        if (!unit.decision.reason.empty() || !makeKernel(unit))
            return;
        for (const auto* operands : {&unit.call.operands, &unit.call.items}) {
            for (const Operand& operand : *operands) {
                if (operand.kind == Operand::Kind::Float)
                    unit.reads.push_back(operand.node);
            }
        }
        unit.int8Reason = m_reasons[node.id];
        const NodeId activation = unit.call.output.activation;
        if (activation)
            m_claimed.insert(activation);
        unit.writes = {activation ? activation : node.id};
        m_ops.emplace(node.id, std::move(unit));
    }

    /// False if the op has a kernel of ours that cannot be made.
    static bool makeKernel(Unit& unit)
    {
        if (!unit.rule->make)
            return true;
        auto kernel = unit.rule->make(unit.call);
        if (!kernel)
            return false;
        unit.kind = Unit::Kind::Own;
        unit.kernel = std::move(*kernel);
        return true;
    }

    void findAlive()
    {
        for (const auto& [node, unit] : m_ops) {
            for (const NodeId read : unit.reads)
                m_alive.insert(aliveOf(read));
            for (const NodeId written : unit.writes) {
                m_alive.insert(written);
                for (const NodeId user : m_view.graph().node(written).users)
                    m_alive.insert(user);
            }
        }
        for (const auto& [node, units] : m_tables) {
            for (const Unit& unit : units) {
                m_alive.insert(unit.reads.front());
                m_alive.insert(unit.writes.front());
            }
        }
    }

    /// The typed value behind a dequantize that a float op reads, else the value itself.
    NodeId aliveOf(NodeId read) const
    {
        const Node& node = m_view.graph().node(read);
        const NodeId source = isPerTensorDequantize(node) ? node.arg(0).node() : NodeId();
        return source && m_view.typeOf(source) ? canonical(source) : read;
    }

    NodeId canonical(NodeId quantize) const
    {
        const auto it = m_alias.find(quantize);
        return it == m_alias.end() ? quantize : it->second;
    }

    void addUnits(const Node& node, std::vector<Unit>& units)
    {
        if (const auto op = m_ops.find(node.id); op != m_ops.end()) {
            units.push_back(op->second);
            return;
        }
        if (const auto tables = m_tables.find(node.id); tables != m_tables.end()) {
            units.insert(units.end(), tables->second.begin(), tables->second.end());
            return;
        }
        if (m_view.typeOf(node.id)) {
            units.push_back(quantizeUnit(node));
            return;
        }
        const NodeId source = isPerTensorDequantize(node) ? node.arg(0).node() : NodeId();
        units.push_back(source && m_view.typeOf(source) ? dequantizeUnit(node, canonical(source))
                                                        : torchUnit(node, reasonOf(node)));
    }

    /// Leaves out what nothing reads any more: XNNPACK aborts on it, and LibTorch need not run it.
    void dropUnread(std::vector<Unit>& units) const
    {
        std::set<NodeId> read;
        if (const Node* output = m_view.graph().output()) {
            for (const NodeId id : output->inputs())
                read.insert(id);
        }
        std::vector<Unit> kept;
        for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
            const Node& node = m_view.graph().node(unit->node);
            const bool isWriter =
                unit->kind == Unit::Kind::Torch && (isImpure(node) || mutatesArgument(node.target));
            const bool isRead = std::any_of(unit->writes.begin(), unit->writes.end(),
                                            [&](NodeId id) { return read.contains(id); });
            if (!isRead && !isWriter)
                continue;
            read.insert(unit->reads.begin(), unit->reads.end());
            kept.push_back(std::move(*unit));
        }
        units.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
    }

    Reason reasonOf(const Node& node) const
    {
        if (const auto known = m_reasons.find(node.id); known != m_reasons.end())
            return known->second;
        if (isPerTensorQuantize(node))
            return m_view.whyNotTyped(node.id);
        if (isPerTensorDequantize(node)) {
            const NodeId source = node.arg(0).node();
            return source ? m_view.whyNotTyped(source) : Reason("its input is not a tensor");
        }
        return "it is not a conversion with fixed parameters";
    }

    Unit quantizeUnit(const Node& node) const
    {
        if (!m_alive.contains(node.id))
            return torchUnit(node, "no operator on XNNPACK reads it");
        if (!m_view.typeOf(node.id)->isFullRange())
            return torchUnit(node, "its range is narrower than int8");
        Unit unit;
        unit.kind = Unit::Kind::Quantize;
        unit.node = node.id;
        unit.reads = {node.arg(0).node()};
        unit.writes = {node.id};
        unit.decision = Decision::yes("convert f32 to qs8", DataLayout::Natural);
        return unit;
    }

    Unit dequantizeUnit(const Node& node, NodeId source) const
    {
        if (!m_alive.contains(source))
            return torchUnit(node, "no operator on XNNPACK makes or reads its input");
        Unit unit;
        unit.kind = Unit::Kind::Dequantize;
        unit.node = node.id;
        unit.reads = {source};
        unit.writes = {node.id};
        unit.decision = Decision::yes("convert qs8 to f32", DataLayout::Natural);
        return unit;
    }

    Unit torchUnit(const Node& node, Reason reason) const
    {
        Unit unit;
        unit.kind = Unit::Kind::Torch;
        unit.node = node.id;
        for (const NodeId input : node.inputs()) {
            const Node& source = m_view.graph().node(input);
            if (!m_view.isConstant(input) && !source.is(OpKind::GetAttr))
                unit.reads.push_back(input);
        }
        unit.writes = {node.id};
        unit.decision = Decision::no(std::move(reason));
        return unit;
    }

    const ConvertedView& m_view;
    const PlanOptions& m_options;
    std::unordered_map<NodeId, Unit> m_ops; ///< accepted ones, by op
    std::unordered_map<NodeId, Reason> m_reasons; ///< of those not accepted
    std::set<NodeId> m_needed; ///< for an output, or for what they write
    std::set<NodeId> m_claimed; ///< nodes that an op covers besides itself
    std::unordered_map<NodeId, std::vector<Unit>> m_tables; ///< by the chain's last op
    std::set<NodeId> m_alive; ///< typed values that a unit reads or makes
    std::unordered_map<NodeId, NodeId> m_alias; ///< quantize → the one that stands for it
};

} // namespace

std::vector<Unit> makeUnits(const ConvertedView& view, const PlanOptions& options)
{
    return UnitMaker(view, options).make();
}

const Unit* onlyReader(const std::vector<Unit>& units, const ConvertedView& view, NodeId value)
{
    const auto outputs = view.graph().output()->inputs();
    if (std::find(outputs.begin(), outputs.end(), value) != outputs.end())
        return nullptr;
    const Unit* reader = nullptr;
    for (const Unit& unit : units) {
        const auto count = std::count(unit.reads.begin(), unit.reads.end(), value);
        if (count > 1 || (count == 1 && reader))
            return nullptr;
        if (count == 1)
            reader = &unit;
    }
    return reader;
}

Bounds boundsOf(const Node& op, const OutputMatch& output, const Graph& graph)
{
    Bounds bounds{output.type.lowest, output.type.highest};
    for (const Node* node : {&op, graph.find(output.activation)}) {
        const auto range = node ? activationOf(*node) : std::nullopt;
        if (!range)
            continue;
        // Rounding is monotonic, so clipping before it is clipping after it at the rounded ends.
        bounds.low = std::max(bounds.low, quantizeValue(range->low, output.type));
        bounds.high = std::min(bounds.high, quantizeValue(range->high, output.type));
    }
    return bounds;
}

} // namespace pt2e::xnn

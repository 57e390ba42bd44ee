// Follows torch/export/_unlift.py: a copy of the graph (which names every node anew), get_attr nodes in
// place of lifted inputs, copy_ nodes for mutated buffers and inputs.
#include "core/pt2/Unlift.h"

#include "core/ir/GraphEditor.h"
#include "core/ir/Lint.h"

#include <map>
#include <optional>
#include <unordered_set>

namespace pt2e::pt2 {

namespace {

/// Replacing all uses of an input costs the users of all inputs of its users; no real file comes near.
constexpr std::uint64_t kMaxReplacementCost = 300'000'000;

class Unlifter
{
public:
    Unlifter(const Program& program, const WeightMap& weights, const WeightMap& constants,
             Remarks& remarks, const std::string& where)
        : m_program(program),
          m_weights(weights),
          m_constants(constants),
          m_remarks(remarks),
          m_where(where)
    {
        // ep.module() passes such programs through _remove_effect_tokens, which ends with a sweep.
        m_dropsDeadCode = !program.verifiers.empty() && program.verifiers.front() != "TRAINING";
    }

    Result<UnliftedProgram> run()
    {
        const RawGraph& raw = *m_program.graph;
        copyNodes(m_editor, raw, false, m_ids);
        if (m_dropsDeadCode)
            m_editor.eliminateDeadCode();
        PT2E_TRY(checkReplacementCost());
        for (std::size_t i = 0; i < raw.inputCount; ++i)
            liftedInput(i);
        PT2E_TRY(copyMutations());
        std::vector<std::string> names;
        for (const NodeId id : m_inputNodes)
            names.push_back(m_editor.graph().node(id).name);
        GraphPtr graph = std::move(m_editor).publish();
        // Everything lint checks was checked while reading; this is the proof.
        if (const Result<void> clean = lint(*graph); !clean)
            return badInput(m_where, clean.error().message());
        return UnliftedProgram{std::move(graph), std::move(names)};
    }

private:
    /// keepsNames: a body is not copied by PyTorch, so the file's names stay as they are.
    void copyNodes(GraphEditor& editor, const RawGraph& raw, bool keepsNames,
                   std::vector<NodeId>& ids)
    {
        for (const auto& [name, body] : raw.bodies) {
            GraphEditor inner(editor.nextId());
            std::vector<NodeId> innerIds;
            copyNodes(inner, *body, true, innerIds);
            if (m_dropsDeadCode)
                inner.eliminateDeadCode();
            editor.setNextId(inner.nextId());
            editor.setSubgraph(name, std::move(inner).publish());
        }
        ids.reserve(raw.nodes.size());
        std::unordered_set<std::string_view> names;
        const auto map = [&ids](NodeId local) { return Argument(ids[local.value]); };
        for (const RawNode& node : raw.nodes) {
            NewNode made;
            made.kind = node.kind;
            made.target = node.target;
            made.nameCandidate = node.name;
            made.val = node.val;
            made.fileMeta = node.fileMeta;
            for (const Argument& argument : node.args)
                made.args.push_back(mapNodes(argument, map));
            for (const auto& [key, argument] : node.kwargs)
                made.kwargs.emplace_back(key, mapNodes(argument, map));
            ids.push_back(editor.append(std::move(made)));
            if (keepsNames && names.insert(node.name).second)
                editor.setName(ids.back(), node.name);
        }
    }

    bool isLifted(std::size_t input) const
    {
        const InputRole role = m_program.inputs[input].role;
        return role == InputRole::Parameter || role == InputRole::Buffer
               || role == InputRole::Constant || role == InputRole::CustomObject;
    }

    Result<void> checkReplacementCost() const
    {
        const Graph& graph = m_editor.graph();
        std::uint64_t cost = 0;
        for (std::size_t i = 0; i < m_program.graph->inputCount; ++i) {
            if (!isLifted(i))
                continue;
            for (const NodeId user : graph.node(m_ids[i]).users) {
                for (const NodeId input : graph.node(user).inputs())
                    cost += graph.node(input).users.size();
                if (cost > kMaxReplacementCost)
                    return badInput(m_where, "weights have an unreasonable number of uses");
            }
        }
        return {};
    }

    void liftedInput(std::size_t input)
    {
        const NodeId placeholder = m_ids[input];
        if (!isLifted(input)) {
            m_inputNodes.push_back(placeholder);
            m_inputByName[m_program.graph->nodes[input].name] = placeholder;
            return;
        }
        const RawInputSpec& spec = m_program.inputs[input];
        InsertPoint at = InsertPoint::after(placeholder);
        NewNode made;
        made.kind = OpKind::GetAttr;
        made.target = spec.target;
        made.val = m_editor.graph().node(placeholder).val;
        made.fileMeta = m_editor.graph().node(placeholder).fileMeta;
        const NodeId attribute = m_editor.insert(at, std::move(made));
        m_editor.replaceAllUses(placeholder, attribute);
        m_editor.erase(placeholder);
        m_inputNodes.push_back(attribute);
        m_attributeByTarget[spec.target] = attribute;
        m_editor.setAttribute(spec.target, attributeValue(spec, m_editor.graph().node(attribute)));
    }

    Attribute attributeValue(const RawInputSpec& spec, const Node& node)
    {
        Attribute attribute;
        attribute.kind = spec.role == InputRole::Parameter ? AttributeKind::Parameter
                         : spec.role != InputRole::Buffer  ? AttributeKind::Constant
                         : spec.isPersistent               ? AttributeKind::Buffer
                                                           : AttributeKind::NonPersistentBuffer;
        const bool isWeight =
            attribute.kind == AttributeKind::Parameter || attribute.kind == AttributeKind::Buffer;
        const Weight* weight = (isWeight ? m_weights : m_constants).find(spec.target);
        if (!weight) // some versions put a buffer's data on the other side
            weight = (isWeight ? m_constants : m_weights).find(spec.target);
        if (!weight || !weight->tensor.isValid()) {
            m_remarks.add(Severity::Error, "missing-weight", node.name, {},
                          "'" + spec.target + "' has no value: "
                              + (weight ? weight->problem : std::string("it is not in the file")));
            return attribute;
        }
        attribute.value = weight->tensor;
        const TensorMeta* meta = node.val.tensor();
        if (meta
            && (meta->dtype != weight->tensor.dtype()
                || meta->shape != weight->tensor.meta().shape))
            m_remarks.warn("weight-meta", node.name,
                           "'" + spec.target + "' has another shape or dtype than the graph says");
        return attribute;
    }

    /// _insert_copy_for_mutations, which gives the copies no value: copy_ before the output, mutated values dropped from the results.
    Result<void> copyMutations()
    {
        const NodeId output = m_ids.back();
        const Node node = m_editor.graph().node(output);
        const ArgumentList* results = node.args.front().get<ArgumentList>();
        if (!results)
            return {};
        // Even with nothing to copy: PyTorch makes a new output node, which so becomes the last user
        // of each result.
        std::map<NodeId, NodeId> copies;
        std::vector<Argument> kept;
        std::vector<ValueMeta> values;
        for (std::size_t i = 0; i < results->items.size(); ++i) {
            const Argument& result = results->items[i];
            if (!isMutation(m_program.outputs[i].role)) {
                kept.push_back(result);
                continue;
            }
            const std::optional<NodeId> mutated = find(m_program.outputs[i]);
            if (!mutated)
                return badInput(m_where, "output " + std::to_string(i) + " writes '"
                                             + m_program.outputs[i].target
                                             + "', which is neither a buffer nor an input");
            NewNode copy;
            copy.target = "aten.copy_.default";
            copy.args = {Argument(*mutated), result};
            InsertPoint at = InsertPoint::before(output);
            const NodeId made = m_editor.insert(at, std::move(copy));
            if (result.node())
                copies[result.node()] = made;
        }
        for (Argument& result : kept) {
            if (const auto it = copies.find(result.node()); result.node() && it != copies.end())
                result = Argument(it->second);
            values.push_back(result.node() ? m_editor.graph().node(result.node()).val
                                           : ValueMeta{});
        }
        m_editor.setArgs(output, {Argument::tuple(std::move(kept))});
        ValueMeta val;
        val.value = std::move(values);
        m_editor.setVal(output, std::move(val));
        return {};
    }

    static bool isMutation(OutputRole role)
    {
        return role == OutputRole::BufferMutation || role == OutputRole::ParameterMutation
               || role == OutputRole::InputMutation;
    }

    std::optional<NodeId> find(const RawOutputSpec& spec) const
    {
        if (const auto it = m_attributeByTarget.find(spec.target); it != m_attributeByTarget.end())
            return it->second;
        if (const auto it = m_inputByName.find(spec.target); it != m_inputByName.end())
            return it->second;
        return std::nullopt;
    }

    const Program& m_program;
    const WeightMap& m_weights;
    const WeightMap& m_constants;
    Remarks& m_remarks;
    const std::string& m_where;
    GraphEditor m_editor;
    bool m_dropsDeadCode = false;
    std::vector<NodeId> m_ids; ///< of the copied nodes, by their index in the file's graph
    std::vector<NodeId> m_inputNodes;
    std::map<std::string, NodeId> m_attributeByTarget;
    std::map<std::string, NodeId> m_inputByName;
};

} // namespace

Result<UnliftedProgram> unlift(const Program& program, const WeightMap& weights,
                               const WeightMap& constants, Remarks& remarks,
                               const std::string& where)
{
    return Unlifter(program, weights, constants, remarks, where).run();
}

} // namespace pt2e::pt2

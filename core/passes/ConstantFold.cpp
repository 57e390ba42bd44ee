// torchao's constant_fold as convert_pt2e uses it: quantize ops on constants become constants.
#include "core/kernels/Kernels.h"
#include "core/passes/Catalogue.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

bool isQuantize(const Node& node)
{
    return node.calls("quantized_decomposed.quantize_per_tensor.default")
           || node.calls("quantized_decomposed.quantize_per_tensor.tensor")
           || node.calls("quantized_decomposed.quantize_per_channel.default")
           || node.calls("torchao.quantize_affine.default");
}

/// Ops the folder leaves alone: what they give must stay visible, or differs from run to run.
bool isUnfoldable(const Node& node)
{
    const std::string_view op = shortOpName(node.target);
    constexpr std::string_view kRandom[] = {
        "rand",           "randn",       "randint",    "rand_like", "randn_like",
        "randint_like",   "randperm",    "bernoulli",  "normal",    "dropout",
        "native_dropout", "multinomial", "bernoulli_", "uniform_",  "normal_"};
    return node.target.starts_with("higher_order.")
           || node.target.starts_with("torch.ops.higher_order.")
           || node.target.starts_with("quantized_decomposed.dequantize_")
           || node.target.starts_with("torchao.dequantize_affine.")
           || node.target.starts_with("quantized_decomposed.convert_element_type.")
           || std::find(std::begin(kRandom), std::end(kRandom), op) != std::end(kRandom);
}

class Folder
{
public:
    Folder(GraphEditor& editor, ConvertState& state) : m_editor(editor), m_state(state) {}
    Result<void> run();

private:
    const Graph& graph() const { return m_editor.graph(); }
    void findMutableBuffers();
    void markBehind(NodeId id);
    void findKnown();
    /// Arguments in lists do not count, as in the original.
    bool readsMutable(const Node& node) const
    {
        return std::any_of(node.args.begin(), node.args.end(), [this](const Argument& argument) {
            return argument.node() && m_mutable.contains(argument.node());
        });
    }
    Result<Value> valueOf(NodeId id);
    Result<Value> evaluate(const Node& node);
    Result<Value> argumentValue(const Node& user, const Argument& argument);
    void applyWrites(const std::vector<WrittenTensor>& written);
    Result<void> replace(NodeId quantize, const Tensor& value);
    void eraseUnusedAttributes();

    GraphEditor& m_editor;
    ConvertState& m_state;
    std::unordered_set<NodeId> m_mutable; ///< what leads to a buffer that copy_ or put_ writes
    std::unordered_set<NodeId> m_known;
    std::unordered_map<NodeId, Value> m_values;
    int m_frozen = 0;
    bool m_writesConstants = false; ///< some known op writes its argument
};

/// What copy_ or put_ (index_put_, …) writes is no constant; other ops in place do not count
/// (ConstantFolder._find_mutable_buffers). Nothing is marked where a graph input leads to it.
void Folder::findMutableBuffers()
{
    for (const Node& node : graph()) {
        const bool isWriter = node.target.find("copy_") != std::string::npos
                              || node.target.find("put_") != std::string::npos;
        if (node.is(OpKind::CallFunction) && isWriter && node.arg(0).node())
            markBehind(node.arg(0).node());
    }
}

void Folder::markBehind(NodeId id)
{
    std::vector<NodeId> open = {id};
    std::unordered_set<NodeId> seen = {id};
    bool hasBuffer = false;
    while (!open.empty()) {
        const Node& node = graph().node(open.back());
        open.pop_back();
        if (node.is(OpKind::Placeholder))
            return;
        const Attribute* attribute =
            node.is(OpKind::GetAttr) ? graph().attributes().find(node.target) : nullptr;
        hasBuffer = hasBuffer
                    || (attribute
                        && (attribute->kind == AttributeKind::Buffer
                            || attribute->kind == AttributeKind::NonPersistentBuffer));
        for (NodeId input : node.inputs()) {
            if (seen.insert(input).second)
                open.push_back(input);
        }
    }
    if (hasBuffer)
        m_mutable.insert(seen.begin(), seen.end());
}

/// Which nodes can be computed from constants alone.
void Folder::findKnown()
{
    for (const Node& node : graph()) {
        if (node.is(OpKind::GetAttr)) {
            const Attribute* attribute = graph().attributes().find(node.target);
            if (attribute && attribute->value.isValid())
                m_known.insert(node.id);
            continue;
        }
        if (!node.is(OpKind::CallFunction) || isUnfoldable(node) || readsMutable(node))
            continue;
        // An op without inputs, a constructor, counts as unknown.
        const std::vector<NodeId> inputs = node.inputs();
        if (!inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [this](NodeId input) {
                return m_known.contains(input);
            })) {
            m_known.insert(node.id);
            m_writesConstants |= mutatesArgument(node.target);
        }
    }
}

Result<Value> Folder::valueOf(NodeId id)
{
    const auto it = m_values.find(id);
    if (it != m_values.end())
        return it->second;
    const Node& node = graph().node(id);
    Value value;
    if (node.is(OpKind::GetAttr)) {
        value = Value{graph().attributes().find(node.target)->value};
    } else {
        auto computed = evaluate(node);
        if (!computed)
            return tl::unexpected<Error>({computed.error().code,
                                          "convert: node '" + node.name + "'",
                                          computed.error().message()});
        value = std::move(*computed);
    }
    return m_values.emplace(id, std::move(value)).first->second;
}

Result<Value> Folder::evaluate(const Node& node)
{
    if (node.target == "getitem") {
        PT2E_ASSIGN(const Value source, valueOf(node.arg(0).node()));
        const auto* index = node.arg(1).get<std::int64_t>();
        const Value::List* list = source.list();
        if (!index || !list || *index < 0 || static_cast<std::size_t>(*index) >= list->size())
            return badInput("getitem", "no such item");
        return (*list)[static_cast<std::size_t>(*index)];
    }
    PT2E_ASSIGN(const Kernels* all, kernels());
    PT2E_ASSIGN(const auto kernel, all->find(node.target));
    Values args;
    for (const Argument& argument : node.args) {
        PT2E_ASSIGN(Value value, argumentValue(node, argument));
        args.push_back(std::move(value));
    }
    NamedValues kwargs;
    for (const auto& [name, argument] : node.kwargs) {
        PT2E_ASSIGN(Value value, argumentValue(node, argument));
        kwargs.emplace_back(name, std::move(value));
    }
    std::vector<WrittenTensor> written;
    PT2E_ASSIGN(Values results, kernel->call(args, kwargs, &written));
    applyWrites(written);
    if (results.size() == 1)
        return std::move(results.front());
    return Value{Value::List(std::move(results))};
}

/// Only called for known nodes, so recursion depth is the length of a chain between a constant and its quantize.
Result<Value> Folder::argumentValue(const Node& user, const Argument& argument)
{
    if (argument.node())
        return valueOf(argument.node());
    if (const auto* list = argument.get<ArgumentList>()) {
        Value::List values;
        for (const Argument& item : list->items) {
            PT2E_ASSIGN(Value value, argumentValue(user, item));
            values.push_back(std::move(value));
        }
        return Value{std::move(values)};
    }
    return std::visit(
        [](const auto& literal) -> Result<Value> {
            using T = std::decay_t<decltype(literal)>;
            if constexpr (std::is_same_v<T, ComplexArgument>)
                return Value{std::complex<double>(literal.real, literal.imag)};
            else if constexpr (
                std::is_constructible_v<
                    decltype(Value::data),
                    const T&> && !std::is_same_v<T, NodeId> && !std::is_same_v<T, ArgumentList>)
                return Value{literal};
            else
                return fail(ErrorCode::Unsupported, "argument", "has no value");
        },
        argument.value());
}

Result<void> Folder::replace(NodeId quantize, const Tensor& value)
{
    const Node old = graph().node(quantize);
    std::string name;
    do {
        name = "_frozen_param" + std::to_string(m_frozen++);
    } while (graph().attributes().contains(name));
    m_editor.setAttribute(name, {value, AttributeKind::Buffer});
    NewNode node;
    node.kind = OpKind::GetAttr;
    node.target = name;
    node.val = old.val;
    node.fileMeta = old.fileMeta;
    node.origin = {OriginKind::Folded, old.arg(0).node(), "constant_fold"};
    InsertPoint at = InsertPoint::before(quantize);
    const NodeId constant = m_editor.insert(at, std::move(node));
    m_editor.replaceAllUses(quantize, constant);
    // What it was computed from goes with it, where nothing else reads it.
    std::vector<NodeId> open = {quantize};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (m_state.successors.emplace(id, constant).second || id == quantize) {
            for (NodeId input : graph().node(id).inputs())
                open.push_back(input);
        }
    }
    m_state.successors[quantize] = constant;
    m_editor.erase(quantize);
    m_editor.setName(constant, old.name);
    return {};
}

/// get_attr nodes without users go; their attribute only if the root itself has one of that very name.
void Folder::eraseUnusedAttributes()
{
    for (NodeId id : graph().order()) {
        const Node& node = graph().node(id);
        if (!node.is(OpKind::GetAttr) || !node.users.empty())
            continue;
        const std::string target = node.target;
        m_editor.erase(id);
        if (target.find('.') == std::string::npos)
            m_editor.eraseAttribute(target);
    }
}

/// The original computes with the module's own tensors, so an op that writes a buffer leaves it changed.
void Folder::applyWrites(const std::vector<WrittenTensor>& written)
{
    for (const WrittenTensor& write : written) {
        const auto moved = [&](const Tensor& t) {
            return Tensor(write.after.storage(), t.dtype(), t.shape(), t.strides(), t.offset());
        };
        for (auto& [id, value] : m_values) {
            if (const Tensor* t = value.tensor(); t && t->storage() == write.before.storage())
                value = Value{moved(*t)};
        }
        std::vector<std::pair<std::string, Attribute>> changed;
        for (const auto& [name, attribute] : graph().attributes()) {
            if (attribute.value.storage() == write.before.storage())
                changed.emplace_back(name, Attribute{moved(attribute.value), attribute.kind});
        }
        for (auto& [name, attribute] : changed)
            m_editor.setAttribute(name, std::move(attribute));
    }
}

Result<void> Folder::run()
{
    findMutableBuffers();
    findKnown();
    // The original computes every known node in order; that shows only where one of them writes.
    std::vector<std::pair<NodeId, Value>> folded;
    for (NodeId id : graph().order()) {
        const bool isWanted = isQuantize(graph().node(id));
        if (!m_known.contains(id) || (!isWanted && !m_writesConstants))
            continue;
        PT2E_ASSIGN(const Value value, valueOf(id));
        if (isWanted)
            folded.emplace_back(id, value);
    }
    for (const auto& [id, value] : folded) {
        const Tensor* tensor = value.tensor();
        if (!tensor)
            return fail(ErrorCode::Internal, "convert: node '" + graph().node(id).name + "'",
                        "a quantize op gave no tensor");
        PT2E_TRY(replace(id, *tensor));
    }
    m_values.clear();
    eraseUnusedAttributes();
    m_editor.eliminateDeadCode();
    return {};
}

} // namespace

Result<void> foldQuantize(GraphEditor& editor, ConvertState& state)
{
    return state.options.foldQuantize ? Folder(editor, state).run() : Result<void>{};
}

} // namespace pt2e

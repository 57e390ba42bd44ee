#include "core/engine/reference/Frame.h"

#include "core/engine/reference/HigherOrder.h"
#include "core/engine/reference/ScalarOps.h"

#include <fmt/format.h>

namespace pt2e::reference {

namespace {

Error placed(Error error, const Node& node)
{
    // Cancelled is no failure of a node; errors inside a body name the body's node already.
    if (error.code == ErrorCode::Cancelled)
        return error;
    error.where =
        fmt::format("node '{}'{}{}", node.name, error.where.empty() ? "" : ": ", error.where);
    return error;
}

bool isSameView(const Tensor& a, const Tensor& b)
{
    return a.dtype() == b.dtype() && a.offset() == b.offset() && a.shape() == b.shape()
           && a.strides() == b.strides();
}

void move(Tensor& tensor, const WrittenTensor& written)
{
    if (!tensor.isValid() || tensor.storage() != written.before.storage())
        return;
    if (isSameView(tensor, written.before))
        tensor = written.after;
    else
        tensor = Tensor(written.after.storage(), tensor.dtype(), tensor.shape(), tensor.strides(),
                        tensor.offset())
                     .withRequiresGrad(tensor.requiresGrad());
}

void move(Value& value, const WrittenTensor& written)
{
    if (auto* tensor = std::get_if<Tensor>(&value.data))
        move(*tensor, written);
    else if (auto* items = std::get_if<Value::List>(&value.data)) {
        for (Value& item : *items)
            move(item, written);
    }
}

void flatten(const Value& value, Values& into)
{
    if (const Value::List* items = value.list()) {
        for (const Value& item : *items)
            flatten(item, into);
    } else {
        into.push_back(value);
    }
}

} // namespace

Result<void> Frame::checkInputs(std::span<const Value> inputs) const
{
    const std::size_t wanted = m_plan->graph->placeholders().size();
    if (inputs.size() != wanted)
        return badInput("inputs",
                        fmt::format("{} were given, the graph has {}", inputs.size(), wanted));
    return {};
}

Result<Values> Frame::run(std::span<const Value> inputs)
{
    PT2E_TRY(checkInputs(inputs));
    std::size_t nextInput = 0;
    Values results;
    for (const Step& step : m_plan->steps) {
        PT2E_TRY(m_context.checkpoint());
        const Node& node = *step.node;
        const bool isInput = step.kind == StepKind::Input;
        auto value = compute(step, isInput ? inputs.subspan(nextInput++, 1) : inputs.subspan(0, 0));
        if (!value)
            return tl::unexpected<Error>(placed(std::move(value).error(), node));
        if (step.kind == StepKind::Output) {
            flatten(*value, results);
            continue;
        }
        if (isInput)
            learnSymbols(node, *value);
        m_values[step.slot] = std::move(*value);
        if (m_options.onValue && (!m_options.wants || m_options.wants(node.id)))
            PT2E_TRY(m_options.onValue(node.id, m_values[step.slot]));
        for (const std::size_t slot : step.lastUses)
            m_values[slot] = Value{};
    }
    return results;
}

Result<Value> Frame::compute(const Step& step, std::span<const Value> inputs)
{
    const Node& node = *step.node;
    if (step.error)
        return tl::unexpected<Error>(*step.error);
    switch (step.kind) {
    case StepKind::Input: return inputs.front();
    case StepKind::Attribute: return attribute(step);
    case StepKind::Subgraph: return Value{node.target};
    case StepKind::Module:
    case StepKind::Output: return evaluate(node.arg(0));
    case StepKind::GetItem: return getItem(step);
    case StepKind::Scalar: {
        PT2E_ASSIGN(const Values args, arguments(step));
        auto result = callScalar(step.function, args);
        if (!result)
            return fail(result.error().code, node.target, result.error().message());
        return result;
    }
    case StepKind::HigherOrder: {
        PT2E_ASSIGN(const Values args, arguments(step));
        return callHigherOrder(*this, step.function, args);
    }
    case StepKind::Kernel: return callKernel(step);
    }
    return Value{};
}

Result<Value> Frame::attribute(const Step& step) const
{
    const std::string& name = step.node->target;
    if (const auto written = m_attributes.find(name); written != m_attributes.end())
        return Value{written->second};
    const Attribute* attribute = m_plan->graph->attributes().find(name);
    if (!attribute)
        return badInput("", fmt::format("the graph has no attribute '{}'", name));
    if (!attribute->value.isValid())
        return badInput("", fmt::format("attribute '{}' has no value", name));
    // ATen's choice of a kernel may depend on it, and with it the last bit.
    const TensorMeta* meta = step.node->val.tensor();
    const bool requiresGrad =
        attribute->kind == AttributeKind::Parameter && (!meta || meta->requiresGrad);
    return Value{attribute->value.withRequiresGrad(requiresGrad)};
}

Result<Value> Frame::getItem(const Step& step) const
{
    PT2E_ASSIGN(const Values args, arguments(step));
    const Value::List* items = args.empty() ? nullptr : args[0].list();
    const std::int64_t* index =
        args.size() == 2 ? std::get_if<std::int64_t>(&args[1].data) : nullptr;
    if (!items || !index)
        return badInput("getitem", "expected a list and an int");
    const auto size = static_cast<std::int64_t>(items->size());
    const std::int64_t at = *index < 0 ? *index + size : *index;
    if (at < 0 || at >= size)
        return badInput("getitem", fmt::format("index {} is outside a list of {}", *index, size));
    return (*items)[static_cast<std::size_t>(at)];
}

Result<Value> Frame::callKernel(const Step& step)
{
    PT2E_ASSIGN(const Values args, arguments(step));
    NamedValues kwargs;
    for (const auto& [name, argument] : step.node->kwargs) {
        PT2E_ASSIGN(Value value, evaluate(argument));
        kwargs.emplace_back(name, std::move(value));
    }
    std::vector<WrittenTensor> written;
    PT2E_ASSIGN(Values results,
                step.kernel->call(args, kwargs, step.kernel->mutates() ? &written : nullptr));
    for (const WrittenTensor& tensor : written)
        moveWritten(tensor);
    if (results.empty())
        return Value{};
    if (results.size() == 1)
        return std::move(results.front());
    return Value{std::move(results)};
}

Result<Values> Frame::arguments(const Step& step) const
{
    Values values;
    for (const Argument& argument : step.node->args) {
        PT2E_ASSIGN(Value value, evaluate(argument));
        values.push_back(std::move(value));
    }
    return values;
}

Result<Value> Frame::evaluate(const Argument& argument) const
{
    return std::visit(
        [this](const auto& given) -> Result<Value> {
            using Given = std::decay_t<decltype(given)>;
            if constexpr (std::is_same_v<Given, NodeId>) {
                return m_values[m_plan->slotOf(given)];
            } else if constexpr (std::is_same_v<Given, ArgumentList>) {
                Value::List items;
                for (const Argument& item : given.items) {
                    PT2E_ASSIGN(Value value, evaluate(item));
                    items.push_back(std::move(value));
                }
                return Value{std::move(items)};
            } else if constexpr (std::is_same_v<Given, SymbolArgument>) {
                return symbol(given.expression);
            } else if constexpr (std::is_same_v<Given, OpaqueArgument>) {
                return fail(ErrorCode::Unsupported, "",
                            fmt::format("argument {} can be evaluated by Python only", given.repr));
            } else if constexpr (std::is_same_v<Given, ComplexArgument>) {
                return Value{std::complex<double>(given.real, given.imag)};
            } else {
                return Value{given};
            }
        },
        argument.value());
}

Result<Value> Frame::symbol(const std::string& expression) const
{
    if (const auto known = m_symbols.find(expression); known != m_symbols.end())
        return Value{known->second};
    return fail(ErrorCode::Unsupported, "",
                fmt::format("size '{}' is not the size of an input", expression));
}

void Frame::learnSymbols(const Node& placeholder, const Value& value)
{
    const TensorMeta* meta = placeholder.val.tensor();
    const Tensor* tensor = value.tensor();
    if (!meta || !tensor || !tensor->isValid() || meta->shape.size() != tensor->shape().size())
        return;
    for (std::size_t i = 0; i < meta->shape.size(); ++i) {
        if (meta->shape[i].isSymbolic())
            m_symbols.emplace(meta->shape[i].expression(), tensor->shape()[i]);
    }
}

void Frame::moveWritten(const WrittenTensor& written)
{
    const Storage* before = written.before.storage().get();
    // Attributes written earlier first: they have left the graph's storage.
    for (auto& [name, tensor] : m_attributes)
        move(tensor, written);
    if (const auto named = m_plan->attributesOf.find(before); named != m_plan->attributesOf.end()) {
        for (const std::string& name : named->second) {
            Tensor tensor = m_plan->graph->attributes().find(name)->value;
            move(tensor, written);
            m_attributes.try_emplace(name, std::move(tensor));
        }
    }
    for (Value& value : m_values)
        move(value, written);
    if (m_parent)
        m_parent->moveWritten(written);
}

void Frame::setState(const RunState& state)
{
    for (const auto& [name, tensor] : state.attributes)
        m_attributes.insert_or_assign(name, tensor);
}

void Frame::takeState(RunState& state) const
{
    // In the graph's order, so that equal runs leave equal states.
    for (const auto& [name, attribute] : m_plan->graph->attributes()) {
        if (const auto written = m_attributes.find(name); written != m_attributes.end())
            state.attributes.set(name, written->second);
    }
}

} // namespace pt2e::reference

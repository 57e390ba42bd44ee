#include "core/engine/reference/HigherOrder.h"

#include "core/engine/reference/ScalarOps.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace pt2e::reference {

namespace {

Result<PlanPtr> bodyOf(const Frame& frame, const Values& args, std::size_t index)
{
    const std::string* name =
        index < args.size() ? std::get_if<std::string>(&args[index].data) : nullptr;
    const auto body = name ? frame.plan().bodies.find(*name) : frame.plan().bodies.end();
    if (body == frame.plan().bodies.end())
        return badInput("", fmt::format("argument {} is not a sub-graph", index));
    return body->second;
}

Result<Value::List> listOf(const Values& args, std::size_t index)
{
    // An empty tuple may have been left out.
    if (index >= args.size() || args[index].isNone())
        return Value::List{};
    if (!args[index].list())
        return badInput(
            "", fmt::format("argument {} is not a list but {}", index, describeValue(args[index])));
    return *args[index].list();
}

Result<Values> runBody(Frame& frame, const PlanPtr& body, std::span<const Value> inputs)
{
    Frame inner(body, frame.options(), frame.context(), &frame);
    return inner.run(inputs);
}

/// A bool, a number or a tensor with one element, as Python's truth value.
Result<bool> truthOf(const Value& value)
{
    if (const Tensor* tensor = value.tensor()) {
        if (!tensor->isValid() || tensor->elementCount() != 1)
            return badInput("",
                            "the condition must have one element, it is " + describeValue(value));
        PT2E_ASSIGN(const std::vector<double> element, tensor->toDoubles());
        return element.front() != 0;
    }
    PT2E_ASSIGN(const Value isFalse, callScalar("sym_not", std::span(&value, 1)));
    return !std::get<bool>(isFalse.data);
}

/// cond(pred, true_graph, false_graph, operands)
Result<Value> cond(Frame& frame, const Values& args)
{
    if (args.size() < 3)
        return badInput("", "expected a condition, two sub-graphs and operands");
    PT2E_ASSIGN(const bool isTrue, truthOf(args[0]));
    PT2E_ASSIGN(const PlanPtr body, bodyOf(frame, args, isTrue ? 1 : 2));
    PT2E_ASSIGN(const Value::List operands, listOf(args, 3));
    PT2E_ASSIGN(Values results, runBody(frame, body, operands));
    return Value{std::move(results)};
}

/// while_loop(cond_graph, body_graph, carried, additional)
Result<Value> whileLoop(Frame& frame, const Values& args)
{
    PT2E_ASSIGN(const PlanPtr condition, bodyOf(frame, args, 0));
    PT2E_ASSIGN(const PlanPtr body, bodyOf(frame, args, 1));
    PT2E_ASSIGN(Values carried, listOf(args, 2));
    PT2E_ASSIGN(const Values additional, listOf(args, 3));
    for (;;) {
        PT2E_TRY(frame.context().checkpoint());
        Values inputs = carried;
        inputs.insert(inputs.end(), additional.begin(), additional.end());
        PT2E_ASSIGN(const Values verdict, runBody(frame, condition, inputs));
        if (verdict.size() != 1)
            return badInput("", fmt::format("the condition gave {} values", verdict.size()));
        PT2E_ASSIGN(const bool goesOn, truthOf(verdict.front()));
        if (!goesOn)
            return Value{std::move(carried)};
        PT2E_ASSIGN(Values next, runBody(frame, body, inputs));
        if (next.size() != carried.size())
            return badInput("", fmt::format("the body gave {} values, {} are carried", next.size(),
                                            carried.size()));
        carried = std::move(next);
    }
}

/// One value per step: row `step` of each xs.
Result<Values> rowsOf(const Kernels& torch, const Values& xs, std::int64_t step)
{
    Values rows;
    for (const Value& x : xs) {
        PT2E_ASSIGN(Tensor row,
                    torch.callTensor("aten.select.int", {x, Value{std::int64_t(0)}, Value{step}}));
        rows.push_back(Value{std::move(row)});
    }
    return rows;
}

/// Each list of rows as one tensor with a new first axis.
Result<Values> stacked(const Kernels& torch, std::vector<Value::List> lists)
{
    Values tensors;
    for (Value::List& rows : lists) {
        PT2E_ASSIGN(Tensor tensor,
                    torch.callTensor("aten.stack.default",
                                     {Value{std::move(rows)}, Value{std::int64_t(0)}}));
        tensors.push_back(Value{std::move(tensor)});
    }
    return tensors;
}

/// scan(combine_graph, init, xs, additional): carried values, then per-step results stacked along a new first axis.
Result<Value> scan(Frame& frame, const Values& args)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    PT2E_ASSIGN(const PlanPtr body, bodyOf(frame, args, 0));
    PT2E_ASSIGN(Values carried, listOf(args, 1));
    PT2E_ASSIGN(const Values xs, listOf(args, 2));
    PT2E_ASSIGN(const Values additional, listOf(args, 3));
    const Tensor* first = xs.empty() ? nullptr : xs.front().tensor();
    if (!first || first->shape().empty() || first->shape()[0] == 0)
        return badInput("", "nothing to scan over");
    std::vector<Value::List> collected;
    for (std::int64_t step = 0; step < first->shape()[0]; ++step) {
        PT2E_ASSIGN(Values inputs, rowsOf(*torch, xs, step));
        inputs.insert(inputs.begin(), carried.begin(), carried.end());
        inputs.insert(inputs.end(), additional.begin(), additional.end());
        PT2E_ASSIGN(Values results, runBody(frame, body, inputs));
        if (results.size() < carried.size())
            return badInput("", fmt::format("the body gave {} values, {} are carried",
                                            results.size(), carried.size()));
        const auto split = results.begin() + static_cast<std::ptrdiff_t>(carried.size());
        carried.assign(results.begin(), split);
        collected.resize(results.size() - carried.size());
        for (std::size_t i = 0; i < collected.size(); ++i)
            collected[i].push_back(results[carried.size() + i]);
    }
    PT2E_ASSIGN(const Values rows, stacked(*torch, std::move(collected)));
    carried.insert(carried.end(), rows.begin(), rows.end());
    return Value{std::move(carried)};
}

/// map_impl(graph, xs, additional): the graph on each row of xs, results stacked along a new first axis.
Result<Value> mapRows(Frame& frame, const Values& args)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    PT2E_ASSIGN(const PlanPtr body, bodyOf(frame, args, 0));
    PT2E_ASSIGN(const Values xs, listOf(args, 1));
    PT2E_ASSIGN(const Values additional, listOf(args, 2));
    const Tensor* first = xs.empty() ? nullptr : xs.front().tensor();
    if (!first || first->shape().empty() || first->shape()[0] == 0)
        return badInput("", "nothing to map");
    std::vector<Value::List> collected;
    for (std::int64_t step = 0; step < first->shape()[0]; ++step) {
        PT2E_ASSIGN(Values inputs, rowsOf(*torch, xs, step));
        inputs.insert(inputs.end(), additional.begin(), additional.end());
        PT2E_ASSIGN(Values results, runBody(frame, body, inputs));
        collected.resize(results.size());
        for (std::size_t i = 0; i < results.size(); ++i)
            collected[i].push_back(std::move(results[i]));
    }
    PT2E_ASSIGN(Values results, stacked(*torch, std::move(collected)));
    return Value{std::move(results)};
}

/// wrap_with_set_grad_enabled(enabled, graph, operands…): there is no autograd here.
Result<Value> setGradEnabled(Frame& frame, const Values& args)
{
    PT2E_ASSIGN(const PlanPtr body, bodyOf(frame, args, 1));
    PT2E_ASSIGN(Values results, runBody(frame, body, std::span(args).subspan(2)));
    return Value{std::move(results)};
}

/// wrap_with_autocast(device, dtype, enabled, cache, graph, operands…)
Result<Value> autocast(Frame& frame, const Values& args)
{
    PT2E_ASSIGN(const PlanPtr body, bodyOf(frame, args, 4));
    const std::string* device = std::get_if<std::string>(&args[0].data);
    const bool* isEnabled = std::get_if<bool>(&args[2].data);
    if (!device || !isEnabled)
        return badInput("", "expected a device, a dtype and whether autocast is on");
    std::optional<DType> dtype;
    if (const DType* given = std::get_if<DType>(&args[1].data))
        dtype = *given;
    // Autocast for another device does nothing to operators on the CPU.
    std::shared_ptr<void> scope;
    if (*device == "cpu") {
        PT2E_ASSIGN(const Kernels* const torch, kernels());
        scope = torch->autocastScope(*isEnabled, dtype);
    }
    PT2E_ASSIGN(Values results, runBody(frame, body, std::span(args).subspan(5)));
    return Value{std::move(results)};
}

struct Entry
{
    std::string_view name;
    Result<Value> (*run)(Frame&, const Values&);
};

constexpr std::array kFunctions{Entry{"cond", cond},
                                Entry{"while_loop", whileLoop},
                                Entry{"scan", scan},
                                Entry{"map_impl", mapRows},
                                Entry{"wrap_with_set_grad_enabled", setGradEnabled},
                                Entry{"wrap_with_autocast", autocast}};

} // namespace

std::string higherOrderFunction(std::string_view target)
{
    if (target.starts_with("higher_order."))
        target.remove_prefix(std::string_view("higher_order.").size());
    const bool isKnown = std::any_of(kFunctions.begin(), kFunctions.end(),
                                     [&](const Entry& entry) { return entry.name == target; });
    return isKnown ? std::string(target) : std::string();
}

Result<Value> callHigherOrder(Frame& frame, const std::string& function, const Values& args)
{
    for (const Entry& entry : kFunctions) {
        if (entry.name != function)
            continue;
        auto result = entry.run(frame, args);
        if (!result && result.error().code != ErrorCode::Cancelled)
            return fail(result.error().code, function, result.error().message());
        return result;
    }
    return fail(ErrorCode::Unsupported, function, "cannot be run");
}

} // namespace pt2e::reference

// The values of one run of one graph.
#pragma once

#include "core/base/JobContext.h"
#include "core/engine/Engine.h"
#include "core/engine/reference/Plan.h"

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pt2e::reference {

/// Values are immutable; an op that writes a tensor makes a copy of its storage. The frame then moves every value, and
/// every attribute, that shares the storage, here and in the frames around it, so that they see the change as they do
/// in PyTorch.
class Frame
{
public:
    /// parent is the frame of the graph that runs this body, or null.
    Frame(PlanPtr plan, const RunOptions& options, const JobContext& context, Frame* parent)
        : m_plan(std::move(plan)),
          m_options(options),
          m_context(context),
          m_parent(parent),
          m_values(m_plan->steps.size())
    {}

    /// Runs the graph; the results are flat, in the output node's order.
    Result<Values> run(std::span<const Value> inputs);

    const Plan& plan() const { return *m_plan; }
    const RunOptions& options() const { return m_options; }
    const JobContext& context() const { return m_context; }

    /// Takes over what earlier runs wrote; gives what this one wrote.
    void setState(const RunState& state);
    void takeState(RunState& state) const;

private:
    Result<Value> compute(const Step& step, std::span<const Value> inputs);
    Result<Value> attribute(const Step& step) const;
    Result<Value> getItem(const Step& step) const;
    Result<Value> callKernel(const Step& step);
    Result<Value> evaluate(const Argument& argument) const;
    Result<Values> arguments(const Step& step) const;
    Result<Value> symbol(const std::string& expression) const;
    void learnSymbols(const Node& placeholder, const Value& value);
    void moveWritten(const WrittenTensor& written);
    Result<void> checkInputs(std::span<const Value> inputs) const;

    PlanPtr m_plan;
    const RunOptions& m_options;
    const JobContext& m_context;
    Frame* m_parent;
    std::vector<Value> m_values; ///< by slot
    std::unordered_map<std::string, Tensor> m_attributes; ///< attributes that were written
    std::unordered_map<std::string, std::int64_t> m_symbols; ///< sizes of the inputs
};

} // namespace pt2e::reference

// What each of the two quantizers makes of the open model with the recipe's settings, for showing them side by side.
#pragma once

#include "core/pipeline/Pipeline.h"

#include <array>
#include <memory>
#include <mutex>

namespace pt2e::ui {

using AnnotatedPtr = std::shared_ptr<const AnnotatedStage>;

/// Remembers the last answers: a snapshot comes often, its settings change seldom. Any thread.
class BothQuantizers
{
public:
    /// torchao's and ExecuTorch's; the one the recipe has with the recipe's edits, as the snapshot has it. Null where
    /// the real quantizer raises, both before anything is annotated.
    std::array<AnnotatedPtr, 2> of(const Snapshot& snapshot, const JobContext& context);

    static constexpr std::array kFlavors{QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch};

private:
    struct Answer
    {
        ModelPtr model;
        QuantizerSettings settings;
        std::vector<RecipeRule> rules;
        AnnotatedPtr stage;
    };
    AnnotatedPtr other(const Snapshot& snapshot, std::size_t index, const JobContext& context);

    std::mutex m_mutex;
    std::array<Answer, 2> m_answers;
};

} // namespace pt2e::ui

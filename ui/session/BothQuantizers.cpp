#include "ui/session/BothQuantizers.h"

namespace pt2e::ui {

std::array<AnnotatedPtr, 2> BothQuantizers::of(const Snapshot& snapshot, const JobContext& context)
{
    std::array<AnnotatedPtr, 2> stages;
    if (!snapshot.annotated)
        return stages;
    const std::lock_guard lock(m_mutex);
    for (std::size_t i = 0; i < kFlavors.size(); ++i) {
        const bool isOwn = kFlavors[i] == snapshot.recipe.quantizer.flavor;
        stages[i] = isOwn ? snapshot.annotated : other(snapshot, i, context);
    }
    return stages;
}

AnnotatedPtr BothQuantizers::other(const Snapshot& snapshot, std::size_t index,
                                   const JobContext& context)
{
    const Recipe recipe = withQuantizer(snapshot.recipe, kFlavors[index]);
    Answer& answer = m_answers[index];
    if (answer.model == snapshot.model && answer.settings == recipe.quantizer
        && answer.rules == recipe.rules)
        return answer.stage;
    auto stage = annotateStage(*snapshot.model, recipe, context);
    if (!stage && stage.error().code == ErrorCode::Cancelled)
        return nullptr;
    answer = {snapshot.model, recipe.quantizer, recipe.rules, stage ? *stage : nullptr};
    return answer.stage;
}

} // namespace pt2e::ui

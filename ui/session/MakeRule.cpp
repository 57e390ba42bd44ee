#include "ui/session/MakeRule.h"

#include "core/pipeline/RuleWriter.h"
#include "core/view/Correspondence.h"

namespace pt2e::ui {

std::optional<Recipe> recipeWithRule(const Session& session, StageKind stage,
                                     const std::vector<NodeId>& nodes)
{
    const SnapshotPtr& snapshot = session.fullSnapshot();
    if (!snapshot || !snapshot->annotated || session.recipe().edits.empty())
        return std::nullopt;
    const std::vector<NodeId> annotated =
        stage == StageKind::Annotated
            ? nodes
            : counterparts(*session.entered(), stage, nodes, StageKind::Annotated);
    return withRuleOfEdits(*snapshot->annotated, session.recipe(), annotated);
}

bool makeRule(Session& session, StageKind stage, const std::vector<NodeId>& nodes)
{
    const auto recipe = recipeWithRule(session, stage, nodes);
    if (!recipe)
        return false;
    session.changeRecipe(*recipe, Session::tr("Make a rule for %1")
                                      .arg(QString::fromStdString(recipe->rules.back().match.op)));
    return true;
}

} // namespace pt2e::ui

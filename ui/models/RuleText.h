// Rules of a recipe, and what a hardware profile does not allow, in words.
#pragma once

#include "core/pipeline/HardwareProfile.h"

#include <QString>

namespace pt2e::ui {

/// "first of aten.conv* in backbone", "every operator".
QString matchText(const NodeMatch& match);
/// "int8 −128…127 · affine", "shares with the first input", "as it is"; points are those of a rule.
QString placeText(const EditSpec& spec);
/// "every aten.conv2d.default → input 1: int8 −128…127 · symmetric; output: none (float32)".
QString ruleText(const RecipeRule& rule);
/// "first input", "input 4": `index` counts from 0.
QString inputTitle(std::size_t index);

QString constraintTitle(Constraint constraint);
/// "Integers throughout: …".
QString profileText(const HardwareProfile& profile);

} // namespace pt2e::ui

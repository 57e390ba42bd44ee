// Specs as JSON, the same in stage dumps and recipes (there, points are names).
#pragma once

#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/Recipe.h"
#include "core/quant/Spec.h"

#include <functional>
#include <string>

namespace pt2e::json {

/// A spec of an annotation, or null; `name` writes a point.
std::string spec(const Spec& spec, const std::function<std::string(const Point&)>& name);
/// {"kind": "default"} for Default.
std::string editSpec(const EditSpec& spec);
Result<EditSpec> readEditSpec(const Place& place);

/// "product_of_scales"
std::string_view deriveRuleName(DeriveRule rule);

} // namespace pt2e::json

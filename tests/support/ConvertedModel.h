// A model from its name to the converted stage, on random data.
#pragma once

#include "core/pipeline/Pipeline.h"

#include <string>

namespace pt2e::test {

/// Null where it cannot be opened. What the recipe says of the source of calibration's data is not looked at.
inline SnapshotPtr convertedModel(const std::string& name, Recipe recipe = {})
{
    ModelRequest request;
    request.what = name;
    const auto model = openModel(request, {});
    if (!model)
        return nullptr;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    return Pipeline(*model).run(recipe, StageKind::Converted, {});
}

} // namespace pt2e::test

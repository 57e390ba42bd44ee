// Hardware profiles for `pt2e recipe`.
#pragma once

#include "app/cli/Options.h"
#include "core/base/Result.h"

#include <string>

namespace pt2e::cli {

/// The profiles that there are.
Result<int> listProfiles(const TableOptions& format);

struct ProfileCheck
{
    std::string recipe; ///< file
    ModelOptions model;
    std::string profile;
    std::string
        mended; ///< where to write the recipe with what mends the violations; empty: nowhere
    TableOptions format;
};
/// What the recipe's stages of the model have that the profile does not allow; kNo if there is anything. The model is
/// calibrated for it. With `mended` the recipe is mended until nothing is left, and it is told what was.
Result<int> checkProfile(Cli& cli, const ProfileCheck& options);

} // namespace pt2e::cli

// What a project says of the panes, as JSON.
#pragma once

#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/Project.h"

#include <string>

namespace pt2e::json {

/// An object of a line per key, to stand at depth 1.
std::string projectView(const ProjectView& view);
/// Unknown keys and words are errors with their place, but for overlays, which others may know.
Result<void> readProjectView(const Place& place, ProjectView& view);

} // namespace pt2e::json

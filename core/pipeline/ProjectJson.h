// A project as JSON, alone or as a part of a journal's record.
#pragma once

#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/Project.h"

#include <string>

namespace pt2e::json {

/// As writeProject(), without the line end.
std::string project(const Project& project, const std::string& folder);
/// As readProject().
Result<Project> readProject(const Place& place, const std::string& folder);

} // namespace pt2e::json

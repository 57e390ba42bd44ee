// A project with everything in it.
#pragma once

#include "core/pipeline/Project.h"
#include "tests/support/FullRecipe.h"

namespace pt2e::test {

/// Its files are not there, all in the folder or above it.
inline Project fullProject(const std::string& folder)
{
    Project project;
    project.model.what = folder + "/models/net \"1\".pt2";
    project.model.programName = "main";
    project.model.seed = 7;
    project.recipe = fullRecipe();
    project.recipe.calibration.path = folder + "/calib.npz";
    project.evaluation.path = folder + "/eval";
    project.evaluation.labels = folder + "/../labels.csv";
    project.evaluation.format.mean = {0.5};
    project.marks.bookmarks = {"conv2d", "body/relu"};
    project.marks.notes = {{"conv2d", "first line\nsecond \"line\" \xE4\xB8\xAD"}, {"add", "?"}};
    project.view.panes = {"exported", "converted"};
    project.view.body = "body";
    project.view.focus = {"conv2d", "add"};
    project.view.hops = 0;
    project.view.direction = "up";
    project.view.weights = false;
    project.view.qdqOnEdges = true;
    project.view.modules = {2, {"a.b"}, {"c", "d"}, false};
    project.view.inStep = false;
    project.view.overlay = "error";
    project.hashes = {std::string(64, 'a'), std::string(64, 'b'), std::string(64, 'c'),
                      std::string(64, '0')};
    return project;
}

} // namespace pt2e::test

#include "app/cli/RecipeProfiles.h"

#include "app/cli/Cli.h"
#include "core/pipeline/HardwareMend.h"
#include "core/pipeline/Pipeline.h"

namespace pt2e::cli {

namespace {

Table violationTable(const std::vector<Violation>& violations, const HardwareProfile& profile)
{
    Table table{"violations",
                "What " + std::string(profile.name) + " does not allow",
                {"constraint", "op", "point", "why"},
                {},
                {StageKind::Annotated}};
    for (const Violation& violation : violations) {
        table.rows.push_back({{{std::string(constraintName(violation.constraint)), {}},
                               {violation.op, {}},
                               {violation.point, {}},
                               {violation.message(), {}}},
                              {violation.node}});
    }
    return table;
}

Result<SnapshotPtr> calibrated(Pipeline& pipeline, const Recipe& recipe, Cli& cli)
{
    SnapshotPtr snapshot = pipeline.run(recipe, StageKind::Calibrated, cli.job());
    if (snapshot->error)
        return tl::unexpected<Error>(*snapshot->error);
    return snapshot;
}

} // namespace

Result<int> listProfiles(const TableOptions& format)
{
    Table table{"profiles", "Hardware profiles", {"profile", "what", "constraints"}, {}, {}};
    for (const HardwareProfile& profile : hardwareProfiles()) {
        std::string constraints;
        for (const Constraint constraint : profile.constraints)
            constraints +=
                (constraints.empty() ? "" : ", ") + std::string(constraintName(constraint));
        table.rows.push_back({{{std::string(profile.name), {}},
                               {std::string(profile.text), {}},
                               {std::move(constraints), {}}},
                              {}});
    }
    PT2E_TRY(writeResult("", formatTables({table}, format)));
    return kDone;
}

Result<int> checkProfile(Cli& cli, const ProfileCheck& options)
{
    const HardwareProfile* profile = profileNamed(options.profile);
    if (!profile)
        return badInput("--profile", "there is no profile '" + options.profile
                                         + "'; `pt2e recipe profiles` lists them");
    PT2E_ASSIGN(const ModelPtr model, openModel(options.model.request, cli.job()));
    PT2E_TRY(cli.loadKernels());
    QuantizingOptions quantizing;
    quantizing.recipe = options.recipe;
    PT2E_ASSIGN(const Recipe recipe, recipeOf(quantizing, options.model, *model));
    Pipeline pipeline(model);
    PT2E_ASSIGN(const SnapshotPtr snapshot, calibrated(pipeline, recipe, cli));
    sayDiagnostics(snapshot->diagnostics);
    const std::vector<Violation> found = violationsOf(*snapshot, *profile);
    if (!options.mended.empty()) {
        PT2E_ASSIGN(const Recipe mended, mendedRecipe(pipeline, recipe, *profile, cli.job()));
        PT2E_TRY(writeResult(options.mended, writeRecipe(mended)));
    }
    PT2E_TRY(writeResult("", formatTables({violationTable(found, *profile)}, options.format)));
    return found.empty() ? kDone : kNo;
}

} // namespace pt2e::cli

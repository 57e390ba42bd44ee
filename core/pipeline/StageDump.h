// The stage dump: format "pt2e.stages", version 1, as design documents and Python's golden files have it.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <string>

namespace pt2e {

struct DumpOptions
{
    std::optional<StageKind> onlyStage; ///< --stage
    bool tensorHashes = true;
};
Result<std::string> dumpStages(const Snapshot& snapshot, const DumpOptions& options = {});

} // namespace pt2e

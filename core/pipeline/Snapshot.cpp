#include "core/pipeline/Snapshot.h"

namespace pt2e {

std::string_view stageName(StageKind stage)
{
    switch (stage) {
    case StageKind::Exported: return "exported";
    case StageKind::Annotated: return "annotated";
    case StageKind::Prepared: return "prepared";
    case StageKind::Calibrated: return "calibrated";
    case StageKind::Converted: return "converted";
    }
    return "";
}

GraphPtr Snapshot::graph(StageKind stage) const
{
    switch (stage) {
    case StageKind::Exported: return model ? model->exported : nullptr;
    case StageKind::Annotated: return annotated ? annotated->folded.graph : nullptr;
    case StageKind::Prepared:
    case StageKind::Calibrated: return prepared ? prepared->graph : nullptr;
    case StageKind::Converted: return converted ? converted->graph : nullptr;
    }
    return nullptr;
}

} // namespace pt2e

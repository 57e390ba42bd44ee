// What the inspector says while no node is selected: the program, what became int8, and its ops. No widgets.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <QString>

#include <vector>

namespace pt2e::ui {

/// One op of the annotated graph (before it: of the exported one), most frequent first.
struct OpFact
{
    QString name; ///< "conv2d"
    int count = 0;
    int quantized = 0; ///< with a valid annotation; 0 before the model is annotated
    StageKind stage = StageKind::Exported; ///< of `nodes`
    std::vector<NodeId> nodes;
};

struct ModelFacts
{
    QString name;
    QString origin; ///< the file's path, or empty for a built-in model
    std::vector<std::pair<QString, QString>> inputs; ///< name, "4×8×16×16 float32"
    std::vector<std::pair<QString, QString>> outputs;
    std::int64_t parameters =
        0; ///< elements of the tensors that the exported graph reads, each storage once
    std::int64_t parameterBytes = 0;
    std::vector<std::pair<QString, int>> observers; ///< class, instances; empty before prepare
    bool isAnnotated = false;
    std::vector<OpFact> ops;
};

ModelFacts gatherModelFacts(const Snapshot& snapshot);

} // namespace pt2e::ui

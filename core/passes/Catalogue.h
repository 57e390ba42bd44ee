// Every pass there is, in the order they run.
#pragma once

#include "core/passes/Convert.h"
#include "core/passes/PassRun.h"
#include "core/passes/Prepare.h"

namespace pt2e {

/// What the passes before annotation work with.
struct FoldState
{
    const QuantizerSettings& settings;
    Diagnostics diagnostics;
    Successors successors;
};

struct PrepareState
{
    const AnnotationTable& annotations;
    SharingGroups sharing;
    std::vector<ObserverInstance> instances;
    std::unordered_map<Point, ObserverId> instanceOf; ///< at each point that is observed
    Diagnostics diagnostics;
    Successors successors;
};

struct ConvertState
{
    const PreparedGraph& prepared;
    const AnnotationTable& annotations;
    const std::unordered_map<std::string, std::string>& scopeOf;
    std::string around; ///< "", or "body/" in a body: how the names in scopeOf begin
    const std::function<Result<QParamsResult>(ObserverId)>& qparamsOf;
    const ConvertOptions& options;
    Diagnostics diagnostics;
    Successors successors;
};

extern const std::span<const Pass<FoldState>> kFoldPasses;
extern const std::span<const Pass<PrepareState>> kPreparePasses;
extern const std::span<const Pass<ConvertState>> kConvertPasses;

// ---- the passes, one file each

/// Conv + batch norm, numbers of torch.nn.utils.fusion.fuse_conv_bn_weights (BatchNormFold.cpp).
Result<void> foldConvBatchNorm(GraphEditor& editor, FoldState& state);
/// Linear + batch norm, fuse_linear_bn_weights (BatchNormFold.cpp).
Result<void> foldLinearBatchNorm(GraphEditor& editor, FoldState& state);
/// quantizer.transform_for_annotation (FoldForAnnotation.cpp).
Result<void> transformPass(GraphEditor& editor, FoldState& state);

/// torchao's prepare(): groups, instances, observer nodes (InsertObservers.cpp).
Result<void> insertObserverNodes(GraphEditor& editor, PrepareState& state);

/// _convert_to_reference_decomposed_fx: observers to q/dq (ObserversToQdq.cpp).
Result<void> replaceObservers(GraphEditor& editor, ConvertState& state);
/// DuplicateDQPass: one dq per annotated user (DuplicateDq.cpp).
Result<void> duplicateDq(GraphEditor& editor, ConvertState& state);
/// PortNodeMetaForQDQ: stack traces for q and dq (PortMetadata.cpp).
Result<void> portMetadata(GraphEditor& editor, ConvertState& state);
/// constant_fold of quantize ops on constants (ConstantFold.cpp).
Result<void> foldQuantize(GraphEditor& editor, ConvertState& state);

} // namespace pt2e

#include "core/passes/Catalogue.h"

namespace pt2e {

namespace {

constexpr Pass<FoldState> kFold[] = {
    {"conv_bn_fold", foldConvBatchNorm},
    {"linear_bn_fold", foldLinearBatchNorm},
    {"transform_for_annotation", transformPass},
};

constexpr Pass<PrepareState> kPrepare[] = {
    {"insert_observers", insertObserverNodes},
};

constexpr Pass<ConvertState> kConvert[] = {
    {"observers_to_qdq", replaceObservers},
    {"duplicate_dq", duplicateDq},
    {"port_metadata", portMetadata},
    {"constant_fold", foldQuantize},
};

} // namespace

constinit const std::span<const Pass<FoldState>> kFoldPasses = kFold;
constinit const std::span<const Pass<PrepareState>> kPreparePasses = kPrepare;
constinit const std::span<const Pass<ConvertState>> kConvertPasses = kConvert;

} // namespace pt2e

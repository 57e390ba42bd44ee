// convert_pt2e: observers to q/dq, duplicate-dq, constant folding (pt2e-semantics 5).
#pragma once

#include "core/passes/Prepare.h"

namespace pt2e {

struct ConvertOptions
{
    bool foldQuantize = true;
    bool duplicateDq = true;
    friend bool operator==(const ConvertOptions&, const ConvertOptions&) = default;
};

struct ConvertedGraph
{
    GraphPtr graph;
    PassRecords passes;
    Diagnostics diagnostics;
};

/// qparamsOf gives the qparams of each instance (calculateQParams).
Result<ConvertedGraph> convert(const PreparedGraph& prepared, const AnnotationTable& annotations,
                               const std::unordered_map<std::string, std::string>& scopeOf,
                               const std::function<Result<QParamsResult>(ObserverId)>& qparamsOf,
                               const ConvertOptions& options, const JobContext& context);

} // namespace pt2e

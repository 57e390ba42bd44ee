// What the tests have in common that are lists of failures met elsewhere, one named check each.
#pragma once

#include "tests/engine/xnnpack/OpChecks.h"

#include <span>

namespace pt2e::test {

struct NamedCheck
{
    const char* name;
    void (*check)();
};

/// A data row for each; its column is the number in the list.
inline void addRows(std::span<const NamedCheck> checks)
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < checks.size(); ++i)
        QTest::newRow(checks[i].name) << static_cast<int>(i);
}

/// A convolution by the weight's rank, per channel, with a bias; more: stride, padding, dilation, groups.
inline NodeId conv(ConvertedGraph& g, NodeId x, Ints weight, Ints shape, Arguments more = {})
{
    Arguments args{x, g.weightPerChannel(weight, spreadScales(weight[0])), g.bias(weight[0], 0.3)};
    args.insert(args.end(), more.begin(), more.end());
    return g.op(weight.size() == 4 ? "aten.conv2d.default" : "aten.conv1d.default", args, shape);
}

} // namespace pt2e::test

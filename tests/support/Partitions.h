// What ExecuTorch's XNNPACK partitioner makes of the reference cases and the built-in models, recorded by
// tests/parity/record_partitions.py.
#pragma once

#include <map>
#include <string>

namespace pt2e::test {

/// "int8", "dynamic", "float", "outside", or several with ", " between them, by the name of each ATen
/// node of the converted graph.
using OpKinds = std::map<std::string, std::string>;

/// By flavour ("torchao-pt") of one case ("residual", "zoo/resnet18"); flavours that ExecuTorch cannot
/// lower are left out. Empty where nothing is recorded.
const std::map<std::string, OpKinds>& recordedPartitions(const std::string& caseName);

} // namespace pt2e::test

// The product's own comparison of stage dumps, for tests.
#pragma once

#include "core/pipeline/DumpCompare.h"

namespace pt2e::test {

using pt2e::compareDumps;
using pt2e::DumpDifference;
using pt2e::DumpTolerance;
using pt2e::parseDump;

} // namespace pt2e::test

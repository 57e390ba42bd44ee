// Example inputs as torch.save would write them: a protocol-2 pickle without memo, and raw storages.
#pragma once

#include "core/base/Result.h"
#include "core/kernels/Value.h"

#include <string>

namespace pt2e::pt2 {

/// The bytes of a torch.save file with (args, kwargs): the flat values arranged by inSpec (the tree spec's
/// JSON text); empty inSpec: all are positional. Unsupported for values or structures it has no form for.
Result<std::string> writeExamples(const Values& values, const std::string& inSpec);

} // namespace pt2e::pt2

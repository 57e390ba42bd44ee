// Example inputs: the (args, kwargs) that torch.export.save stored, flattened to one value per input.
#pragma once

#include "core/pt2/TorchSave.h"

#include <string>

namespace pt2e::pt2 {

/// inSpec is the program's tree spec (JSON text) or empty; with it keyword arguments come in the order of
/// the program's inputs, whatever order they were pickled in. An empty result: the file holds none.
Result<Values> readExamples(TorchSave& file, const std::string& inSpec);

} // namespace pt2e::pt2

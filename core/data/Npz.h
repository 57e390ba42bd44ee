// NumPy's .npz: a zip file of .npy arrays.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <string>
#include <utility>
#include <vector>

namespace pt2e {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// The arrays of a .npz, or the one of a .npy (with an empty name), in file order. Errors name file and array.
/// A damaged, hostile or foreign file is an error; nothing in it is evaluated.
Result<NamedTensors> readArrays(const std::string& path);

/// Writes a .npz that NumPy reads: stored, the same bytes for the same arrays, atomically. Names without ".npy".
Result<void> writeNpz(const std::string& path, const NamedTensors& arrays);

} // namespace pt2e

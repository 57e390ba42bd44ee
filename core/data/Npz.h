// NumPy's .npz: a zip file of .npy arrays.
#pragma once

#include "core/base/Result.h"
#include "core/pt2/Zip.h"
#include "core/tensor/Tensor.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pt2e {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// A .npz or .npy file, read array by array: one that is damaged leaves the others readable.
class ArrayReader
{
public:
    /// A damaged, hostile or foreign file is an error; nothing in it is evaluated.
    static Result<ArrayReader> open(const std::string& path);
    bool isNpy() const { return !m_zip; }
    /// Of the arrays, in file order; one empty name for a .npy.
    const std::vector<std::string>& names() const { return m_names; }
    /// The error names file and array.
    Result<Tensor> read(std::size_t i) const;

private:
    std::string m_path;
    std::vector<std::string> m_names;
    std::shared_ptr<const pt2::ZipReader> m_zip; ///< null for a .npy
    Storage::Bytes m_npy;
};

/// The arrays of a .npz, or the one of a .npy (with an empty name), in file order. Errors name file and array.
/// A damaged, hostile or foreign file is an error; nothing in it is evaluated.
Result<NamedTensors> readArrays(const std::string& path);

/// Writes a .npz that NumPy reads: stored, the same bytes for the same arrays, atomically. Names without ".npy".
Result<void> writeNpz(const std::string& path, const NamedTensors& arrays);

} // namespace pt2e

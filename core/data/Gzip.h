// Files that may be compressed with gzip, as the MNIST family comes.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <string>

namespace pt2e {

/// Most that a compressed file may hold.
inline constexpr std::uint64_t kMaxInflated = 8ull << 30;

/// The bytes of a file; of what it holds where it is a gzip file, told by its first two bytes. All checksums are
/// verified. Errors name the path: not a file, damaged, cut off, larger than `limit` when unpacked.
Result<Storage::Bytes> readPlainFile(const std::string& path, std::uint64_t limit = kMaxInflated);

} // namespace pt2e

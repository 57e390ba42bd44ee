// The free-form metadata of a node: strings with little grammars of their own.
#pragma once

#include "core/ir/Node.h"
#include "core/pt2/Json.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e::pt2 {

/// From a node's "metadata" object. Values that are no strings are skipped; what a known key holds in an
/// unknown form stays in `raw` only. Never fails.
std::shared_ptr<const FileMeta> readNodeMetadata(const Json& metadata);

/// Back to keys and values, those of `raw` first, in their order.
std::vector<std::pair<std::string, std::string>> writeNodeMetadata(const FileMeta& meta);

/// "L['self'].layers" and "getattr(L['self'].b, '0')" → "layers", "b.0" (strict mode of torch ≤ 2.6).
std::string normalizedModulePath(std::string_view path);

} // namespace pt2e::pt2

// A comparison as one HTML file that needs nothing else: tables, and charts as inline SVG; light and dark as the browser
// prefers.
#pragma once

#include "core/analysis/Compare.h"

#include <string>

namespace pt2e {

std::string compareHtml(const Snapshot& snapshot, const CompareReport& report);

} // namespace pt2e

// Reasons of core as sentences in the window's language.
#pragma once

#include "core/quant/Reason.h"

#include <QString>

namespace pt2e::ui {

/// The reason's sentence; in English exactly core's own.
QString reasonText(const Reason& reason);

} // namespace pt2e::ui

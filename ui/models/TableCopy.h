// Tables as what one pastes elsewhere.
#pragma once

#include "core/view/Tables.h"

#include <QString>

#include <vector>

namespace pt2e::ui {

enum class CopyFormat : std::uint8_t { Text, Csv, Json };

/// One table as it is; several one below the other, as text with their titles, as JSON in a list.
QString tablesAs(const std::vector<Table>& tables, CopyFormat format);

} // namespace pt2e::ui

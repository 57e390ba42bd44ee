// Words that core hands over in English and that people read: stage names, table titles, columns, captions.
// Core knows no Qt; the words stand in CoreText.cpp once more, for the translators.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <QString>

#include <string>

namespace pt2e::ui {

/// The translation of one of core's words; the text itself if there is none (op names, class names).
QString coreText(const std::string& text);
/// "converted program (int8, 5 q / 6 dq)".
QString formText(const ProgramForm& form);
/// "Exported", "Annotated", "Prepared", "Calibrated", "Converted".
QString stageTitle(StageKind stage);
/// The share in whole percent, rounded; 0 of nothing.
int percent(std::int64_t part, std::int64_t whole);
/// Thousands in groups: "65 536" with narrow spaces that do not break.
QString groupedNumber(std::int64_t number);

} // namespace pt2e::ui

// Core's sentences in the window's language: diagnostics, conflicts, errors, descriptions of data.
//
// Core writes them in English, with names and numbers in them, and passes them through errors and files as text. Here each
// is known by its pattern ("%1 would share with itself, by way of %2"): what stands for %1 … is taken out of the text and
// put into the translated pattern. A test holds the patterns against core's sources.
#pragma once

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace pt2e::ui {

/// The sentence in the window's language; as it is where no pattern fits. Of "where: what" the second part is
/// translated, and so are sentences inside sentences.
QString sentenceText(const QString& english);
QString sentenceText(const std::string& english);

/// All patterns that are known, for tests.
const std::vector<std::string_view>& sentencePatterns();

} // namespace pt2e::ui

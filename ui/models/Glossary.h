// What the window's words mean, once: for tool tips of table columns and fields, and for the help of panels (Shift+F1).
#pragma once

#include <QString>
#include <QStringList>

#include <string>

namespace pt2e::ui {

/// What a term or a table's column means, in the window's language; empty where there is no entry. `word` is core's
/// English one: "SQNR dB", "zero point", "observer".
QString meaningOf(const std::string& word);
/// Of a column of core's table with that id: words of one table come before those of all.
QString meaningOfColumn(const std::string& table, const std::string& column);
/// All words that have an entry, as they stand in the source.
QStringList glossaryWords();

} // namespace pt2e::ui

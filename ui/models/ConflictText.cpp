#include "ui/models/ConflictText.h"

#include "ui/models/SentenceText.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace pt2e::ui {

QString conflictText(const std::vector<EditConflict>& conflicts)
{
    const auto words = [](const char* text) {
        return QCoreApplication::translate("Conflict", text);
    };
    QStringList lines;
    for (const EditConflict& conflict : conflicts) {
        const QString text = sentenceText(conflict.message);
        if (conflict.severity == Severity::Error)
            lines << words(QT_TRANSLATE_NOOP("Conflict", "Not possible: %1")).arg(text);
        else if (conflict.severity == Severity::Warning)
            lines << words(QT_TRANSLATE_NOOP("Conflict", "Note: %1")).arg(text);
        else
            lines << text;
    }
    return lines.isEmpty() ? words(QT_TRANSLATE_NOOP("Conflict", "Nothing speaks against it."))
                           : lines.join(QLatin1Char('\n'));
}

bool isApplicable(const std::vector<EditConflict>& conflicts)
{
    return std::none_of(conflicts.begin(), conflicts.end(), [](const EditConflict& conflict) {
        return conflict.severity == Severity::Error;
    });
}

} // namespace pt2e::ui

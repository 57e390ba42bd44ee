#include "ui/models/CoreText.h"

#include <QCoreApplication>

namespace pt2e::ui {

namespace {
/// Found by lupdate; looked up by coreText().
[[maybe_unused]] constexpr const char* kCoreWords[] = {
    QT_TRANSLATE_NOOP("Core", "Exported"),          QT_TRANSLATE_NOOP("Core", "Annotated"),
    QT_TRANSLATE_NOOP("Core", "Prepared"),          QT_TRANSLATE_NOOP("Core", "Calibrated"),
    QT_TRANSLATE_NOOP("Core", "Converted"),         QT_TRANSLATE_NOOP("Core", "float"),
    QT_TRANSLATE_NOOP("Core", "float + observers"), QT_TRANSLATE_NOOP("Core", "int8 edges thick"),
};
} // namespace

QString coreText(const std::string& text)
{
    return QCoreApplication::translate("Core", text.c_str());
}

QString stageTitle(StageKind stage)
{
    switch (stage) {
    case StageKind::Exported: return coreText("Exported");
    case StageKind::Annotated: return coreText("Annotated");
    case StageKind::Prepared: return coreText("Prepared");
    case StageKind::Calibrated: return coreText("Calibrated");
    case StageKind::Converted: return coreText("Converted");
    }
    return {};
}

QString groupedNumber(std::int64_t number)
{
    QString digits = QString::number(number);
    for (qsizetype at = digits.size() - 3; at > (number < 0 ? 1 : 0); at -= 3)
        digits.insert(at, QChar(0x2009)); // thin space
    return digits;
}

} // namespace pt2e::ui

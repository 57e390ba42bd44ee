// What to say about a file that is not a .pt2: what it is, and how to make one that can be opened.
#pragma once

#include <QDialog>

namespace pt2e::ui {

/// One sentence about a file that this program does not open, by its name and first bytes.
QString describeFile(const QString& path);
/// True for names that are opened without asking.
bool looksLikePt2(const QString& path);

class FileHelp : public QDialog
{
    Q_OBJECT
public:
    FileHelp(const QString& path, QWidget* parent);

Q_SIGNALS:
    void openAnyway(const QString& path);
};

} // namespace pt2e::ui

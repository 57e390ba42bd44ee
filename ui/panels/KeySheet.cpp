#include "ui/panels/KeySheet.h"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QVBoxLayout>

#include <utility>

namespace pt2e::ui {

namespace {

void addColumn(QHBoxLayout* columns, const QString& title,
               const QList<std::pair<QString, QString>>& rows)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(6);
    auto* heading = new QLabel(title);
    heading->setProperty("big", true);
    grid->addWidget(heading, 0, 0, 1, 2);
    int row = 1;
    for (const auto& [keys, what] : rows) {
        auto* key = new QLabel(keys);
        key->setProperty("muted", true);
        grid->addWidget(key, row, 0);
        grid->addWidget(new QLabel(what), row++, 1);
    }
    grid->setRowStretch(row, 1);
    columns->addLayout(grid);
}

} // namespace

KeySheet::KeySheet(const QList<QAction*>& actions, QWidget* parent) : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("keySheet"));
    setWindowTitle(tr("Keys"));
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(24, 20, 24, 20);
    columns->setSpacing(40);
    QList<std::pair<QString, QString>> rows;
    for (const QAction* action : actions) {
        if (!action->shortcut().isEmpty())
            rows.emplace_back(
                action->shortcut().toString(QKeySequence::NativeText),
                QString(action->text()).remove(QLatin1Char('&')).remove(QChar(0x2026)));
    }
    const qsizetype half = (rows.size() + 1) / 2;
    addColumn(columns, tr("Everywhere"), rows.mid(0, half));
    addColumn(columns, QString(), rows.mid(half));
    addColumn(columns, tr("In a graph"),
              {{tr("Up, Down"), tr("walk along an edge")},
               {tr("Left, Right"), tr("go to what stands beside")},
               {tr("Home"), tr("first node")},
               {tr("Enter"), tr("focus on the node")},
               {tr("+, \u2212, wheel"), tr("zoom")},
               {tr("Space or 0"), tr("fit all")},
               {tr("1"), tr("actual size")},
               {tr("Shift+arrows"), tr("pan")},
               {tr("Page Up, Page Down"), tr("pan by a page")},
               {tr("Menu"), tr("what can be done with the node")},
               {tr("Esc"), tr("select nothing")}});
}

} // namespace pt2e::ui

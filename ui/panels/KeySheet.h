// F1: all keys on one sheet.
#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace pt2e::ui {

class KeySheet : public QDialog
{
    Q_OBJECT
public:
    /// The window's actions with a shortcut, then the keys of a graph pane.
    KeySheet(const QList<QAction*>& actions, QWidget* parent);
};

} // namespace pt2e::ui

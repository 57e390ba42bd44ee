// Shift+F1: what the panel with the keyboard is for, the keys in it, and what its words mean.
#pragma once

#include <QDialog>

#include <utility>
#include <vector>

class QVBoxLayout;

namespace pt2e::ui {

struct PanelHelp
{
    const char* id; ///< "graph", "inspector", the table's "observers" …
    const char* title; ///< untranslated, as are the others
    const char* text;
    std::vector<std::pair<const char*, const char*>> keys;
};

/// Of all panels and all tabs of the tables.
const std::vector<PanelHelp>& panelHelps();

class ContextHelp : public QDialog
{
    Q_OBJECT
public:
    /// Of the panel that `at` is in; of the window as a whole where it is in none.
    ContextHelp(const QWidget* at, QWidget* parent);

    QString shownId() const { return m_id; }
    /// The panel that a widget belongs to.
    static QString panelOf(const QWidget* widget);

private:
    void addTerms(const QWidget* at, QVBoxLayout* layout);

    QString m_id;
};

} // namespace pt2e::ui

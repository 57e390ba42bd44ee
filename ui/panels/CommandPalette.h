// Ctrl+K: one line to find nodes, ops, tables and commands.
#pragma once

#include "ui/models/SearchModel.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace pt2e::ui {

class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);

    /// Opens over the parent, with these things to find.
    void open(std::vector<SearchEntry> entries);
    /// More of them, while it is open.
    void add(const std::vector<SearchEntry>& entries);
    QLineEdit* entry() const { return m_entry; }
    const SearchModel& model() const { return *m_model; }

Q_SIGNALS:
    void chosen(const pt2e::ui::SearchEntry& entry);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void place();
    void choose(const QModelIndex& index);
    void move(int rows);
    void retranslate();

    QLineEdit* m_entry;
    QListView* m_list;
    QLabel* m_hint;
    SearchModel* m_model;
    QPointer<QWidget> m_focusBefore;
};

} // namespace pt2e::ui

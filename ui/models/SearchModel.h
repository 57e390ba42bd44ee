// What Ctrl+K finds: nodes, ops, tables and commands, best match first.
#pragma once

#include "core/ir/Graph.h"
#include "core/pipeline/Snapshot.h"

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace pt2e::ui {

struct SearchEntry
{
    enum class Kind : std::uint8_t { Command, Table, Op, Node } kind = Kind::Command;
    QString text; ///< what is matched first
    QString detail; ///< shown beside it, matched too
    QString shortcut;
    int command = -1; ///< Command and Table: the caller's number
    StageKind stage = StageKind::Exported; ///< Node and Op
    std::vector<NodeId> nodes;
};

class SearchModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { KindRole = Qt::UserRole + 1, DetailRole, ShortcutRole };

    explicit SearchModel(QObject* parent = nullptr);

    void setEntries(std::vector<SearchEntry> entries);
    void addEntries(const std::vector<SearchEntry>& entries);
    /// Words separated by spaces must all match; prefixes @ : # > restrict to nodes, ops, tables, commands.
    void setQuery(const QString& query);
    const SearchEntry& entryAt(int row) const;
    static QString kindTitle(SearchEntry::Kind kind);
    /// Entries of a snapshot's graphs: each node once, in the latest stage that has it, and each op.
    static std::vector<SearchEntry> entriesOf(const Snapshot& snapshot);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    static constexpr int kMaxShown = 200;

private:
    static QString folded(const SearchEntry& entry);

    std::vector<SearchEntry> m_entries;
    std::vector<QString> m_folded; ///< text and detail in lower case
    std::vector<int> m_shown;
    QString m_query;
};

} // namespace pt2e::ui

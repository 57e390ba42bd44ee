#include "ui/models/SearchModel.h"

#include "core/tensor/TensorMeta.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace pt2e::ui {

namespace {

/// How well an entry matches the words, or nothing if one is missing. Higher is better.
std::optional<int> score(const QString& folded, qsizetype textLength, const QStringList& words)
{
    int total = 0;
    for (const QString& word : words) {
        const qsizetype at = folded.indexOf(word);
        if (at < 0)
            return std::nullopt;
        if (at == 0)
            total += word.size() == textLength ? 100 : 60;
        else if (at < textLength)
            total += folded[at - 1].isLetterOrNumber() ? 20 : 40;
        else
            total += 5;
    }
    return total;
}

std::optional<SearchEntry::Kind> kindOfPrefix(QChar prefix)
{
    switch (prefix.unicode()) {
    case '@': return SearchEntry::Kind::Node;
    case ':': return SearchEntry::Kind::Op;
    case '#': return SearchEntry::Kind::Table;
    case '>': return SearchEntry::Kind::Command;
    default: return std::nullopt;
    }
}

} // namespace

SearchModel::SearchModel(QObject* parent) : QAbstractListModel(parent) {}

void SearchModel::setEntries(std::vector<SearchEntry> entries)
{
    m_entries = std::move(entries);
    m_folded.clear();
    m_folded.reserve(m_entries.size());
    for (const SearchEntry& entry : m_entries)
        m_folded.push_back(folded(entry));
    setQuery(m_query);
}

void SearchModel::addEntries(const std::vector<SearchEntry>& entries)
{
    for (const SearchEntry& entry : entries) {
        m_entries.push_back(entry);
        m_folded.push_back(folded(entry));
    }
    setQuery(m_query);
}

QString SearchModel::folded(const SearchEntry& entry)
{
    return (entry.text + QLatin1Char('\n') + entry.detail).toLower();
}

void SearchModel::setQuery(const QString& query)
{
    beginResetModel();
    m_query = query;
    m_shown.clear();
    QString text = query.trimmed().toLower();
    const auto only = text.isEmpty() ? std::nullopt : kindOfPrefix(text.front());
    if (only)
        text.remove(0, 1);
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::pair<int, int>> found; // minus score, entry
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (only && m_entries[i].kind != *only)
            continue;
        if (const auto points = score(m_folded[i], m_entries[i].text.size(), words))
            found.emplace_back(-*points, static_cast<int>(i));
    }
    const auto shown = std::min<std::size_t>(found.size(), kMaxShown);
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown),
                      found.end());
    for (std::size_t i = 0; i < shown; ++i)
        m_shown.push_back(found[i].second);
    endResetModel();
}

const SearchEntry& SearchModel::entryAt(int row) const
{
    return m_entries[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(row)])];
}

QString SearchModel::kindTitle(SearchEntry::Kind kind)
{
    // The context is written out: lupdate of Qt 6.8 loses the namespace in this file.
    switch (kind) {
    case SearchEntry::Kind::Command:
        return QCoreApplication::translate("pt2e::ui::SearchModel", "command");
    case SearchEntry::Kind::Table:
        return QCoreApplication::translate("pt2e::ui::SearchModel", "table");
    case SearchEntry::Kind::Op: return QCoreApplication::translate("pt2e::ui::SearchModel", "op");
    case SearchEntry::Kind::Node:
        return QCoreApplication::translate("pt2e::ui::SearchModel", "node");
    }
    return {};
}

std::vector<SearchEntry> SearchModel::entriesOf(const Snapshot& snapshot)
{
    std::vector<SearchEntry> entries;
    std::map<std::string, std::pair<StageKind, std::vector<NodeId>>> ops;
    std::unordered_map<std::string, bool> seen;
    constexpr std::array kStages{StageKind::Exported, StageKind::Prepared, StageKind::Converted};
    for (const StageKind stage : kStages) {
        const GraphPtr graph = snapshot.graph(stage);
        if (!graph)
            continue;
        for (const Node& node : *graph) {
            if (!seen.emplace(node.name, true).second)
                continue;
            SearchEntry entry;
            entry.kind = SearchEntry::Kind::Node;
            entry.text = QString::fromStdString(node.name);
            entry.detail = QString::fromStdString(node.target);
            if (const TensorMeta* meta = node.val.tensor())
                entry.detail +=
                    QStringLiteral(" · ") + QString::fromStdString(shapeText(meta->shape))
                    + QLatin1Char(' ')
                    + QString::fromUtf8(dtypeName(meta->dtype).data(),
                                        static_cast<int>(dtypeName(meta->dtype).size()));
            if (node.fileMeta && !node.fileMeta->moduleStack.empty())
                entry.detail += QStringLiteral(" · ")
                                + QString::fromStdString(node.fileMeta->moduleStack.back().path);
            entry.stage = stage;
            entry.nodes = {node.id};
            entries.push_back(std::move(entry));
            if (node.is(OpKind::CallFunction)) {
                auto& op = ops.try_emplace(node.target, stage, std::vector<NodeId>{}).first->second;
                if (op.first == stage)
                    op.second.push_back(node.id);
            }
        }
    }
    for (auto& [target, where] : ops) {
        SearchEntry entry;
        entry.kind = SearchEntry::Kind::Op;
        entry.text = QString::fromStdString(target);
        entry.detail = QStringLiteral("× ") + QString::number(where.second.size());
        entry.stage = where.first;
        entry.nodes = std::move(where.second);
        entries.push_back(std::move(entry));
    }
    return entries;
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const SearchEntry& entry = entryAt(index.row());
    switch (role) {
    case Qt::DisplayRole: return entry.text;
    case DetailRole: return entry.detail;
    case ShortcutRole: return entry.shortcut;
    case KindRole: return kindTitle(entry.kind);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1 %2, %3").arg(kindTitle(entry.kind), entry.text, entry.detail);
    default: return {};
    }
}

} // namespace pt2e::ui

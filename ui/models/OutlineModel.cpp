#include "ui/models/OutlineModel.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace pt2e::ui {

OutlineModel::OutlineModel(QObject* parent)
    : QAbstractItemModel(parent),
      m_root(std::make_unique<Module>())
{}

OutlineModel::~OutlineModel() = default;

OutlineModel::Module* OutlineModel::enter(Module* parent, const ModuleFrame& frame)
{
    const QString path = QString::fromStdString(frame.path);
    for (const auto& child : parent->children) {
        if (child->path == path)
            return child.get();
    }
    auto module = std::make_unique<Module>();
    module->path = path;
    module->name =
        path.startsWith(parent->path + QLatin1Char('.')) ? path.mid(parent->path.size() + 1) : path;
    const QString className = QString::fromStdString(frame.className);
    module->className = className.section(QLatin1Char('.'), -1);
    module->parent = parent;
    module->row = static_cast<int>(parent->children.size());
    parent->children.push_back(std::move(module));
    return parent->children.back().get();
}

void OutlineModel::setGraph(const GraphPtr& graph)
{
    beginResetModel();
    m_root = std::make_unique<Module>();
    m_moduleOfNode.clear();
    if (graph) {
        std::vector<std::pair<std::string_view, Module*>> open; // around the node before
        for (const Node& node : *graph) {
            if (!node.fileMeta)
                continue;
            Module* module = m_root.get();
            std::size_t level = 0;
            for (const ModuleFrame& frame : node.fileMeta->moduleStack) {
                if (frame.path.empty())
                    continue; // the root itself
                if (level == open.size() || open[level].first != frame.path) {
                    open.resize(level);
                    open.emplace_back(frame.path, enter(module, frame));
                }
                module = open[level++].second;
                module->nodes.push_back(node.id);
            }
            open.resize(level);
            if (module != m_root.get())
                m_moduleOfNode[node.id] = module;
        }
    }
    endResetModel();
}

void OutlineModel::retranslate() { Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1); }

OutlineModel::Module* OutlineModel::moduleOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<Module*>(index.internalPointer()) : m_root.get();
}

QModelIndex OutlineModel::indexOf(NodeId node) const
{
    const auto it = m_moduleOfNode.find(node);
    return it == m_moduleOfNode.end() ? QModelIndex() : createIndex(it->second->row, 0, it->second);
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    const Module* module = moduleOf(parent);
    if (row < 0 || column < 0 || column >= ColumnCount || (parent.isValid() && parent.column() > 0)
        || row >= static_cast<int>(module->children.size()))
        return {};
    return createIndex(row, column, module->children[static_cast<std::size_t>(row)].get());
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    Module* parent = moduleOf(child)->parent;
    return parent == m_root.get() ? QModelIndex() : createIndex(parent->row, 0, parent);
}

int OutlineModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(moduleOf(parent)->children.size());
}

int OutlineModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Module* module = moduleOf(index);
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == NameColumn)
            return module->name;
        if (index.column() == ClassColumn)
            return module->className;
        return static_cast<int>(module->nodes.size());
    case Qt::ToolTipRole: return module->path;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(
            Qt::AlignVCenter | (index.column() == CountColumn ? Qt::AlignRight : Qt::AlignLeft)));
    case NodesRole: return QVariant::fromValue(module->nodes);
    case PathRole: return module->path;
    default: return {};
    }
}

QVariant OutlineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("module");
    case ClassColumn: return tr("class");
    case CountColumn: return tr("nodes");
    default: return {};
    }
}

} // namespace pt2e::ui

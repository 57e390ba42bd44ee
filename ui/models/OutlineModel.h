// The module tree of a model, from the module stacks of its nodes.
#pragma once

#include "core/ir/Graph.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace pt2e::ui {

class OutlineModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { NameColumn, ClassColumn, CountColumn, ColumnCount };
    enum Role { NodesRole = Qt::UserRole + 1, PathRole };

    explicit OutlineModel(QObject* parent = nullptr);
    ~OutlineModel() override;

    void setGraph(const GraphPtr& graph);
    void retranslate();
    /// The innermost module of a node; invalid if it has none.
    QModelIndex indexOf(NodeId node) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Module
    {
        QString name; ///< last component of the path
        QString path;
        QString className;
        Module* parent = nullptr;
        int row = 0;
        std::vector<std::unique_ptr<Module>> children;
        std::vector<NodeId> nodes; ///< of this module and all below it, in graph order
    };
    Module* moduleOf(const QModelIndex& index) const;
    Module* enter(Module* parent, const ModuleFrame& frame);

    std::unique_ptr<Module> m_root;
    std::unordered_map<NodeId, Module*> m_moduleOfNode;
};

} // namespace pt2e::ui

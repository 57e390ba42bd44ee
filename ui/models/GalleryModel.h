// The start page's list of built-in models.
#pragma once

#include <QAbstractListModel>

#include <vector>

namespace pt2e::ui {

class GalleryModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { NameRole = Qt::UserRole + 1, SummaryRole, LessonRole };

    explicit GalleryModel(QObject* parent = nullptr);

    void retranslate();
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
};

} // namespace pt2e::ui

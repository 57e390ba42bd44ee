// Samples of labelled data with their pictures, and into which class each run puts them.
#pragma once

#include "core/analysis/Classified.h"

#include <QAbstractTableModel>
#include <QPixmap>

#include <unordered_map>

namespace pt2e::ui {

class SampleModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Sample, Label, FirstRun, ColumnCount = FirstRun + static_cast<int>(kRunKinds) };
    enum Role { SampleRole = Qt::UserRole + 1 };

    explicit SampleModel(QObject* parent = nullptr);

    void setSamples(std::vector<Flip> samples, std::vector<std::string> classNames);
    const std::vector<Flip>& samples() const { return m_samples; }
    bool hasPicture(std::int64_t sample) const { return m_pictures.contains(sample); }
    void setPicture(std::int64_t sample, const QPixmap& picture);
    void clearPictures();
    /// "Ankle boot", or its number where it has no name; words for what is none.
    QString className(std::int64_t number) const;
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static constexpr std::size_t kMaxPictures = 4000;
    std::vector<Flip> m_samples;
    std::vector<std::string> m_classNames;
    std::unordered_map<std::int64_t, QPixmap> m_pictures;
};

} // namespace pt2e::ui

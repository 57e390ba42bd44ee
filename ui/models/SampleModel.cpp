#include "ui/models/SampleModel.h"

#include "ui/models/CoreText.h"

namespace pt2e::ui {

SampleModel::SampleModel(QObject* parent) : QAbstractTableModel(parent) {}

void SampleModel::setSamples(std::vector<Flip> samples, std::vector<std::string> classNames)
{
    beginResetModel();
    m_samples = std::move(samples);
    m_classNames = std::move(classNames);
    endResetModel();
}

void SampleModel::setPicture(std::int64_t sample, const QPixmap& picture)
{
    if (m_pictures.size() >= kMaxPictures)
        m_pictures.clear();
    m_pictures[sample] = picture;
    for (std::size_t row = 0; row < m_samples.size(); ++row) {
        if (m_samples[row].sample == sample) {
            const QModelIndex changed = index(static_cast<int>(row), Sample);
            Q_EMIT dataChanged(changed, changed, {Qt::DecorationRole});
        }
    }
}

void SampleModel::clearPictures()
{
    m_pictures.clear();
    if (!m_samples.empty())
        Q_EMIT dataChanged(index(0, Sample), index(rowCount() - 1, Sample), {Qt::DecorationRole});
}

QString SampleModel::className(std::int64_t number) const
{
    const auto at = static_cast<std::size_t>(number);
    return number >= 0 && at < m_classNames.size() ? QString::fromStdString(m_classNames[at])
                                                   : coreText("not a number");
}

void SampleModel::retranslate() { Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1); }

int SampleModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_samples.size());
}

int SampleModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SampleModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Flip& sample = m_samples[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == SampleRole)
        return QVariant::fromValue(static_cast<qlonglong>(sample.sample));
    if (role == Qt::DecorationRole && column == Sample) {
        const auto picture = m_pictures.find(sample.sample);
        return picture == m_pictures.end() ? QVariant() : picture->second;
    }
    const std::int64_t said =
        column >= FirstRun ? sample.predicted[static_cast<std::size_t>(column - FirstRun)] : 0;
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
        if (column == Sample)
            return groupedNumber(sample.sample);
        // A tick beside what is right: colour alone says nothing.
        const bool isRight = column >= FirstRun && said == sample.label;
        return className(column == Label ? sample.label : said)
               + (isRight ? QStringLiteral(" \u2713") : QString());
    }
    return {};
}

QVariant SampleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= ColumnCount)
        return {};
    switch (section) {
    case Sample: return coreText("sample");
    case Label: return coreText("label");
    default: return coreText(runName(static_cast<RunKind>(section - FirstRun)));
    }
}

} // namespace pt2e::ui

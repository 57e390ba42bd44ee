#include "ui/models/GalleryModel.h"

#include <QCoreApplication>

#include <array>

namespace pt2e::ui {

namespace {
struct Entry
{
    const char* name; ///< as openModel() knows it
    const char* summary;
    const char* lesson; ///< what there is to see
};

constexpr std::array kEntries{
    Entry{"residual", QT_TRANSLATE_NOOP("Gallery", "Two convolutions and a shortcut"),
          QT_TRANSLATE_NOOP("Gallery", "One observer at x serves conv2d and add.")},
    Entry{"cat_pool", QT_TRANSLATE_NOOP("Gallery", "Two branches, cat, max pool"),
          QT_TRANSLATE_NOOP("Gallery", "Why do cat and max_pool2d stay in float?")},
    Entry{"stem", QT_TRANSLATE_NOOP("Gallery", "The first layers of an image network"),
          QT_TRANSLATE_NOOP("Gallery", "Convolution and batch norm become one.")},
    Entry{"fashion_cnn", QT_TRANSLATE_NOOP("Gallery", "A trained classifier of clothes, 28×28"),
          QT_TRANSLATE_NOOP("Gallery", "Real weights, calibrated on real images.")},
    Entry{"decoder", QT_TRANSLATE_NOOP("Gallery", "A small language-model decoder"),
          QT_TRANSLATE_NOOP("Gallery", "Attention: which matrices become int8?")},
    Entry{"mobilenet_v2", QT_TRANSLATE_NOOP("Gallery", "MobileNetV2 for images of 224×224"),
          QT_TRANSLATE_NOOP("Gallery", "Inverted residuals: which sums share an observer?")},
    Entry{"resnet18", QT_TRANSLATE_NOOP("Gallery", "ResNet-18 for images of 224×224"),
          QT_TRANSLATE_NOOP("Gallery", "Where do in-place additions put their observers?")},
    Entry{
        "resnet50", QT_TRANSLATE_NOOP("Gallery", "ResNet-50 for images of 224×224"),
        QT_TRANSLATE_NOOP("Gallery", "Bottlenecks: 25 million weights at a quarter of the size.")},
    Entry{"squeezenet1_1", QT_TRANSLATE_NOOP("Gallery", "SqueezeNet 1.1 for images of 224×224"),
          QT_TRANSLATE_NOOP("Gallery", "Fire modules: two branches meet in a cat.")},
    Entry{"ds_cnn", QT_TRANSLATE_NOOP("Gallery", "DS-CNN, keywords on microcontrollers"),
          QT_TRANSLATE_NOOP("Gallery", "Depthwise: a scale per channel, or one for all?")},
    Entry{"encoder", QT_TRANSLATE_NOOP("Gallery", "A transformer encoder of four layers"),
          QT_TRANSLATE_NOOP("Gallery", "Linears in int8, and softmax between them in float.")},
};
} // namespace

GalleryModel::GalleryModel(QObject* parent) : QAbstractListModel(parent) {}

void GalleryModel::retranslate() { Q_EMIT dataChanged(index(0), index(rowCount() - 1)); }

int GalleryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kEntries.size());
}

QVariant GalleryModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Entry& entry = kEntries[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return QString::fromLatin1(entry.name);
    case SummaryRole: return QCoreApplication::translate("Gallery", entry.summary);
    case LessonRole: return QCoreApplication::translate("Gallery", entry.lesson);
    case Qt::AccessibleTextRole:
        return QString::fromLatin1(entry.name) + QStringLiteral(": ")
               + QCoreApplication::translate("Gallery", entry.summary);
    default: return {};
    }
}

} // namespace pt2e::ui

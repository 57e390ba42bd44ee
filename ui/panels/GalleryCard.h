// One model of the gallery: a small drawing, its name, what it is, what there is to see. Passive: clicked() out.
#pragma once

#include <QAbstractButton>

namespace pt2e::ui {

class GalleryCard : public QAbstractButton
{
    Q_OBJECT
public:
    explicit GalleryCard(QWidget* parent = nullptr);
    void setTexts(const QString& name, const QString& summary, const QString& lesson);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void paintSketch(QPainter& painter, const QRectF& area) const;

    QString m_summary;
    QString m_lesson;
};

} // namespace pt2e::ui

// The stages as a row of arrows, each with what it brought, and how much of the model became int8.
#pragma once

#include "ui/session/Session.h"

#include <QWidget>

class QLabel;

namespace pt2e::ui {

class ShareBar;
class StageArrow;

class StageStrip : public QWidget
{
    Q_OBJECT
public:
    explicit StageStrip(Session& session, QWidget* parent = nullptr);
    /// The last arrow, after a comparison: "1 partition".
    void setXnnpack(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void refreshCoverage();
    void placeCoverage();
    QString detailOf(StageKind stage) const;
    bool isNothingQuantized() const; ///< the annotated stage has ops, none of them quantized

    Session& m_session;
    std::vector<StageArrow*> m_arrows; ///< in stage order, then XNNPACK
    QString m_xnnpack;
    QWidget* m_coverage;
    QLabel* m_int8;
    ShareBar* m_opsBar;
    ShareBar* m_bytesBar;
    QLabel* m_opsText;
    QLabel* m_bytesText;
};

} // namespace pt2e::ui

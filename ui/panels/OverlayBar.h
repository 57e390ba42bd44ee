// What is laid over the operators, and what its colours mean; hidden as long as nothing is.
#pragma once

#include "ui/session/Overlays.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace pt2e::ui {

class Legend;

class OverlayBar : public QFrame
{
    Q_OBJECT
public:
    OverlayBar(Overlays& overlays, Comparison& comparison, QWidget* parent = nullptr);

    const Legend& legend() const { return *m_legend; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void retranslate();

    Overlays& m_overlays;
    Comparison& m_comparison;
    QLabel* m_label;
    QComboBox* m_kind;
    QComboBox* m_question;
    Legend* m_legend;
    QLabel* m_note;
    QPushButton* m_run; ///< makes the figures that are missing
    QToolButton* m_close;
};

/// "Error", "Engine", …
QString overlayName(OverlayKind kind);

} // namespace pt2e::ui

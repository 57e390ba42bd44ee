// What is open and how it is quantized: open, quantizer, weights, data, run, compare, search.
#pragma once

#include "ui/session/Session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace pt2e::ui {

class TopBar : public QWidget
{
    Q_OBJECT
public:
    explicit TopBar(Session& session, QWidget* parent = nullptr);

    void setOpenMenu(QMenu* menu);
    /// A comparison is possible only when there is something converted.
    void setCompareEnabled(bool enabled);

Q_SIGNALS:
    void runWanted();
    void compareWanted();
    void searchWanted();
    void dataFileWanted();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void refresh();
    void refreshData();
    void refreshLists();
    void retranslate();
    void updateSearchText();
    void chooseData(int index);

    Session& m_session;
    QToolButton* m_open;
    QLabel* m_model;
    QLabel* m_quantizerLabel;
    QComboBox* m_quantizer;
    QLabel* m_weightsLabel;
    QComboBox* m_weights;
    QLabel* m_lists; ///< how many settings by module and operator the recipe has beside
    QLabel* m_dataLabel;
    QComboBox* m_data;
    QPushButton* m_run;
    QPushButton* m_compare;
    QPushButton* m_search;
};

} // namespace pt2e::ui

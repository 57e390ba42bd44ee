// The comparison of the three runs: what was compared, accuracy of labelled data, outputs, operators under each
// question, quantizations, and what was left out of the data.
#pragma once

#include "ui/panels/NodeTable.h"
#include "ui/session/Comparison.h"

#include <QWidget>

#include <map>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace pt2e::ui {

class AccuracyPage;

class ComparisonPanel
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    ComparisonPanel(Session& session, Comparison& comparison, QWidget* parent = nullptr);

    AccuracyPage& accuracy() { return *m_accuracy; }
    /// Ids: "comparison" (outputs), "operators", "quantizations", "left-out".
    NodeTable* table(const QString& id) const;
    /// The question under which the operators stand; none: all side by side.
    std::optional<ErrorQuestion> question() const;

    QString title() const override;
    std::vector<Table> shownTables() const override;
    void setWords(const QString& words) override;
    void selectRows() override;
    bool showTable(const QString& id) override; ///< the ids above and "accuracy"

Q_SIGNALS:
    void titleChanged();
    void dataWanted(); ///< other data to compare on

protected:
    void changeEvent(QEvent* event) override;

private:
    struct View
    {
        QWidget* page;
        NodeTable* table; ///< null: the accuracy page
        QToolButton* button;
    };
    void build();
    QHBoxLayout* buildHead();
    QWidget* buildStart();
    void addView(const QString& id, QWidget* page, NodeTable* table);
    void refresh();
    void refreshHead();
    void refreshStart();
    void fill();
    void fillOperators();
    void refreshLeftOut();
    void show(const QString& id);
    QString shown() const;
    void retranslate();

    Session& m_session;
    Comparison& m_comparison;
    std::shared_ptr<const CompareReport> m_filled; ///< what the views show
    QHBoxLayout* m_buttons = nullptr;
    QLabel* m_stale;
    QLabel* m_data;
    QPushButton* m_all;
    QPushButton* m_choose;
    QStackedWidget* m_stack;
    QWidget* m_start = nullptr; ///< before the first comparison
    QLabel* m_startText = nullptr;
    QLabel* m_startData = nullptr;
    QPushButton* m_startRun = nullptr;
    QPushButton* m_startChoose = nullptr;
    AccuracyPage* m_accuracy = nullptr;
    QLabel* m_questionLabel = nullptr;
    QComboBox* m_question = nullptr;
    QLabel* m_questionNote = nullptr;
    std::map<QString, View> m_views;
};

} // namespace pt2e::ui

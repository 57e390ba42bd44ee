// Two recipes side by side: what stands beside the present one, what both quantize, lose and take, and where they differ.
#pragma once

#include "ui/panels/NodeTable.h"
#include "ui/panels/Section.h"
#include "ui/session/SecondRecipe.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace pt2e::ui {

class TablesPanel;

class RecipesPage
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    RecipesPage(Session& session, SecondRecipe& second, QWidget* parent = nullptr);
    /// As the tab "recipes".
    static RecipesPage* addTo(TablesPanel& tables, Session& session, SecondRecipe& second);

    NodeTable& summary() { return *m_summary; }
    NodeTable& differences() { return *m_differences; }

    QString title() const override;
    std::vector<Table> shownTables() const override;
    void setWords(const QString& words) override { m_differences->setWords(words); }
    void selectRows() override { m_differences->selectRows(); }
    bool showTable(const QString& id) override;

Q_SIGNALS:
    void titleChanged();

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QHBoxLayout* buildHead();
    QToolButton* addSegment(QHBoxLayout* head, const QString& name);
    void arrange();
    void fillChoices();
    void chosen(int index);
    void askForFile();
    void refresh();
    void refreshHead();
    void fill();
    QString note() const;
    bool isCovered() const { return m_session.isCovered(StageKind::Converted); }
    void retranslate();

    Session& m_session;
    SecondRecipe& m_second;
    std::shared_ptr<const RecipeComparison> m_filled; ///< what the tables show
    RecipeNames m_names;
    QLabel* m_label;
    QComboBox* m_choice;
    QPushButton* m_keep;
    QPushButton* m_run;
    QLabel* m_stale;
    QLabel* m_note;
    QToolButton* m_showSummary = nullptr; ///< in a narrow window, where only one table has room
    QToolButton* m_showDifferences = nullptr;
    QStackedWidget* m_stack;
    EmptyPage m_start;
    QWidget* m_results = nullptr;
    NodeTable* m_summary = nullptr;
    NodeTable* m_differences = nullptr;
};

} // namespace pt2e::ui

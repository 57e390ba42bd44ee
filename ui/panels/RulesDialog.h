// The rules of the recipe: their list, the chosen one as a form, how many operators each finds, and what would be wrong
// with them before they are applied. Beside the window, not in front of it: what a rule finds is selected in all panes.
#pragma once

#include "core/pipeline/EditCheck.h"
#include "core/pipeline/NodeNames.h"
#include "ui/session/Session.h"

#include <QDialog>
#include <QTimer>

class QAction;
class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace pt2e::ui {

class HardwarePart;
class RuleForm;

class RulesDialog : public QDialog
{
    Q_OBJECT
public:
    explicit RulesDialog(Session& session, QWidget* parent = nullptr);

    /// The one dialog of a window, made if it is not there.
    static void showFor(Session& session, QWidget* window);
    /// Keeps the action enabled while there is a model with stages.
    static void enable(QAction* action, Session& session);

    /// The rules as they stand here, applied or not.
    const std::vector<RecipeRule>& rules() const { return m_rules; }
    bool isChanged() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    /// What the rules find; index = rule.
    struct Found
    {
        std::vector<std::vector<NodeId>> nodes;
        QString text; ///< of the chosen rule
    };

    void build();
    QWidget* buildList();
    QWidget* buildButtons();
    void connectAll();
    void load();
    void fillList();
    void updateTexts();
    void updateButtons();
    void chooseRow(int row);
    void fillForm();
    void add(const RecipeRule& rule);
    RecipeRule newRule() const;
    void remove();
    void move(int by);
    void edited();
    static QString foundText(const std::vector<NodeId>& nodes, const NodeNames& names);
    void look();
    void showFound(const Found& found);
    void check();
    void showConflicts(const std::vector<EditConflict>& conflicts);
    void apply();
    int row() const;
    Recipe wanted() const;

    Session& m_session;
    std::vector<RecipeRule> m_rules;
    std::vector<RecipeRule> m_loaded; ///< what the recipe had when they were loaded or applied
    std::vector<std::optional<std::size_t>> m_counts; ///< index = rule; none: not looked at yet
    bool m_selects = false; ///< what the chosen rule finds is to be selected
    ModelPtr m_model;
    QListWidget* m_list;
    RuleForm* m_form;
    QLabel* m_empty;
    HardwarePart* m_hardware;
    QLabel* m_conflicts;
    QPushButton* m_remove = nullptr;
    QPushButton* m_duplicate = nullptr;
    QToolButton* m_up = nullptr;
    QToolButton* m_down = nullptr;
    QPushButton* m_apply = nullptr;
    QPushButton* m_revert = nullptr;
    QTimer m_typing;
};

} // namespace pt2e::ui

#include "ui/panels/RulesDialog.h"

#include "core/pipeline/Edits.h"
#include "core/pipeline/Stages.h"
#include "ui/models/ConflictText.h"
#include "ui/models/RuleText.h"
#include "ui/panels/HardwarePart.h"
#include "ui/panels/RuleForm.h"
#include "ui/panels/Section.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace pt2e::ui {

namespace {

const QString kFindTag = QStringLiteral("rules-find");
const QString kCheckTag = QStringLiteral("rules-check");
constexpr int kTyping = 120; ///< milliseconds without a change before it is looked at
constexpr std::size_t kNamesShown = 5;

} // namespace

RulesDialog::RulesDialog(Session& session, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_list(new QListWidget(this)),
      m_form(new RuleForm(this)),
      m_empty(wrappedLabel(this, "muted")),
      m_hardware(new HardwarePart(session, this)),
      m_conflicts(new QLabel(this))
{
    setObjectName(QStringLiteral("rulesDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Rules of the recipe"));
    build();
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTyping);
    connectAll();
    load();
}

void RulesDialog::showFor(Session& session, QWidget* window)
{
    auto* dialog = window->findChild<RulesDialog*>();
    if (!dialog)
        dialog = new RulesDialog(session, window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void RulesDialog::enable(QAction* action, Session& session)
{
    const auto update = [action, &session] {
        action->setEnabled(session.model() && !session.isQuantizedFile());
    };
    connect(&session, &Session::modelChanged, action, update);
    update();
}

void RulesDialog::connectAll()
{
    connect(m_list, &QListWidget::currentRowChanged, this, &RulesDialog::chooseRow);
    connect(m_duplicate, &QPushButton::clicked, this, [this] {
        if (row() >= 0)
            add(m_rules[static_cast<std::size_t>(row())]);
    });
    connect(m_remove, &QPushButton::clicked, this, &RulesDialog::remove);
    connect(m_up, &QToolButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QToolButton::clicked, this, [this] { move(1); });
    connect(m_form, &RuleForm::changed, this, &RulesDialog::edited);
    connect(m_apply, &QPushButton::clicked, this, &RulesDialog::apply);
    connect(m_revert, &QPushButton::clicked, this, &RulesDialog::load);
    connect(&m_typing, &QTimer::timeout, this, [this] {
        look();
        check();
    });
    connect(&m_session, &Session::recipeChanged, this, [this] {
        // What is not applied yet stays, whatever becomes of the recipe.
        if (m_rules == m_loaded && m_session.recipe().rules != m_loaded)
            load();
        updateButtons();
    });
    connect(&m_session, &Session::snapshotChanged, this, [this] {
        if (!m_session.model())
            close();
        else if (m_model != m_session.model())
            load();
        else
            m_typing.start();
    });
}

/// In another language a new one takes this one's place.
void RulesDialog::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && isVisible()) {
        auto* next = new RulesDialog(m_session, parentWidget());
        next->m_rules = m_rules;
        next->fillList();
        next->m_list->setCurrentRow(row());
        next->chooseRow(row());
        next->setGeometry(geometry());
        next->show();
        close();
    }
    QDialog::changeEvent(event);
}

bool RulesDialog::isChanged() const { return m_rules != m_session.recipe().rules; }

int RulesDialog::row() const { return m_rules.empty() ? -1 : m_list->currentRow(); }

Recipe RulesDialog::wanted() const
{
    Recipe recipe = m_session.recipe();
    recipe.rules = m_rules;
    return recipe;
}

/// What the recipe has; what was not applied is gone.
void RulesDialog::load()
{
    const int before = row();
    m_model = m_session.model();
    m_loaded = m_rules = m_session.recipe().rules;
    m_selects = false;
    fillList();
    m_list->setCurrentRow(std::min(std::max(before, 0), static_cast<int>(m_rules.size()) - 1));
    chooseRow(m_list->currentRow());
    m_selects = false;
}

void RulesDialog::fillList()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    m_counts.assign(m_rules.size(), std::nullopt);
    for (std::size_t i = 0; i < m_rules.size(); ++i)
        m_list->addItem(QString());
    updateTexts();
}

void RulesDialog::updateTexts()
{
    for (std::size_t i = 0; i < m_rules.size(); ++i) {
        QString text = ruleText(m_rules[i]);
        if (m_counts[i])
            text +=
                QStringLiteral(" · ") + tr("%n operators", nullptr, static_cast<int>(*m_counts[i]));
        m_list->item(static_cast<int>(i))->setText(text);
    }
}

void RulesDialog::updateButtons()
{
    const int chosen = row();
    m_duplicate->setEnabled(chosen >= 0);
    m_remove->setEnabled(chosen >= 0);
    m_up->setEnabled(chosen > 0);
    m_down->setEnabled(chosen >= 0 && chosen + 1 < static_cast<int>(m_rules.size()));
    m_revert->setEnabled(isChanged());
    m_hardware->setBlocked(isChanged());
    m_form->setVisible(chosen >= 0);
    m_empty->setVisible(chosen < 0);
    if (!isChanged()) {
        m_apply->setEnabled(false);
        m_conflicts->clear();
    }
}

void RulesDialog::chooseRow(int)
{
    m_selects = true;
    updateButtons();
    fillForm();
    m_typing.start();
}

void RulesDialog::fillForm()
{
    const SnapshotPtr& snapshot = m_session.fullSnapshot();
    const int chosen = row();
    if (chosen < 0 || !snapshot)
        return;
    const Graph& graph =
        snapshot->annotated ? *snapshot->annotated->folded.graph : *snapshot->model->exported;
    const RecipeRule& rule = m_rules[static_cast<std::size_t>(chosen)];
    std::size_t inputs = 0;
    const NodeNames names(graph);
    for (const NodeId id : nodesOf(rule, graph))
        inputs = std::max(inputs, names.entry(id)->node->inputs().size());
    m_form->setGraph(graph);
    m_form->setRule(rule, m_session.recipe().quantizer.global.value_or(QuantizationConfig{}),
                    inputs);
    m_form->setFound({}, false);
}

/// For operators like the selected one, left as they are.
RecipeRule RulesDialog::newRule() const
{
    RecipeRule rule;
    const GraphPtr graph = graphOf(m_session.entered(), m_session.selection().stage());
    const Node* node = graph ? graph->find(m_session.selection().current()) : nullptr;
    const bool isOp = node && node->is(OpKind::CallFunction)
                      && node->target.find("quantized_decomposed") == std::string::npos;
    rule.match.op = isOp ? node->target : "aten.conv2d.default";
    return rule;
}

void RulesDialog::add(const RecipeRule& rule)
{
    const int at = row() + 1;
    m_rules.insert(m_rules.begin() + at, rule);
    fillList();
    m_list->setCurrentRow(at);
    chooseRow(at);
}

void RulesDialog::remove()
{
    const int at = row();
    if (at < 0)
        return;
    m_rules.erase(m_rules.begin() + at);
    fillList();
    m_list->setCurrentRow(std::min(at, static_cast<int>(m_rules.size()) - 1));
    chooseRow(m_list->currentRow());
}

void RulesDialog::move(int by)
{
    const int at = row(), to = at + by;
    if (at < 0 || to < 0 || to >= static_cast<int>(m_rules.size()))
        return;
    std::swap(m_rules[static_cast<std::size_t>(at)], m_rules[static_cast<std::size_t>(to)]);
    fillList();
    m_list->setCurrentRow(to);
    chooseRow(to);
}

void RulesDialog::edited()
{
    if (row() < 0)
        return;
    m_rules[static_cast<std::size_t>(row())] = m_form->rule();
    m_selects = true;
    updateTexts();
    updateButtons();
    m_apply->setEnabled(false); // until it has been checked
    m_typing.start();
}

/// "finds 3 operators: conv2d, conv2d_1, conv2d_2".
QString RulesDialog::foundText(const std::vector<NodeId>& nodes, const NodeNames& names)
{
    if (nodes.empty())
        return tr("finds no operator of this model");
    QStringList shown;
    for (std::size_t i = 0; i < std::min(nodes.size(), kNamesShown); ++i)
        shown << QString::fromStdString(names.nameOf(nodes[i]));
    if (nodes.size() > kNamesShown)
        shown << QStringLiteral("…");
    return tr("finds %n operators: %1", nullptr, static_cast<int>(nodes.size()))
        .arg(shown.join(QStringLiteral(", ")));
}

/// How many operators each rule finds, and which the chosen one.
void RulesDialog::look()
{
    const SnapshotPtr snapshot = m_session.fullSnapshot();
    if (m_rules.empty() || !snapshot)
        return;
    const int chosen = row();
    m_session.jobs().start(
        Lane::Interactive, kFindTag, {},
        [self = QPointer(this), snapshot, rules = m_rules, chosen](JobPort&) -> Delivery {
            const Graph& graph = snapshot->annotated ? *snapshot->annotated->folded.graph
                                                     : *snapshot->model->exported;
            Found found;
            for (const RecipeRule& rule : rules)
                found.nodes.push_back(nodesOf(rule, graph));
            if (chosen >= 0)
                found.text =
                    foundText(found.nodes[static_cast<std::size_t>(chosen)], NodeNames(graph));
            return [self, found = std::move(found), rules] {
                if (self && self->m_rules == rules)
                    self->showFound(found);
            };
        });
}

void RulesDialog::showFound(const Found& found)
{
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        m_counts[i] = found.nodes[i].size();
    updateTexts();
    const int chosen = row();
    if (chosen < 0)
        return;
    const std::vector<NodeId>& nodes = found.nodes[static_cast<std::size_t>(chosen)];
    m_form->setFound(found.text, nodes.empty());
    if (m_selects)
        m_session.lookAt(StageKind::Annotated, nodes);
    m_selects = false;
}

/// What the rules as they stand here would bring.
void RulesDialog::check()
{
    const SnapshotPtr snapshot = m_session.fullSnapshot();
    if (!isChanged() || !snapshot || !snapshot->annotated)
        return;
    m_session.jobs().start(
        Lane::Interactive, kCheckTag, {},
        [self = QPointer(this), snapshot, recipe = wanted()](JobPort&) -> Delivery {
            std::vector<EditConflict> conflicts;
            if (const auto stage = annotateFolded(snapshot->annotated->folded, recipe))
                conflicts = newConflicts(*snapshot->annotated, **stage);
            else
                conflicts.push_back(
                    {ConflictKind::PrepareFails, Severity::Error, stage.error().message()});
            return [self, conflicts = std::move(conflicts), recipe] {
                if (self && self->wanted() == recipe)
                    self->showConflicts(conflicts);
            };
        });
}

void RulesDialog::showConflicts(const std::vector<EditConflict>& conflicts)
{
    const bool isPossible = isApplicable(conflicts);
    m_conflicts->setText(conflictText(conflicts));
    m_conflicts->setProperty("warn", !isPossible);
    style()->unpolish(m_conflicts);
    style()->polish(m_conflicts);
    m_apply->setEnabled(isPossible && isChanged());
}

void RulesDialog::apply()
{
    m_loaded = m_rules;
    m_session.changeRecipe(wanted(), tr("Change the rules"));
    updateButtons();
}

} // namespace pt2e::ui

// How the parts of RulesDialog stand.
#include "ui/panels/HardwarePart.h"
#include "ui/panels/RuleForm.h"
#include "ui/panels/RulesDialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace pt2e::ui {

void RulesDialog::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(20);
    columns->addWidget(buildList(), 5);
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    m_empty->setText(tr("Rules come behind the quantizer and before edits: each puts the same at "
                        "all operators it finds. There is none yet."));
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    right->addWidget(m_empty);
    right->addWidget(scroll, 1);
    columns->addLayout(right, 6);
    layout->addLayout(columns, 1);
    m_conflicts->setObjectName(QStringLiteral("rulesConflicts"));
    m_conflicts->setWordWrap(true);
    m_conflicts->setMinimumHeight(2 * fontMetrics().height() + 4);
    m_conflicts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_conflicts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_conflicts);
    layout->addWidget(buildButtons());
    resize(980, 700);
}

QWidget* RulesDialog::buildList()
{
    auto* side = new QWidget(this);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_list->setObjectName(QStringLiteral("rulesList"));
    m_list->setWordWrap(true);
    m_list->setSpacing(4);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Rules in their order"));
    layout->addWidget(m_list, 3);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    const auto button = [&](const char* name, const QString& text) {
        auto* made = new QPushButton(text, side);
        made->setObjectName(QString::fromUtf8(name));
        made->setAutoDefault(false);
        row->addWidget(made);
        return made;
    };
    connect(button("ruleAdd", tr("Add")), &QPushButton::clicked, this, [this] { add(newRule()); });
    m_duplicate = button("ruleDuplicate", tr("Duplicate"));
    m_remove = button("ruleRemove", tr("Remove"));
    row->addStretch(1);
    const auto arrow = [&](const char* name, Qt::ArrowType type, const QString& tip) {
        auto* made = new QToolButton(side);
        made->setObjectName(QString::fromUtf8(name));
        made->setText(type == Qt::UpArrow ? QStringLiteral("\u2191") : QStringLiteral("\u2193"));
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        row->addWidget(made);
        return made;
    };
    m_up = arrow("ruleUp", Qt::UpArrow, tr("Earlier; a later rule wins"));
    m_down = arrow("ruleDown", Qt::DownArrow, tr("Later; a later rule wins"));
    layout->addLayout(row);
    auto* title = new QLabel(tr("Hardware"), side);
    title->setProperty("title", true);
    layout->addWidget(title);
    layout->addWidget(m_hardware, 4);
    return side;
}

QWidget* RulesDialog::buildButtons()
{
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch(1);
    m_apply = new QPushButton(tr("Apply"), row);
    m_apply->setObjectName(QStringLiteral("rulesApply"));
    m_apply->setProperty("primary", true);
    m_revert = new QPushButton(tr("Revert"), row);
    m_revert->setObjectName(QStringLiteral("rulesRevert"));
    m_revert->setToolTip(tr("Back to the rules that the recipe has"));
    auto* close = new QPushButton(tr("Close"), row);
    close->setObjectName(QStringLiteral("rulesClose"));
    for (QPushButton* button : {m_revert, close, m_apply}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return row;
}

} // namespace pt2e::ui

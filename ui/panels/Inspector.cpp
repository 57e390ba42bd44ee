#include "ui/panels/Inspector.h"

#include "ui/charts/ChartCopy.h"
#include "ui/models/CoreText.h"
#include "ui/models/FactTables.h"
#include "ui/panels/AnnotationForm.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/ObservedPart.h"
#include "ui/session/Appearance.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pt2e::ui {

namespace {

constexpr std::size_t kMaxUsers = 40;

const QString kCopy = QStringLiteral("copyFacts");

/// Copies all that is said of the node, or a section of it.
QToolButton* copyButton(QWidget* parent, const NodeFacts& facts)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(kCopy);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setProperty("flat", true);
    button->setProperty("hasMenu", true);
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &facts] {
        menu->clear();
        qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
        addCopyActions(*menu, [&facts] { return factTables(facts); });
        menu->addSeparator();
        for (const Table& table : factTables(facts)) {
            QMenu* section = menu->addMenu(coreText(table.title));
            section->setObjectName(QString::fromStdString(table.id));
            addCopyActions(*section, [table] { return std::vector<Table>{table}; });
        }
    });
    return button;
}

} // namespace

Inspector::Inspector(Session& session, QWidget* parent) : QFrame(parent), m_session(session)
{
    setObjectName(QStringLiteral("card"));
    build();
    connect(&session.selection(), &Selection::changed, this, &Inspector::refresh);
    connect(&session, &Session::snapshotChanged, this, &Inspector::refresh);
    connect(&Appearance::instance(), &Appearance::changed, this, &Inspector::rebuild);
    refresh();
}

void Inspector::setEngineSource(std::function<QString(const std::vector<NodeId>&)> source)
{
    m_engineOf = std::move(source);
    rebuild();
}

void Inspector::addPart(QWidget* part)
{
    auto* layout = static_cast<QVBoxLayout*>(m_page->layout());
    layout->insertWidget(layout->indexOf(m_observed) + 1, part);
}

void Inspector::build()
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 1, 1, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(scroll);
    auto* all = new QWidget;
    scroll->setWidget(all);
    auto* stack = new QVBoxLayout(all);
    stack->setContentsMargins(0, 0, 0, 0);
    m_empty = wrappedLabel(all, "muted");
    m_empty->setContentsMargins(kSectionMargin, kSectionMargin, kSectionMargin, kSectionMargin);
    stack->addWidget(m_empty);
    m_modelPage = new ModelPage(m_session, all);
    stack->addWidget(m_modelPage);
    m_page = new QWidget(all);
    stack->addWidget(m_page);
    stack->addStretch(1);

    QVBoxLayout* layout = pageLayout(m_page);
    m_title = wrappedLabel(m_page, "big");
    m_title->setObjectName(QStringLiteral("inspectorTitle"));
    m_subtitle = wrappedLabel(m_page, "muted");
    m_call = wrappedLabel(m_page, "mono");
    m_call->setObjectName(QStringLiteral("inspectorCall"));
    m_value = wrappedLabel(m_page, "muted");
    m_whyNot = wrappedLabel(m_page, "warn");
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSectionMargin, 12, kSectionMargin, 0);
    top->addWidget(m_title, 1);
    top->addWidget(copyButton(m_page, m_facts), 0, Qt::AlignTop);
    layout->addLayout(top);
    addHead(layout, {m_subtitle, m_call, m_value, m_whyNot});
    layout->itemAt(layout->count() - 1)
        ->layout()
        ->setContentsMargins(kSectionMargin, 0, kSectionMargin, 8);

    m_annotation = addSection(m_page, layout);
    m_form = new AnnotationForm(m_session, m_annotation.widget);
    m_annotation.body->addWidget(m_form);
    m_observed = new ObservedPart(m_session, m_page);
    layout->addWidget(m_observed);
    m_across = addSection(m_page, layout);
    m_acrossGrid = addGrid(m_across);
    m_users = addSection(m_page, layout);
    m_usersGrid = addGrid(m_users);
    m_meta = addSection(m_page, layout);
    m_metaGrid = addGrid(m_meta);
}

void Inspector::rebuild()
{
    m_built = nullptr;
    refresh();
}

void Inspector::refresh()
{
    const SnapshotPtr& snapshot = m_session.entered();
    const Selection& selection = m_session.selection();
    const NodeFacts before =
        std::exchange(m_facts, snapshot && !selection.isEmpty()
                                   ? gatherFacts(*snapshot, selection.stage(), selection.current())
                                   : NodeFacts{});
    m_facts.placeIn(m_session.view().body());
    m_empty->setVisible(!snapshot);
    m_empty->setText(tr("No model is open."));
    m_modelPage->setVisible(snapshot && !m_facts.isValid);
    m_page->setVisible(m_facts.isValid);
    if (m_facts.isValid)
        m_observed->setValues(m_facts.values);
    const bool isSame =
        snapshot && m_built && before.node == m_facts.node && before.stage == m_facts.stage
        && m_built->model == snapshot->model && m_built->annotated == snapshot->annotated
        && m_built->prepared == snapshot->prepared && m_built->converted == snapshot->converted;
    m_built = snapshot;
    if (isSame || !snapshot)
        return;
    if (!m_facts.isValid) {
        m_modelPage->refresh();
        return;
    }
    showHead();
    showAnnotation();
    showAcross();
    showUsersAndMeta();
}

void Inspector::showHead()
{
    findChild<QToolButton*>(kCopy)->setText(tr("Copy"));
    m_title->setText(m_facts.title == m_facts.name
                         ? breakable(m_facts.name)
                         : breakable(m_facts.title + QLatin1Char(' ') + m_facts.name));
    m_subtitle->setText(breakable(m_facts.target) + QStringLiteral(" · ")
                        + stageTitle(m_facts.stage));
    m_call->setText(breakable(m_facts.call));
    QStringList parts;
    if (!m_facts.value.isEmpty())
        parts << m_facts.value;
    if (!m_facts.module.isEmpty())
        parts << tr("module %1").arg(m_facts.module);
    m_value->setText(parts.join(QStringLiteral(" · ")));
    m_value->setToolTip(m_facts.source);
    m_value->setVisible(!parts.isEmpty());
    QString why;
    if (!m_facts.whyNot.isEmpty()) {
        why = tr("Not quantized: %1").arg(m_facts.whyNot);
        if (!m_facts.whyNotRootName.isEmpty())
            why += QLatin1Char(' ') + tr("(begins at %1)").arg(m_facts.whyNotRootName);
    }
    m_whyNot->setText(why);
    m_whyNot->setVisible(!why.isEmpty());
}

void Inspector::showAnnotation()
{
    m_annotation.widget->setVisible(!m_facts.points.empty());
    if (m_facts.points.empty())
        return;
    m_annotation.title->setText(tr("Annotation"));
    m_annotation.note->setText(m_facts.rule.isEmpty() ? QString()
                                                      : tr("rule: %1").arg(m_facts.rule));
    m_form->setFacts(m_facts);
}

QWidget* Inspector::linkRow(const QString& text, StageKind stage, const std::vector<NodeId>& nodes)
{
    if (nodes.empty()) {
        auto* label = wrappedLabel(this);
        label->setText(breakable(text));
        return label;
    }
    QLabel* label = linkLabel(this, text);
    connect(label, &QLabel::linkActivated, this,
            [this, stage, nodes] { m_session.selection().select(stage, nodes); });
    return label;
}

void Inspector::showAcross()
{
    m_across.title->setText(tr("Across stages"));
    clearGrid(m_acrossGrid);
    QString engine;
    for (const AcrossFact& fact : m_facts.across) {
        if (fact.stage == StageKind::Converted && m_engineOf)
            engine = m_engineOf(fact.nodes);
        const bool isHere = fact.stage == m_facts.stage;
        addRow(m_acrossGrid, stageTitle(fact.stage),
               linkRow(fact.text, fact.stage, isHere ? std::vector<NodeId>{} : fact.nodes));
    }
    if (!engine.isEmpty())
        addRow(m_acrossGrid, QStringLiteral("XNNPACK"), linkRow(engine, StageKind::Converted, {}));
}

void Inspector::showUsersAndMeta()
{
    m_users.widget->setVisible(!m_facts.users.empty());
    m_users.title->setText(tr("Users"));
    m_users.note->setText(QString::number(m_facts.users.size()));
    clearGrid(m_usersGrid);
    for (std::size_t i = 0; i < std::min(m_facts.users.size(), kMaxUsers); ++i) {
        const auto& [name, node] = m_facts.users[i];
        m_usersGrid->addWidget(linkRow(name, m_facts.stage, {node}), static_cast<int>(i), 1);
    }
    m_meta.widget->setVisible(!m_facts.meta.empty());
    m_meta.title->setText(tr("Metadata"));
    clearGrid(m_metaGrid);
    for (const auto& [key, value] : m_facts.meta)
        addRow(m_metaGrid, key, linkRow(value, m_facts.stage, {}));
}

void Inspector::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        rebuild();
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

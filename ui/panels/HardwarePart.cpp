#include "ui/panels/HardwarePart.h"

#include "core/pipeline/HardwareMend.h"
#include "ui/models/CoreText.h"
#include "ui/models/RuleText.h"
#include "ui/panels/Section.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {

const QString kTag = QStringLiteral("hardware-check");
constexpr int kConstraint = Qt::UserRole; ///< of an item: a Constraint
constexpr int kOp = Qt::UserRole + 1; ///< of an item: the operator, empty for all

QString shortName(const std::string& op)
{
    const std::string_view name = shortOpName(op);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

} // namespace

HardwarePart::HardwarePart(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_profile(new QComboBox(this)),
      m_note(wrappedLabel(this, "muted")),
      m_tree(new QTreeWidget(this)),
      m_mend(new QPushButton(this))
{
    build();
    connect(m_profile, &QComboBox::currentIndexChanged, this, &HardwarePart::look);
    connect(&m_session, &Session::snapshotChanged, this, &HardwarePart::look);
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] {
        updateButton();
        selectChosen();
    });
    connect(m_mend, &QPushButton::clicked, this, &HardwarePart::mend);
    look();
}

void HardwarePart::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_profile->setObjectName(QStringLiteral("hardwareProfile"));
    m_profile->addItem(tr("none: any hardware"), QString());
    for (const HardwareProfile& profile : hardwareProfiles())
        m_profile->addItem(profileText(profile), QString::fromStdString(std::string(profile.name)));
    m_tree->setObjectName(QStringLiteral("hardwareTree"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(15);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tree->setAccessibleName(tr("What the hardware does not allow"));
    m_note->setObjectName(QStringLiteral("hardwareNote"));
    m_mend->setObjectName(QStringLiteral("hardwareMend"));
    m_mend->setAutoDefault(false);
    auto* row = new QHBoxLayout;
    row->addWidget(m_note, 1);
    row->addWidget(m_mend);
    layout->addWidget(m_profile);
    layout->addWidget(m_tree, 1);
    layout->addLayout(row);
}

void HardwarePart::look()
{
    const SnapshotPtr snapshot = m_session.fullSnapshot();
    const HardwareProfile* profile =
        profileNamed(m_profile->currentData().toString().toStdString());
    if (!profile || !snapshot || !snapshot->annotated) {
        m_session.jobs().cancel(kTag);
        show(nullptr, {});
        return;
    }
    m_session.jobs().start(Lane::Interactive, kTag, {},
                           [self = QPointer(this), snapshot, profile](JobPort&) -> Delivery {
                               auto found = violationsOf(*snapshot, *profile);
                               return [self, snapshot, found = std::move(found)]() mutable {
                                   if (self)
                                       self->show(snapshot, std::move(found));
                               };
                           });
}

void HardwarePart::show(SnapshotPtr snapshot, std::vector<Violation> violations)
{
    m_snapshot = std::move(snapshot);
    m_violations = std::move(violations);
    const QSignalBlocker blocker(m_tree);
    m_tree->clear();
    const auto add = [this](QTreeWidgetItem* above, const Violation& violation, const QString& text,
                            const QString& op) {
        auto* item = above ? new QTreeWidgetItem(above) : new QTreeWidgetItem(m_tree);
        item->setText(0, text);
        item->setData(0, kConstraint, static_cast<int>(violation.constraint));
        item->setData(0, kOp, op);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, text);
        return item;
    };
    const auto count = [](QTreeWidgetItem* item) {
        item->setText(1, QString::number(item->text(1).toInt() + 1));
    };
    for (const Violation& violation : m_violations) {
        const int tops = m_tree->topLevelItemCount();
        QTreeWidgetItem* top = tops > 0 ? m_tree->topLevelItem(tops - 1) : nullptr;
        if (!top || top->data(0, kConstraint).toInt() != static_cast<int>(violation.constraint)) {
            top = add(nullptr, violation, constraintTitle(violation.constraint), {});
            top->setExpanded(true);
        }
        const QString op = QString::fromStdString(violation.op);
        QTreeWidgetItem* child = nullptr;
        for (int i = 0; i < top->childCount() && !child; ++i) {
            if (top->child(i)->data(0, kOp) == op)
                child = top->child(i);
        }
        if (!child)
            child = add(top, violation, shortName(violation.op), op);
        count(top);
        count(child);
    }
    updateButton();
}

void HardwarePart::setBlocked(bool isBlocked)
{
    m_isBlocked = isBlocked;
    updateButton();
}

std::vector<Violation> HardwarePart::chosen() const
{
    std::vector<Violation> wanted;
    const QList<QTreeWidgetItem*> items = m_tree->selectedItems();
    if (items.isEmpty())
        return wanted;
    const auto constraint = static_cast<Constraint>(items[0]->data(0, kConstraint).toInt());
    const std::string op = items[0]->data(0, kOp).toString().toStdString();
    std::copy_if(m_violations.begin(), m_violations.end(), std::back_inserter(wanted),
                 [&](const Violation& violation) {
                     return violation.constraint == constraint
                            && (op.empty() || violation.op == op);
                 });
    return wanted;
}

void HardwarePart::selectChosen()
{
    std::vector<NodeId> nodes;
    for (const Violation& violation : chosen()) {
        if (std::find(nodes.begin(), nodes.end(), violation.node) == nodes.end())
            nodes.push_back(violation.node);
    }
    if (!nodes.empty())
        m_session.lookAt(StageKind::Annotated, std::move(nodes));
}

QString HardwarePart::noteText() const
{
    if (m_profile->currentData().toString().isEmpty() || !m_snapshot)
        return {};
    if (m_isBlocked)
        return tr("Apply or revert the changed rules first.");
    if (!m_snapshot->calibrated)
        return tr("Scales are looked at after calibration.");
    return m_violations.empty()
               ? tr("The recipe fits this hardware.")
               : tr("%n violations", nullptr, static_cast<int>(m_violations.size()));
}

void HardwarePart::updateButton()
{
    m_note->setText(noteText());
    const std::vector<Violation> wanted = chosen();
    const bool isNumbers = !wanted.empty() && wanted.front().constraint == Constraint::PowerOfTwo;
    m_mend->setText(isNumbers ? tr("Fix the scales") : tr("Add rule"));
    m_mend->setEnabled(!wanted.empty() && !m_isBlocked && m_snapshot->recipe == m_session.recipe());
    m_mend->setToolTip(tr("Changes the recipe so that these are gone; what gives or reads the same "
                          "values changes along"));
}

void HardwarePart::mend()
{
    const std::vector<Violation> wanted = chosen();
    if (wanted.empty() || m_snapshot->recipe != m_session.recipe())
        return;
    const bool isAll = m_tree->selectedItems()[0]->data(0, kOp).toString().isEmpty();
    const QString what =
        constraintTitle(wanted.front().constraint)
        + (isAll ? QString() : QStringLiteral(", ") + shortName(wanted.front().op));
    m_session.changeRecipe(withChange(m_session.recipe(), mendOf(*m_snapshot, wanted)),
                           tr("Mend: %1").arg(what));
}

} // namespace pt2e::ui

#include "ui/panels/SpecDialog.h"

#include "core/pipeline/Edits.h"
#include "ui/models/ConflictText.h"
#include "ui/panels/Section.h"
#include "ui/panels/SpecForm.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace pt2e::ui {

namespace {

const QString kTag = QStringLiteral("spec-check");
constexpr int kTyping = 150; ///< milliseconds without a change before the edit is looked at
/// "relu → cat" is shown, "relu->cat" is what it is.
QString shown(QString point)
{
    return point.replace(QStringLiteral("->"), QStringLiteral(" \u2192 "));
}

} // namespace

SpecDialog::SpecDialog(Session& session, NamedPoint point, const Spec& current, QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_point(std::move(point)),
      m_implicit(new QCheckBox(tr("may share an observer it is not told to share"), this)),
      m_found(new QLabel(this))
{
    setObjectName(QStringLiteral("specDialog"));
    setWindowTitle(tr("Annotation of %1").arg(shown(QString::fromStdString(m_point.text()))));
    setAttribute(Qt::WA_DeleteOnClose);
    m_fields = new SpecForm(points(), this);
    build();
    fill(current);
    m_check.setSingleShot(true);
    m_check.setInterval(kTyping);
    connect(&m_check, &QTimer::timeout, this, &SpecDialog::check);
    const auto change = [this] {
        m_fields->setRowVisible(m_implicit, m_fields->kind() != EditSpec::Kind::None);
        m_apply->setEnabled(false);
        m_check.start();
    };
    connect(m_fields, &SpecForm::changed, this, change);
    connect(m_implicit, &QCheckBox::toggled, this, change);
    change();
}

void SpecDialog::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    m_fields->addRow(m_implicit);
    layout->addWidget(m_fields);
    m_found->setObjectName(QStringLiteral("specFound"));
    m_found->setWordWrap(true);
    m_found->setMinimumSize(420, 3 * fontMetrics().height());
    m_found->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_found->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_found, 1);
    auto* buttons = new QDialogButtonBox(this);
    m_apply = new QPushButton(tr("Apply"), buttons);
    m_apply->setObjectName(QStringLiteral("specApply"));
    m_apply->setProperty("primary", true);
    m_apply->setDefault(true);
    buttons->addButton(m_apply, QDialogButtonBox::AcceptRole);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (const auto wanted = edit()) {
            Q_EMIT chosen(*wanted);
            accept();
        }
    });
}

/// All points that something can be asked for at, but for this one.
QStringList SpecDialog::points() const
{
    QStringList points;
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (snapshot && snapshot->annotated) {
        const NodeNames names(*snapshot->annotated->folded.graph);
        for (const NodeNames::Entry& entry : names.entries()) {
            if (!entry.node->is(OpKind::CallFunction))
                continue;
            const QString name = QString::fromStdString(entry.name());
            for (const NodeId input : entry.node->inputs())
                points << QString::fromStdString(names.nameOf(input)) + QStringLiteral("->") + name;
            points << name;
        }
    }
    points.removeAll(QString::fromStdString(m_point.text()));
    return points;
}

void SpecDialog::fill(const Spec& current)
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const EditSpec spec = snapshot && snapshot->annotated
                              ? editSpecOf(current, NodeNames(*snapshot->annotated->folded.graph))
                              : EditSpec();
    m_implicit->setChecked(true);
    m_fields->setSpec(spec, m_session.recipe().quantizer.global.value_or(QuantizationConfig{}));
}

Result<Edit> SpecDialog::edit() const
{
    Edit edit{m_point, {}, m_implicit->isChecked()};
    PT2E_ASSIGN(edit.spec, m_fields->spec());
    return edit;
}

void SpecDialog::check()
{
    const auto wanted = edit();
    const SnapshotPtr snapshot = m_session.fullSnapshot();
    if (!wanted) {
        show({{ConflictKind::BadSpec, Severity::Error, wanted.error().message()}});
        return;
    }
    if (!snapshot || !snapshot->annotated)
        return;
    m_session.jobs().start(
        Lane::Interactive, kTag, {},
        [self = QPointer(this), wanted = *wanted, snapshot](JobPort&) -> Delivery {
            auto conflicts = conflictsOf(*snapshot->annotated, snapshot->recipe, wanted);
            return [self, conflicts = std::move(conflicts)] {
                if (self)
                    self->show(conflicts);
            };
        });
}

void SpecDialog::show(const std::vector<EditConflict>& conflicts)
{
    const bool isPossible = isApplicable(conflicts);
    m_found->setText(conflictText(conflicts));
    m_found->setProperty("warn", !isPossible);
    style()->unpolish(m_found);
    style()->polish(m_found);
    m_apply->setEnabled(isPossible);
}

} // namespace pt2e::ui

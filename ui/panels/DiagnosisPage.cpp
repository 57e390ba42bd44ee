#include "ui/panels/DiagnosisPage.h"

#include "core/view/DiagnosisTable.h"
#include "ui/models/CoreText.h"
#include "ui/panels/TablesPanel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>

namespace pt2e::ui {

namespace {
const QString kTag = QStringLiteral("diagnosis");
}

void DiagnosisPage::addTo(TablesPanel& tables, Session& session)
{
    auto* page = new DiagnosisPage(session, &tables);
    tables.addPage(QStringLiteral("diagnosis"), page, page);
    connect(page, &DiagnosisPage::titleChanged, &tables, &TablesPanel::refreshTitles);
}

DiagnosisPage::DiagnosisPage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_table(new NodeTable(session, QStringLiteral("diagnosis"), this)),
      m_note(new QLabel(this)),
      m_mend(new QPushButton(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_table, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(14, 2, 14, 4);
    foot->setSpacing(8);
    m_note->setObjectName(QStringLiteral("diagnosisNote"));
    m_note->setProperty("muted", true);
    m_note->setWordWrap(true);
    m_mend->setObjectName(QStringLiteral("diagnosisMend"));
    m_mend->setProperty("outline", true);
    foot->addWidget(m_note, 1);
    foot->addWidget(m_mend);
    layout->addLayout(foot);
    connect(&session, &Session::snapshotChanged, this, &DiagnosisPage::refresh);
    connect(m_mend, &QPushButton::clicked, this, &DiagnosisPage::mend);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DiagnosisPage::refreshFoot);
    retranslate();
}

QString DiagnosisPage::title() const { return tr("Diagnosis %1").arg(m_diagnoses.size()); }

void DiagnosisPage::refresh()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (snapshot == m_filled)
        return;
    m_filled = snapshot;
    // Not of a run that is going on: the last snapshot comes when it ends.
    if (!snapshot || !snapshot->converted) {
        m_session.jobs().cancel(kTag);
        show({});
        return;
    }
    m_session.jobs().start(Lane::Interactive, kTag, {}, [this, snapshot](JobPort&) -> Delivery {
        return [this, found = diagnose(*snapshot)] { show(found); };
    });
}

void DiagnosisPage::show(const std::vector<Diagnosis>& diagnoses)
{
    m_diagnoses = diagnoses;
    m_table->setTable(diagnosisTable(m_diagnoses));
    refreshFoot();
    Q_EMIT titleChanged();
}

std::vector<const Diagnosis*> DiagnosisPage::chosen() const
{
    std::vector<const Diagnosis*> chosen;
    for (QModelIndex index : m_table->selectionModel()->selectedRows()) {
        while (const auto* proxy = qobject_cast<const QAbstractProxyModel*>(index.model()))
            index = proxy->mapToSource(index);
        const auto row = static_cast<std::size_t>(index.row());
        if (row < m_diagnoses.size())
            chosen.push_back(&m_diagnoses[row]);
    }
    return chosen;
}

void DiagnosisPage::refreshFoot()
{
    const auto diagnoses = chosen();
    m_mend->setVisible(!m_diagnoses.empty());
    m_mend->setEnabled(!diagnoses.empty());
    if (!m_filled || !m_filled->converted)
        m_note->setText(tr("Known illnesses of the quantized model are shown here, once it is "
                           "converted."));
    else if (m_diagnoses.empty())
        m_note->setText(tr("Looked for: weights of which one channel is much larger than the "
                           "others, values quantized before a clamp, and values of one sign on a "
                           "symmetric grid. None was found."));
    else if (diagnoses.empty())
        m_note->setText(tr("A row selects its nodes, and can be mended; Ctrl+A takes all."));
    else if (diagnoses.size() > 1)
        m_note->setText(tr("%n places to mend", nullptr, static_cast<int>(diagnoses.size())));
    else
        m_note->setText(textOf(*diagnoses.front()));
}

QString DiagnosisPage::textOf(const Diagnosis& diagnosis) const
{
    QStringList points;
    for (const Edit& edit : diagnosis.edits)
        points << QString::fromStdString(edit.at.text());
    return tr("%1: %2", "what mends it, and where")
        .arg(coreText(diagnosisMend(diagnosis.kind)), points.join(QStringLiteral(", ")));
}

void DiagnosisPage::mend()
{
    const auto diagnoses = chosen();
    if (diagnoses.empty())
        return;
    Recipe recipe = m_session.recipe();
    for (const Diagnosis* diagnosis : diagnoses)
        recipe = withEdits(std::move(recipe), diagnosis->edits);
    m_session.changeRecipe(recipe,
                           diagnoses.size() == 1
                               ? tr("%1: %2", "what mends it, and where")
                                     .arg(coreText(diagnosisMend(diagnoses.front()->kind)),
                                          QString::fromStdString(diagnoses.front()->name))
                               : tr("Mend %n places", nullptr, static_cast<int>(diagnoses.size())));
}

void DiagnosisPage::retranslate()
{
    m_mend->setText(tr("Apply as an edit"));
    m_table->setAccessibleName(tr("Diagnosis"));
    m_table->retranslate();
    refreshFoot();
}

void DiagnosisPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_mend) {
        retranslate();
        Q_EMIT titleChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

#include "ui/panels/DiagnosisPage.h"

#include "core/view/DiagnosisTable.h"
#include "ui/models/CoreText.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>

namespace pt2e::ui {

namespace {

const QString kTag = QStringLiteral("diagnosis");

/// "0.485, 0.456", as the fields of the data's format have it.
QString listText(const std::vector<double>& numbers, double otherwise)
{
    QStringList texts;
    for (const double number : numbers)
        texts << QString::number(number, 'g', 4);
    return texts.isEmpty() ? QString::number(otherwise) : texts.join(QStringLiteral(", "));
}

} // namespace

DiagnosisPage::DiagnosisPage(Session& session, Comparison& comparison, QWidget* parent)
    : SingleTablePage(session, QStringLiteral("diagnosis"), parent),
      m_comparison(comparison),
      m_note(new QLabel(this)),
      m_mend(new QPushButton(this))
{
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
    m_layout->addLayout(foot);
    connect(&session, &Session::snapshotChanged, this, &DiagnosisPage::refresh);
    connect(&comparison, &Comparison::changed, this, &DiagnosisPage::refresh);
    connect(m_mend, &QPushButton::clicked, this, &DiagnosisPage::mend);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DiagnosisPage::refreshFoot);
    retranslate();
}

/// A count only of what was looked at.
QString DiagnosisPage::title() const
{
    return m_filled && m_filled->converted ? tr("Diagnosis %1").arg(m_diagnoses.size())
                                           : tr("Diagnosis");
}

void DiagnosisPage::refresh()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const auto report = m_comparison.isStale() ? nullptr : m_comparison.report();
    if (snapshot == m_filled && report == m_report)
        return;
    m_filled = snapshot;
    m_report = report;
    // Not of a run that is going on: the last snapshot comes when it ends.
    if (!snapshot || !snapshot->converted) {
        m_session.jobs().cancel(kTag);
        show({});
        return;
    }
    m_session.jobs().start(
        Lane::Interactive, kTag, {}, [this, snapshot, report](JobPort&) -> Delivery {
            return [this, found = diagnose(*snapshot, report.get())] { show(found); };
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

std::vector<const Diagnosis*> DiagnosisPage::mendable() const
{
    std::vector<const Diagnosis*> found = chosen();
    std::erase_if(found, [](const Diagnosis* diagnosis) { return !diagnosis->isMendable(); });
    return found;
}

QString DiagnosisPage::emptyText() const
{
    const QString text =
        tr("Looked for: weights with an outlier or a dead channel, values quantized before a clamp "
           "or of one sign on a symmetric grid, inputs that share a range and leave one few codes, "
           "too few batches, and input values unlike the examples. None was found.");
    return m_report
               ? text
               : text + QLatin1Char(' ')
                     + tr(
                         "A comparison also shows shifted means, and data unlike those of calibration.");
}

void DiagnosisPage::refreshFoot()
{
    const auto diagnoses = chosen();
    m_mend->setVisible(!m_diagnoses.empty());
    m_mend->setEnabled(!mendable().empty());
    if (!m_filled || !m_filled->converted)
        m_note->setText(tr("Known illnesses of the quantized model are shown here, once it is "
                           "converted."));
    else if (m_diagnoses.empty())
        m_note->setText(emptyText());
    else if (diagnoses.empty())
        m_note->setText(tr("A row selects its nodes, and can be mended; Ctrl+A takes all."));
    else if (diagnoses.size() > 1)
        m_note->setText(tr("%n places to mend", nullptr, static_cast<int>(mendable().size())));
    else
        m_note->setText(textOf(*diagnoses.front()));
}

QString DiagnosisPage::textOf(const Diagnosis& diagnosis) const
{
    QStringList points;
    for (const Edit& edit : diagnosis.edits)
        points << QString::fromStdString(edit.at.text());
    if (diagnosis.calibration) {
        const CalibrationChoice& now = m_filled->recipe.calibration;
        if (diagnosis.calibration->batches != now.batches)
            points << tr("%n batches", nullptr,
                         static_cast<int>(diagnosis.calibration->batches.value_or(0)));
        if (diagnosis.calibration->format != now.format)
            points << tr("mean %1, std %2")
                          .arg(listText(diagnosis.calibration->format.mean, 0),
                               listText(diagnosis.calibration->format.std, 1));
    }
    if (points.isEmpty())
        return coreText(diagnosis.mend);
    return tr("%1: %2", "what mends it, and where")
        .arg(coreText(diagnosis.mend), points.join(QStringLiteral(", ")));
}

void DiagnosisPage::mend()
{
    const auto diagnoses = mendable();
    if (diagnoses.empty())
        return;
    Recipe recipe = m_session.recipe();
    for (const Diagnosis* diagnosis : diagnoses)
        recipe = mendedRecipe(std::move(recipe), *diagnosis);
    m_session.changeRecipe(recipe,
                           diagnoses.size() == 1
                               ? tr("%1: %2", "what mends it, and where")
                                     .arg(coreText(diagnoses.front()->mend),
                                          QString::fromStdString(diagnoses.front()->name))
                               : tr("Mend %n places", nullptr, static_cast<int>(diagnoses.size())));
}

void DiagnosisPage::retranslate()
{
    m_mend->setText(tr("Apply as an edit"));
    m_table->setAccessibleName(tr("Diagnosis"));
    refreshFoot();
}

} // namespace pt2e::ui

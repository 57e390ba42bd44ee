#include "ui/panels/ModelPage.h"

#include "ui/models/CoreText.h"
#include "ui/models/ModelFacts.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace pt2e::ui {

namespace {

constexpr std::size_t kMaxValues = 8; ///< inputs and outputs shown

QString bytesText(std::int64_t bytes)
{
    return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

/// "x 4×8×16×16 float32", one line each.
QString valueLines(const std::vector<std::pair<QString, QString>>& values)
{
    QStringList lines;
    for (std::size_t i = 0; i < std::min(values.size(), kMaxValues); ++i)
        lines << values[i].first + QStringLiteral("  ") + values[i].second;
    if (values.size() > kMaxValues)
        lines << QStringLiteral("… +%1").arg(values.size() - kMaxValues);
    return lines.join(QLatin1Char('\n'));
}

QString shareText(std::int64_t part, std::int64_t all)
{
    return all == 0 ? QStringLiteral("–") : QStringLiteral("%1 %").arg(percent(part, all));
}

} // namespace

ModelPage::ModelPage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_title(wrappedLabel(this, "big")),
      m_origin(wrappedLabel(this, "muted")),
      m_hint(wrappedLabel(this, "muted"))
{
    QVBoxLayout* layout = pageLayout(this);
    m_title->setObjectName(QStringLiteral("modelTitle"));
    addHead(layout, {m_title, m_origin, m_hint});
    m_program = addSection(this, layout);
    m_programGrid = addGrid(m_program);
    m_quantized = addSection(this, layout);
    m_quantizedGrid = addGrid(m_quantized);
    m_ops = addSection(this, layout);
    m_opsGrid = addGrid(m_ops);
}

void ModelPage::refresh()
{
    const ModelFacts facts = gatherModelFacts(*m_session.snapshot());
    m_title->setText(breakable(facts.name));
    m_origin->setText(facts.origin.isEmpty() ? tr("built-in model") : breakable(facts.origin));
    m_hint->setText(tr("Select a node to see its call, annotation and values."));
    showProgram(facts);
    showQuantized(facts);
    showOps(facts);
}

void ModelPage::addText(QGridLayout* grid, const QString& name, const QString& text)
{
    QLabel* value = wrappedLabel(this);
    value->setText(text);
    addRow(grid, name, value);
}

void ModelPage::showProgram(const ModelFacts& facts)
{
    m_program.title->setText(tr("Program"));
    clearGrid(m_programGrid);
    addText(m_programGrid, tr("inputs"), valueLines(facts.inputs));
    addText(m_programGrid, tr("outputs"), valueLines(facts.outputs));
    addText(
        m_programGrid, tr("weights"),
        tr("%1 values, %2").arg(groupedNumber(facts.parameters), bytesText(facts.parameterBytes)));
}

void ModelPage::showQuantized(const ModelFacts& facts)
{
    m_quantized.widget->setVisible(facts.isAnnotated);
    if (!facts.isAnnotated)
        return;
    const Coverage& coverage = m_session.snapshot()->annotated->coverage;
    m_quantized.title->setText(tr("In int8"));
    clearGrid(m_quantizedGrid);
    addText(m_quantizedGrid, tr("ops"),
            tr("%1 of %2").arg(coverage.opsQuantized).arg(coverage.ops));
    addText(m_quantizedGrid, tr("MACs"), shareText(coverage.macsQuantized, coverage.macs));
    addText(m_quantizedGrid, tr("weight bytes"),
            shareText(coverage.weightBytesQuantized, coverage.weightBytes));
    QStringList observers;
    for (const auto& [name, count] : facts.observers)
        observers << QStringLiteral("%1 %2").arg(count).arg(breakable(name));
    if (!observers.isEmpty())
        addText(m_quantizedGrid, tr("observers"), observers.join(QLatin1Char('\n')));
}

void ModelPage::showOps(const ModelFacts& facts)
{
    m_ops.title->setText(tr("Ops"));
    m_ops.note->setText(facts.isAnnotated ? tr("in int8 / all") : QString());
    clearGrid(m_opsGrid);
    for (const OpFact& op : facts.ops) {
        const QString count = facts.isAnnotated
                                  ? QStringLiteral("%1 / %2").arg(op.quantized).arg(op.count)
                                  : QString::number(op.count);
        QLabel* name = linkLabel(this, op.name);
        name->setToolTip(tr("Select them"));
        name->setAccessibleName(op.name + QLatin1Char(' ') + count);
        connect(name, &QLabel::linkActivated, this, [this, stage = op.stage, nodes = op.nodes] {
            m_session.selection().select(stage, nodes);
        });
        auto* number = new QLabel(count, this);
        number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        if (facts.isAnnotated && op.quantized == 0)
            number->setProperty("muted", true);
        const int row = freeRow(m_opsGrid);
        m_opsGrid->addWidget(name, row, 0, 1, 2);
        m_opsGrid->addWidget(number, row, 2);
    }
}

} // namespace pt2e::ui

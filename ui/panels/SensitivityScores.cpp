// SensitivityPanel: its words, and scores in files.
#include "ui/panels/SensitivityPanel.h"

#include "core/base/OutputFile.h"
#include "ui/panels/MixedPrecisionPart.h"

#include <QComboBox>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace pt2e::ui {

namespace {

bool isCsv(const QString& path)
{
    return path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
}

Result<void> writeFile(const QString& path, const std::string& text)
{
    PT2E_ASSIGN(OutputFile file, OutputFile::create(path.toStdString()));
    PT2E_TRY(file.write(std::as_bytes(std::span(text.data(), text.size()))));
    return file.commit();
}

} // namespace

void SensitivityPanel::saveScores()
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save scores"), QStringLiteral("sensitivity.json"),
                                     tr("JSON (*.json);;CSV (*.csv)"));
    if (!path.isEmpty())
        saveScoresTo(path);
}

void SensitivityPanel::saveScoresTo(const QString& path)
{
    const SensitivityStore store = m_run.store();
    const Result<void> written =
        writeFile(path, isCsv(path) ? writeStoreCsv(store) : writeStore(store));
    if (!written)
        Q_EMIT m_run.failed(QString::fromStdString(written.error().message()));
}

void SensitivityPanel::loadScores()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Load scores"), {},
                                                      tr("Scores (*.json *.csv);;All files (*)"));
    if (!path.isEmpty())
        loadScoresFrom(path);
}

void SensitivityPanel::loadScoresFrom(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT m_run.failed(tr("%1 cannot be read").arg(path));
        return;
    }
    const std::string text = file.readAll().toStdString();
    const std::string name = QFileInfo(path).fileName().toStdString();
    const auto store = isCsv(path) ? readStoreCsv(text, name) : readStore(text, name);
    if (store)
        m_run.addToStore(*store);
    else
        Q_EMIT m_run.failed(QString::fromStdString(store.error().message()));
}

void SensitivityPanel::fillChoices()
{
    const QString modes[] = {tr("only one group quantized"), tr("all but one group quantized"),
                             tr("only the weights of one group"),
                             tr("only the activations of one group")};
    const QSignalBlocker blockers[] = {QSignalBlocker(m_mode), QSignalBlocker(m_metric)};
    m_mode->clear();
    for (const QString& mode : modes)
        m_mode->addItem(mode);
    m_metric->clear();
    for (const SensitivityMetric metric : kSensitivityMetrics)
        m_metric->addItem(metricTitle(metric));
}

void SensitivityPanel::retranslate()
{
    fillChoices();
    m_mode->setAccessibleName(tr("What is quantized"));
    m_mode->setToolTip(tr("A group: values that share an observer, and the weights of the "
                          "operators they come from"));
    m_metric->setAccessibleName(tr("Metric"));
    m_stale->setText(tr("stale"));
    m_stale->setToolTip(tr("stale: the recipe has changed since"));
    m_scores->setText(tr("Scores"));
    QMenu* menu = m_scores->menu();
    menu->clear();
    menu->addAction(tr("Save scores…"), this, &SensitivityPanel::saveScores);
    menu->addAction(tr("Load scores…"), this, &SensitivityPanel::loadScores);
    m_startPage.title->setText(tr("Which part of the quantization costs the most?"));
    m_startPage.text->setText(
        tr("Each group of points that share an observer, with the weights of its operators, is "
           "quantized alone, or left in float alone, and the model's outputs are held against "
           "those of the float model. Then as few groups as can be are found that have to stay "
           "float to meet a target."));
    m_mixed->retranslate();
    refresh();
}

/// What does not fit of the progress is left out.
void SensitivityPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refreshHead();
}

void SensitivityPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_mixed)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

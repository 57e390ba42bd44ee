#include "ui/panels/LogPage.h"

#include "core/view/Labels.h"
#include "core/view/TableCells.h"
#include "ui/models/CoreText.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"

#include <QEvent>
#include <QVBoxLayout>

namespace pt2e::ui {

namespace {
constexpr int kSoon = 100; ///< ms
constexpr const char* kTime = "HH:mm:ss.zzz";
} // namespace

void LogPage::addTo(TablesPanel& tables, Session& session, JobLog& log, StatusLine& status)
{
    auto* page = new LogPage(session, log, &tables);
    tables.addPage(QStringLiteral("log"), page, page);
    connect(&status, &StatusLine::said, &log, &JobLog::addMessage);
}

LogPage::LogPage(Session& session, JobLog& log, QWidget* parent)
    : QWidget(parent),
      m_log(log),
      m_table(new NodeTable(session, QStringLiteral("log"), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &LogPage::refresh);
    connect(&log, &JobLog::changed, this, [this] {
        if (isVisible() && !m_soon.isActive())
            m_soon.start();
    });
    // The log hears of a job's end first: its stages stand behind it.
    connect(&session.jobs(), &JobRunner::finished, this,
            [&session, &log](const JobState& job, bool wasCancelled) {
                const SnapshotPtr& snapshot = session.fullSnapshot();
                if (job.tag != Session::kRunTag || wasCancelled || !snapshot)
                    return;
                for (const StageTime& time : snapshot->times) {
                    if (time.seconds > 0)
                        // In core's words, so that they follow the window's language.
                        log.addStage(QString::fromStdString(pt2e::stageTitle(time.stage)),
                                     static_cast<qint64>(time.seconds * 1000 + 0.5));
                }
            });
    refresh();
}

Table LogPage::logTable() const
{
    Table table;
    table.id = "log";
    table.title = "log";
    table.columns = {"time", "event", "took ms"};
    for (const JobLog::Entry& entry : m_log.entries()) {
        QString what = entry.what;
        if (entry.kind == JobLog::Entry::Kind::Stopped)
            what = tr("%1: stopped").arg(what);
        const bool isStage = entry.kind == JobLog::Entry::Kind::Stage;
        if (isStage)
            what = QStringLiteral("    ") + coreText(what.toStdString());
        table.rows.push_back(
            {{textCell(isStage ? std::string()
                               : entry.at.toString(QString::fromUtf8(kTime)).toStdString()),
              textCell(what.toStdString()),
              entry.milliseconds < 0 ? absentCell() : countCell(entry.milliseconds)},
             {}});
    }
    return table;
}

void LogPage::refresh()
{
    m_table->setTable(logTable());
    m_table->setAccessibleName(title());
    m_table->scrollToBottom();
}

void LogPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void LogPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_table) {
        m_table->retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

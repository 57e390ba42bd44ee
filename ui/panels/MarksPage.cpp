#include "ui/panels/MarksPage.h"

#include "core/view/MarksTable.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace pt2e::ui {

MarksPage::MarksPage(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_table(new NodeTable(session, QStringLiteral("bookmarks"), this)),
      m_none(new QLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_none->setProperty("inset", true);
    m_none->setProperty("muted", true);
    m_none->setWordWrap(true);
    layout->addWidget(m_none);
    layout->addWidget(m_table, 1);
    layout->addStretch(0);
    connect(&session, &Session::marksChanged, this, &MarksPage::refresh);
    refresh();
}

QString MarksPage::title() const
{
    const std::size_t count = m_session.marks().nodes().size();
    return count == 0 ? tr("Bookmarks") : tr("Bookmarks %1").arg(count);
}

void MarksPage::refresh()
{
    const ModelPtr& model = m_session.model();
    m_table->setTable(model ? marksTable(m_session.marks(), *model->exported) : Table{});
    const bool hasMarks = m_table->tableModel().rowCount() > 0;
    m_table->setVisible(hasMarks);
    m_none->setVisible(!hasMarks);
    m_none->setText(tr("Ctrl+B puts a bookmark on the selected node; notes are written in the "
                       "inspector. Both are kept in the project."));
    m_table->setAccessibleName(title());
    Q_EMIT titleChanged();
}

void MarksPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_table) {
        m_table->retranslate();
        refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

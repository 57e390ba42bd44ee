#include "ui/panels/MarksPage.h"

#include "core/view/MarksTable.h"

#include <QLabel>
#include <QVBoxLayout>

namespace pt2e::ui {

MarksPage::MarksPage(Session& session, QWidget* parent)
    : SingleTablePage(session, QStringLiteral("bookmarks"), parent),
      m_none(new QLabel(this))
{
    m_none->setProperty("inset", true);
    m_none->setProperty("muted", true);
    m_none->setWordWrap(true);
    m_layout->setSpacing(0);
    m_layout->insertWidget(0, m_none);
    m_layout->addStretch(0);
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

} // namespace pt2e::ui

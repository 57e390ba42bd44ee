#include "ui/panels/MarksPart.h"

#include "ui/session/Marking.h"

#include <QEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr int kRestMs = 600; ///< a crash costs less than the last second of typing
constexpr int kMostLines = 8;
} // namespace

MarksPart::MarksPart(Session& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_section = addSection(this, layout);
    m_bookmark = new QPushButton(m_section.widget);
    m_bookmark->setObjectName(QStringLiteral("bookmark"));
    m_bookmark->setCheckable(true);
    m_note = new QPlainTextEdit(m_section.widget);
    m_note->setObjectName(QStringLiteral("nodeNote"));
    m_note->setTabChangesFocus(true);
    m_note->installEventFilter(this);
    m_section.body->addWidget(m_bookmark, 0, Qt::AlignLeft);
    m_section.body->addWidget(m_note);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(m_bookmark, &QPushButton::clicked, this, [this] { toggleBookmark(m_session); });
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        fitNote();
        if (!m_isRefreshing)
            m_rest.start();
    });
    connect(&m_rest, &QTimer::timeout, this, &MarksPart::commit);
    connect(&session.selection(), &Selection::changed, this, &MarksPart::refresh);
    connect(&session, &Session::snapshotChanged, this, &MarksPart::refresh);
    connect(&session, &Session::marksChanged, this, &MarksPart::refresh);
    retranslate();
    refresh();
}

void MarksPart::commit()
{
    m_rest.stop();
    if (m_node.empty() || m_isRefreshing)
        return;
    const QString text = m_note->toPlainText().trimmed();
    m_session.changeMarks(m_session.marks().withNote(m_node, text.toStdString()),
                          tr("Note on %1").arg(QString::fromStdString(m_node)), m_sitting);
}

void MarksPart::refresh()
{
    if (m_isRefreshing)
        return;
    const std::string node = markableNode(m_session);
    if (node != m_node) {
        commit();
        ++m_sitting;
        m_node = node;
    }
    const NodeMarks& marks = m_session.marks();
    const QString note = QString::fromStdString(marks.noteOn(m_node));
    m_isRefreshing = true;
    setVisible(!m_node.empty());
    m_bookmark->setChecked(marks.isBookmarked(m_node));
    // What is being typed is not disturbed by its own edit.
    if (m_note->toPlainText().trimmed() != note) {
        m_note->setPlainText(note);
        m_rest.stop();
    }
    m_isRefreshing = false;
    retranslate();
}

/// As high as the note is, up to a few lines.
void MarksPart::fitNote()
{
    // The height of a plain text document is counted in lines, wrapped ones included.
    const int lines =
        std::clamp(static_cast<int>(m_note->document()->size().height()), 2, kMostLines);
    const int height = lines * m_note->fontMetrics().lineSpacing() + 24;
    if (height != m_note->height())
        m_note->setFixedHeight(height);
}

void MarksPart::retranslate()
{
    m_section.title->setText(tr("Bookmark and note"));
    m_bookmark->setText(m_bookmark->isChecked() ? tr("Bookmarked") : tr("Bookmark"));
    m_bookmark->setToolTip(tr("Listed under Bookmarks (Ctrl+B)"));
    m_note->setPlaceholderText(tr("A note on this node"));
    m_note->setAccessibleName(tr("Note on %1").arg(QString::fromStdString(m_node)));
}

bool MarksPart::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_note && event->type() == QEvent::Resize)
        QTimer::singleShot(0, this, &MarksPart::fitNote); // it wraps at other places
    if (object == m_note && event->type() == QEvent::FocusOut) {
        commit();
        ++m_sitting;
    }
    return QWidget::eventFilter(object, event);
}

void MarksPart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_note)
        retranslate();
    if (event->type() == QEvent::FontChange && m_note)
        fitNote();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

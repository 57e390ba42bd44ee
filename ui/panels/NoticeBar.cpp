#include "ui/panels/NoticeBar.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("notices"));
    m_rows->setContentsMargins(16, 10, 16, 0);
    m_rows->setSpacing(8);
    hide();
}

void NoticeBar::show(Notice notice)
{
    std::erase_if(m_notices, [&](const Notice& other) { return other.id == notice.id; });
    m_notices.push_back(std::move(notice));
    rebuild();
}

void NoticeBar::remove(const QString& id)
{
    if (std::erase_if(m_notices, [&](const Notice& notice) { return notice.id == id; }) > 0)
        rebuild();
}

const Notice* NoticeBar::find(const QString& id) const
{
    const auto found = std::find_if(m_notices.begin(), m_notices.end(),
                                    [&](const Notice& notice) { return notice.id == id; });
    return found == m_notices.end() ? nullptr : &*found;
}

void NoticeBar::rebuild()
{
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const Notice& notice : m_notices) {
        auto* row = new QFrame(this);
        row->setObjectName(QStringLiteral("notice"));
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(12, 8, 10, 8);
        layout->setSpacing(8);
        auto* text = new QLabel(notice.text(), row);
        text->setObjectName(QStringLiteral("noticeText"));
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
        layout->addWidget(text, 1);
        for (const Notice::Answer& answer : notice.answers) {
            auto* button = new QPushButton(answer.text(), row);
            button->setObjectName(QStringLiteral("notice.") + answer.id);
            button->setProperty(&answer == &notice.answers.front() ? "primary" : "outline", true);
            connect(button, &QPushButton::clicked, this,
                    [this, id = notice.id, action = answer.action] {
                        remove(id);
                        if (action)
                            action();
                    });
            layout->addWidget(button);
        }
        m_rows->addWidget(row);
    }
    setVisible(!m_notices.empty());
}

void NoticeBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        rebuild();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

#include "ui/panels/Breadcrumb.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace pt2e::ui {

Breadcrumb::Breadcrumb(Session& session, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_steps(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("breadcrumb"));
    m_steps->setContentsMargins(6, 0, 6, 0);
    m_steps->setSpacing(4);
    connect(&session.view(), &ViewState::changed, this, &Breadcrumb::refresh);
    connect(&session, &Session::modelChanged, this, &Breadcrumb::refresh);
    refresh();
}

void Breadcrumb::add(const QString& text, const std::string& path, bool isHere)
{
    if (isHere) {
        auto* here = new QLabel(QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()), this);
        here->setToolTip(tr("The panes show this graph"));
        m_steps->addWidget(here);
        return;
    }
    auto* step = new QPushButton(text, this);
    step->setObjectName(QStringLiteral("step.") + QString::fromStdString(path));
    step->setProperty("chip", true);
    step->setToolTip(tr("Back to %1").arg(text));
    connect(step, &QPushButton::clicked, this, [this, path] { m_session.view().enter(path); });
    m_steps->addWidget(step);
}

void Breadcrumb::refresh()
{
    const std::string& body = m_session.view().body();
    const QString shown = m_session.modelName() + QLatin1Char('\n') + QString::fromStdString(body);
    setVisible(!body.empty());
    if (shown == m_shown)
        return;
    m_shown = shown;
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    if (body.empty())
        return;
    add(m_session.modelName(), {}, false);
    for (std::size_t begin = 0; begin < body.size();) {
        const std::size_t end = std::min(body.find('/', begin), body.size());
        auto* arrow = new QLabel(QStringLiteral("\u25B8"), this);
        arrow->setProperty("muted", true);
        m_steps->addWidget(arrow);
        add(QString::fromStdString(body.substr(begin, end - begin)), body.substr(0, end),
            end == body.size());
        begin = end + 1;
    }
    m_steps->addStretch(1);
}

void Breadcrumb::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_shown.clear();
        refresh();
    }
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

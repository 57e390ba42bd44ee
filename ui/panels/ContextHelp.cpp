#include "ui/panels/ContextHelp.h"

#include "ui/canvas/GraphView.h"
#include "ui/models/CoreText.h"
#include "ui/models/Glossary.h"
#include "ui/panels/FocusBar.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/NodeTable.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/Section.h"
#include "ui/panels/StageStrip.h"
#include "ui/panels/StartPage.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"
#include "ui/panels/TopBar.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr int kWidth = 460; ///< pixels of text at normal size

QString words(const char* text) { return QCoreApplication::translate("Help", text); }

const PanelHelp& helpOf(const QString& id)
{
    const auto& all = panelHelps();
    const auto it = std::find_if(all.begin(), all.end(), [&id](const PanelHelp& help) {
        return id == QLatin1String(help.id);
    });
    return it == all.end() ? all.front() : *it;
}

QLabel* headingIn(QVBoxLayout* layout, const QString& text)
{
    auto* label = new QLabel(text);
    label->setProperty("title", true);
    layout->addSpacing(6);
    layout->addWidget(label);
    return label;
}

/// Rows of a muted name and what it is.
void addRows(QVBoxLayout* layout, const std::vector<std::pair<QString, QString>>& rows)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto& [name, what] : rows) {
        auto* label = new QLabel(name);
        label->setProperty("muted", true);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(label, row, 0);
        QLabel* text = wrappedLabel(nullptr);
        text->setText(what);
        grid->addWidget(text, row++, 1);
    }
    layout->addLayout(grid);
}

/// The table that has the keyboard, or the first one that is seen in its tab.
const NodeTable* tableAt(const QWidget* at)
{
    for (const QWidget* widget = at; widget; widget = widget->parentWidget()) {
        if (const auto* table = qobject_cast<const NodeTable*>(widget))
            return table;
        if (qobject_cast<const TablesPanel*>(widget)) {
            for (const NodeTable* table : widget->findChildren<const NodeTable*>()) {
                if (table->isVisible())
                    return table;
            }
        }
    }
    return nullptr;
}

} // namespace

QString ContextHelp::panelOf(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget()) {
        if (const auto* tables = qobject_cast<const TablesPanel*>(widget))
            return tables->shownTable();
        const std::pair<const char*, bool> kPanels[] = {
            {"graph", qobject_cast<const GraphView*>(widget)},
            {"inspector", qobject_cast<const Inspector*>(widget)},
            {"outline", qobject_cast<const OutlinePanel*>(widget)},
            {"focus", qobject_cast<const FocusBar*>(widget)},
            {"stages", qobject_cast<const StageStrip*>(widget)},
            {"top", qobject_cast<const TopBar*>(widget)},
            {"start", qobject_cast<const StartPage*>(widget)},
            {"status", qobject_cast<const StatusLine*>(widget)},
        };
        for (const auto& [id, isIt] : kPanels) {
            if (isIt)
                return QString::fromUtf8(id);
        }
    }
    return QStringLiteral("window");
}

ContextHelp::ContextHelp(const QWidget* at, QWidget* parent) : QDialog(parent), m_id(panelOf(at))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("contextHelp"));
    setWindowTitle(tr("Help"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    outer->addWidget(scroll);
    auto* page = new QWidget;
    scroll->setWidget(page);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 20, 24, 20);
    layout->setSpacing(8);
    const PanelHelp& help = helpOf(m_id);
    auto* title = new QLabel(words(help.title));
    title->setProperty("big", true);
    layout->addWidget(title);
    QLabel* text = wrappedLabel(nullptr);
    text->setObjectName(QStringLiteral("helpText"));
    text->setText(words(help.text));
    layout->addWidget(text);
    if (!help.keys.empty()) {
        headingIn(layout, tr("Keys"));
        std::vector<std::pair<QString, QString>> rows;
        for (const auto& [keys, what] : help.keys)
            rows.emplace_back(words(keys), words(what));
        addRows(layout, rows);
    }
    addTerms(at, layout);
    auto* foot = new QLabel(tr("F1 lists all keys."));
    foot->setProperty("muted", true);
    layout->addSpacing(6);
    layout->addWidget(foot);
    layout->addStretch(1);
    const int width = kWidth * fontMetrics().height() / 16;
    const int wanted = page->layout()->hasHeightForWidth()
                           ? page->layout()->totalHeightForWidth(width)
                           : page->sizeHint().height();
    resize(width, std::min(wanted + 8, parent->height() * 4 / 5));
}

/// What the columns of the table mean; elsewhere the words of quantization.
void ContextHelp::addTerms(const QWidget* at, QVBoxLayout* layout)
{
    std::vector<std::string> terms;
    if (const NodeTable* table = tableAt(at))
        terms = table->table().columns;
    else if (m_id == QLatin1String("graph") || m_id == QLatin1String("inspector"))
        terms = {"observer", "scale", "zero point", "q/dq", "per channel", "fan-out", "anchor"};
    else if (m_id == QLatin1String("stages"))
        terms = {"annotation", "calibration", "partition"};
    std::vector<std::pair<QString, QString>> rows;
    for (const std::string& term : terms) {
        if (const QString meaning = meaningOf(term); !meaning.isEmpty())
            rows.emplace_back(coreText(term), meaning);
    }
    if (rows.empty())
        return;
    headingIn(layout, tr("Words"));
    addRows(layout, rows);
}

} // namespace pt2e::ui

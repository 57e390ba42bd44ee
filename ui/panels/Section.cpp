#include "ui/panels/Section.h"

#include "ui/session/Appearance.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace pt2e::ui {

EmptyPage addEmptyPage(QStackedWidget* stack)
{
    EmptyPage page;
    page.widget = new QWidget(stack);
    auto* layout = new QVBoxLayout(page.widget);
    layout->setContentsMargins(14, 8, 14, 10);
    layout->setSpacing(8);
    page.title = new QLabel(page.widget);
    page.title->setProperty("title", true);
    page.text = new QLabel(page.widget);
    page.text->setProperty("muted", true);
    page.text->setWordWrap(true);
    layout->addWidget(page.title);
    layout->addWidget(page.text);
    layout->addStretch(1);
    stack->addWidget(page.widget);
    return page;
}

QVBoxLayout* pageLayout(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    return layout;
}

void addHead(QVBoxLayout* layout, const std::vector<QLabel*>& labels)
{
    auto* head = new QVBoxLayout;
    head->setContentsMargins(kSectionMargin, 12, kSectionMargin, 8);
    head->setSpacing(5);
    for (QLabel* label : labels)
        head->addWidget(label);
    layout->addLayout(head);
}

Section addSection(QWidget* page, QVBoxLayout* layout)
{
    Section section;
    section.widget = new QWidget(page);
    auto* outer = new QVBoxLayout(section.widget);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(8);
    auto* rule = new QFrame(section.widget);
    rule->setProperty("rule", true);
    outer->addWidget(rule);
    section.body = new QVBoxLayout;
    section.body->setContentsMargins(kSectionMargin, 2, kSectionMargin, 8);
    section.body->setSpacing(6);
    auto* header = new QHBoxLayout;
    section.title = new QLabel(section.widget);
    section.title->setProperty("title", true);
    section.note = new QLabel(section.widget);
    section.note->setProperty("muted", true);
    section.note->setWordWrap(true);
    section.note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    section.note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    header->addWidget(section.title);
    header->addWidget(section.note, 1);
    section.body->addLayout(header);
    outer->addLayout(section.body);
    layout->addWidget(section.widget);
    return section;
}

QGridLayout* addGrid(const Section& section)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    section.body->addLayout(grid);
    return grid;
}

void addRow(QGridLayout* grid, const QString& name, QWidget* value)
{
    auto* label = new QLabel(name, value->parentWidget());
    label->setProperty("muted", true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    const int row = freeRow(grid);
    grid->addWidget(label, row, 0);
    grid->addWidget(value, row, 1);
}

int freeRow(const QGridLayout* grid)
{
    int row = 0;
    while (grid->itemAtPosition(row, 0) || grid->itemAtPosition(row, 1))
        ++row;
    return row;
}

void clearGrid(QGridLayout* grid)
{
    while (QLayoutItem* item = grid->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

QLabel* wrappedLabel(QWidget* parent, const char* property)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    if (property)
        label->setProperty(property, true);
    return label;
}

QLabel* linkLabel(QWidget* parent, const QString& text)
{
    QLabel* label = wrappedLabel(parent);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setTextFormat(Qt::RichText);
    label->setText(QStringLiteral("<a href='#' style='text-decoration:none;color:%1'>%2</a>")
                       .arg(Appearance::instance().color(ColorRole::QuantText).name(),
                            breakable(text.toHtmlEscaped())));
    return label;
}

QString breakable(QString text)
{
    for (const QLatin1String mark :
         {QLatin1String(","), QLatin1String("."), QLatin1String("_"), QLatin1String("/")})
        text.replace(mark, mark + QChar(0x200B));
    return text;
}

} // namespace pt2e::ui

#include "ui/panels/StartPage.h"

#include "ui/panels/GalleryCard.h"

#include <QClipboard>
#include <QEvent>
#include <QFileInfo>
#include <QFrame>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

QString exportSnippet()
{
    return QStringLiteral("import torch\n"
                          "program = torch.export.export(model.eval(), example_inputs)\n"
                          "torch.export.save(program, \"model.pt2\")");
}

StartPage::StartPage(Preferences& preferences, QWidget* parent)
    : QWidget(parent),
      m_preferences(preferences),
      m_gallery(new GalleryModel(this))
{
    build();
    retranslate();
    connect(&preferences, &Preferences::recentFilesChanged, this, &StartPage::refreshRecent);
}

void StartPage::build()
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(scroll);
    setFocusPolicy(Qt::StrongFocus);
    auto* page = new QWidget;
    scroll->setWidget(page);
    auto* center = new QHBoxLayout(page);
    center->addStretch(1);
    auto* column = new QWidget(page);
    column->setMaximumWidth(1400);
    center->addWidget(column, 30);
    center->addStretch(1);

    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(24, 36, 24, 24);
    layout->setSpacing(10);
    m_heading = new QLabel(column);
    m_heading->setProperty("huge", true);
    m_lead = new QLabel(column);
    m_lead->setProperty("muted", true);
    m_lead->setWordWrap(true);
    m_problem = new QLabel(column);
    m_problem->setObjectName(QStringLiteral("message"));
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    m_builtIn = new QLabel(column);
    m_builtIn->setProperty("big", true);
    m_cards = new QWidget(column);
    m_cardGrid = new QGridLayout(m_cards);
    m_cardGrid->setContentsMargins(0, 0, 0, 0);
    m_cardGrid->setSpacing(12);
    layout->addWidget(m_heading);
    layout->addWidget(m_lead);
    layout->addWidget(m_problem);
    layout->addSpacing(16);
    layout->addWidget(m_builtIn);
    layout->addWidget(m_cards);
    layout->addSpacing(16);
    buildCards();
    arrangeCards();

    auto* lower = new QGridLayout;
    lower->setHorizontalSpacing(24);
    lower->setColumnStretch(0, 1);
    lower->setColumnStretch(1, 1);
    layout->addLayout(lower);
    layout->addStretch(1);

    m_recentTitle = new QLabel(column);
    m_recentTitle->setProperty("big", true);
    lower->addWidget(m_recentTitle, 0, 0);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(2);
    lower->addLayout(m_recent, 1, 0, Qt::AlignTop);

    m_exportTitle = new QLabel(column);
    m_exportTitle->setProperty("big", true);
    lower->addWidget(m_exportTitle, 0, 1);
    m_drop = new QFrame(column);
    m_drop->setObjectName(QStringLiteral("dropTarget"));
    auto* drop = new QVBoxLayout(m_drop);
    drop->setContentsMargins(18, 16, 18, 16);
    drop->setSpacing(10);
    m_dropText = new QLabel(m_drop);
    m_dropText->setWordWrap(true);
    m_choose = new QPushButton(m_drop);
    m_choose->setProperty("outline", true);
    m_exportCode = new QLabel(exportSnippet(), m_drop);
    m_exportCode->setProperty("mono", true);
    m_exportCode->setProperty("small", true);
    m_exportCode->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy = new QPushButton(m_drop);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_choose);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    drop->addWidget(m_dropText);
    drop->addWidget(m_exportCode);
    drop->addLayout(buttons);
    lower->addWidget(m_drop, 1, 1, Qt::AlignTop);
    connect(m_choose, &QPushButton::clicked, this, &StartPage::chooseFileWanted);
    connect(m_copy, &QPushButton::clicked, this,
            [] { QGuiApplication::clipboard()->setText(exportSnippet()); });
}

void StartPage::buildCards()
{
    for (int row = 0; row < m_gallery->rowCount(); ++row) {
        auto* card = new GalleryCard(m_cards);
        const QString name = m_gallery->index(row).data(GalleryModel::NameRole).toString();
        card->setObjectName(QStringLiteral("gallery.") + name);
        connect(card, &QAbstractButton::clicked, this, [this, name] { Q_EMIT openWanted(name); });
        m_cardList.push_back(card);
    }
}

/// As many beside each other as have room, so that what stands below the cards is in sight.
void StartPage::arrangeCards()
{
    constexpr int kWide = 1400;
    const int columns = width() >= kWide ? 3 : 2;
    if (columns == m_cardColumns)
        return;
    m_cardColumns = columns;
    for (std::size_t i = 0; i < m_cardList.size(); ++i) {
        const int at = static_cast<int>(i);
        m_cardGrid->addWidget(m_cardList[i], at / columns, at % columns);
    }
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeCards();
}

void StartPage::refreshRecent()
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    const QStringList projects = m_preferences.recentProjects().mid(0, 4);
    const QStringList files = m_preferences.recentFiles().mid(0, projects.isEmpty() ? 6 : 4);
    if (projects.isEmpty() && files.isEmpty()) {
        auto* none = new QLabel(tr("No files yet."), this);
        none->setProperty("muted", true);
        m_recent->addWidget(none);
        return;
    }
    addRecent(projects);
    if (!projects.isEmpty() && !files.isEmpty()) {
        auto* title = new QLabel(tr("Recent models"), this);
        title->setProperty("big", true);
        m_recent->addSpacing(14);
        m_recent->addWidget(title);
    }
    addRecent(files);
    m_recentTitle->setText(projects.isEmpty() ? tr("Recent models") : tr("Recent projects"));
}

void StartPage::addRecent(const QStringList& paths)
{
    for (const QString& path : paths) {
        auto* link = new QPushButton(QFileInfo(path).fileName(), this);
        link->setProperty("link", true);
        link->setToolTip(path);
        link->setCursor(Qt::PointingHandCursor);
        connect(link, &QPushButton::clicked, this, [this, path] { Q_EMIT openWanted(path); });
        m_recent->addWidget(link);
        auto* folder = new QLabel(QFileInfo(path).path(), this);
        folder->setProperty("muted", true);
        folder->setProperty("small", true);
        m_recent->addWidget(folder);
    }
}

void StartPage::setDropActive(bool active)
{
    if (m_drop->property("active").toBool() == active)
        return;
    m_drop->setProperty("active", active);
    m_drop->style()->unpolish(m_drop);
    m_drop->style()->polish(m_drop);
}

void StartPage::showProblem(const QString& message)
{
    m_problem->setText(message);
    m_problem->setVisible(!message.isEmpty());
}

void StartPage::retranslate()
{
    m_heading->setText(tr("PT2E Workbench"));
    m_lead->setText(tr(
        "Watch a model become int8: exported, prepared and converted side by side, with PyTorch's own "
        "names and numbers."));
    m_builtIn->setText(tr("Built-in models"));
    m_recentTitle->setText(tr("Recent models"));
    m_exportTitle->setText(tr("Your own model"));
    m_dropText->setText(tr("Drop a .pt2 file here. Three lines of Python make one:"));
    m_choose->setText(tr("Open a file…"));
    m_copy->setText(tr("Copy the lines"));
    for (int row = 0; row < m_gallery->rowCount(); ++row) {
        GalleryCard* const card = m_cardList[static_cast<std::size_t>(row)];
        const QModelIndex index = m_gallery->index(row);
        card->setTexts(index.data(GalleryModel::NameRole).toString(),
                       index.data(GalleryModel::SummaryRole).toString(),
                       index.data(GalleryModel::LessonRole).toString());
    }
    refreshRecent();
}

void StartPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

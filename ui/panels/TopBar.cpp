#include "ui/panels/TopBar.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace pt2e::ui {

namespace {

/// Entries of the data box: what its item data says.
enum DataEntry { Random8, Random32, Examples, ChosenFile, ChooseFile };

/// Entries of the quantizer box.
constexpr QuantizerFlavor kFlavors[] = {QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch,
                                        QuantizerFlavor::None};

} // namespace

TopBar::TopBar(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_open(new QToolButton(this)),
      m_model(new QLabel(this)),
      m_quantizerLabel(new QLabel(this)),
      m_quantizer(new QComboBox(this)),
      m_weightsLabel(new QLabel(this)),
      m_weights(new QComboBox(this)),
      m_lists(new QLabel(this)),
      m_dataLabel(new QLabel(this)),
      m_data(new QComboBox(this)),
      m_run(new QPushButton(this)),
      m_compare(new QPushButton(this)),
      m_search(new QPushButton(this))
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    build();
    connect(m_quantizer, &QComboBox::activated, this, [this](int index) {
        Recipe recipe = m_session.recipe();
        recipe.quantizer.flavor = kFlavors[index];
        m_session.changeRecipe(recipe, tr("Choose the quantizer"));
    });
    connect(m_weights, &QComboBox::activated, this, [this](int index) {
        Recipe recipe = m_session.recipe();
        recipe.quantizer.global = recipe.quantizer.global.value_or(QuantizationConfig{});
        recipe.quantizer.global->perChannel = index == 0;
        m_session.changeRecipe(recipe,
                               index == 0 ? tr("Weights per channel") : tr("Weights per tensor"));
    });
    connect(m_data, &QComboBox::activated, this, &TopBar::chooseData);
    connect(m_run, &QPushButton::clicked, this, &TopBar::runWanted);
    connect(m_compare, &QPushButton::clicked, this, &TopBar::compareWanted);
    connect(m_search, &QPushButton::clicked, this, &TopBar::searchWanted);
    connect(&session, &Session::modelChanged, this, &TopBar::refresh);
    connect(&session, &Session::recipeChanged, this, &TopBar::refresh);
    retranslate();
}

void TopBar::build()
{
    m_open->setProperty("flat", true);
    m_open->setPopupMode(QToolButton::InstantPopup);
    m_open->setProperty("hasMenu", true);
    m_model->setProperty("title", true);
    m_model->setObjectName(QStringLiteral("modelName"));
    for (QLabel* label : {m_quantizerLabel, m_weightsLabel, m_dataLabel, m_lists})
        label->setProperty("muted", true);
    m_lists->setObjectName(QStringLiteral("settingLists"));
    m_quantizer->setObjectName(QStringLiteral("quantizer"));
    m_weights->setObjectName(QStringLiteral("weights"));
    m_data->setObjectName(QStringLiteral("data"));
    for (QComboBox* box : {m_quantizer, m_weights, m_data})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("run"));
    m_compare->setProperty("outline", true);
    m_compare->setObjectName(QStringLiteral("compare"));
    m_search->setProperty("search", true);
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setMinimumWidth(120);
    m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 7, 16, 8);
    layout->setSpacing(8);
    layout->addWidget(m_open);
    layout->addWidget(m_model);
    layout->addSpacing(14);
    layout->addWidget(m_quantizerLabel);
    layout->addWidget(m_quantizer);
    layout->addSpacing(4);
    layout->addWidget(m_weightsLabel);
    layout->addWidget(m_weights);
    layout->addWidget(m_lists);
    layout->addSpacing(4);
    layout->addWidget(m_dataLabel);
    layout->addWidget(m_data);
    layout->addSpacing(6);
    layout->addWidget(m_run);
    layout->addWidget(m_compare);
    layout->addStretch(1);
    layout->addWidget(m_search, 3);
}

void TopBar::setOpenMenu(QMenu* menu) { m_open->setMenu(menu); }

void TopBar::setCompareEnabled(bool enabled) { m_compare->setEnabled(enabled); }

void TopBar::refresh()
{
    const bool hasModel = m_session.model() != nullptr;
    m_model->setText(hasModel ? m_session.modelName() : tr("No model"));
    m_model->setToolTip(hasModel ? QString::fromStdString(m_session.model()->path) : QString());
    const Recipe& recipe = m_session.recipe();
    for (QWidget* widget : {static_cast<QWidget*>(m_quantizer), static_cast<QWidget*>(m_weights),
                            static_cast<QWidget*>(m_data), static_cast<QWidget*>(m_run)})
        widget->setEnabled(hasModel && !m_session.isQuantizedFile());
    for (int i = 0; i < m_quantizer->count(); ++i) {
        if (kFlavors[i] == recipe.quantizer.flavor)
            m_quantizer->setCurrentIndex(i);
    }
    m_weights->setEnabled(hasModel && !m_session.isQuantizedFile()
                          && recipe.quantizer.flavor != QuantizerFlavor::None);
    m_weights->setCurrentIndex(!recipe.quantizer.global              ? -1
                               : recipe.quantizer.global->perChannel ? 0
                                                                     : 1);
    m_weights->setPlaceholderText(tr("no global setting"));
    refreshLists();
    refreshData();
}

void TopBar::refreshLists()
{
    const QuantizerSettings& settings = m_session.recipe().quantizer;
    const auto modules = static_cast<int>(settings.moduleName.size() + settings.moduleType.size());
    const auto operators = static_cast<int>(settings.operatorType.size());
    QStringList parts;
    if (modules > 0)
        parts << tr("%n module settings", nullptr, modules);
    if (operators > 0)
        parts << tr("%n operator settings", nullptr, operators);
    const bool isShown = !parts.isEmpty() && settings.flavor != QuantizerFlavor::None;
    m_lists->setText(isShown ? QStringLiteral("· ") + parts.join(QStringLiteral(" · "))
                             : QString());
    m_lists->setVisible(isShown);
    QStringList names;
    for (const auto* list : {&settings.moduleName, &settings.moduleType, &settings.operatorType}) {
        for (const NamedConfig& named : *list)
            names << QString::fromStdString(named.name);
    }
    m_lists->setToolTip(names.join(QLatin1Char('\n')));
}

void TopBar::refreshData()
{
    const CalibrationChoice& choice = m_session.recipe().calibration;
    m_data->clear();
    m_data->addItem(tr("%n random batches", nullptr, 8), Random8);
    m_data->addItem(tr("%n random batches", nullptr, 32), Random32);
    if (m_session.model() && !m_session.model()->examples.empty())
        m_data->addItem(tr("example inputs"), Examples);
    int current =
        choice.source == CalibrationChoice::Source::Random && choice.batches == 32 ? 1 : 0;
    if (choice.source == CalibrationChoice::Source::Examples)
        current = m_data->findData(Examples);
    if (choice.source == CalibrationChoice::Source::File) {
        m_data->addItem(QFileInfo(QString::fromStdString(choice.path)).fileName(), ChosenFile);
        current = m_data->count() - 1;
    }
    m_data->addItem(tr("file…"), ChooseFile);
    m_data->setCurrentIndex(current);
}

void TopBar::chooseData(int index)
{
    Recipe recipe = m_session.recipe();
    CalibrationChoice& choice = recipe.calibration;
    switch (m_data->itemData(index).toInt()) {
    case Random8:
    case Random32:
        choice.source = CalibrationChoice::Source::Random;
        choice.path.clear();
        choice.batches = m_data->itemData(index).toInt() == Random8 ? 8 : 32;
        break;
    case Examples:
        choice.source = CalibrationChoice::Source::Examples;
        choice.path.clear();
        choice.batches.reset();
        break;
    case ChooseFile:
        refreshData(); // the box shows what is in force until a file has been chosen
        Q_EMIT dataFileWanted();
        return;
    default: return;
    }
    m_session.changeRecipe(recipe, tr("Choose calibration data"));
}

void TopBar::retranslate()
{
    m_open->setText(tr("Open"));
    m_quantizerLabel->setText(tr("Quantizer"));
    m_weightsLabel->setText(tr("Weights"));
    m_dataLabel->setText(tr("Data"));
    m_quantizer->setAccessibleName(tr("Quantizer"));
    m_weights->setAccessibleName(tr("Weights"));
    m_data->setAccessibleName(tr("Calibration data"));
    m_quantizer->clear();
    m_quantizer->addItems({QStringLiteral("torchao"), QStringLiteral("executorch"), tr("none")});
    m_weights->clear();
    m_weights->addItems({tr("per channel"), tr("per tensor")});
    m_run->setText(tr("Run  F5"));
    m_run->setToolTip(tr("Run all stages (F5)"));
    m_compare->setText(tr("Compare"));
    m_compare->setToolTip(tr("Run float, simulated int8 and XNNPACK, and compare (F6)"));
    m_search->setMaximumWidth(fontMetrics().horizontalAdvance(QLatin1Char('m')) * 34);
    updateSearchText();
    refresh();
}

/// The long text where it fits; the button's width does not depend on it.
void TopBar::updateSearchText()
{
    const QString full = tr("Find node, op, table or command   Ctrl+K");
    const int room = m_search->width() - 2 * fontMetrics().horizontalAdvance(QLatin1Char('m')) - 12;
    const QString middle = tr("Find   Ctrl+K");
    const auto fits = [&](const QString& text) {
        return fontMetrics().horizontalAdvance(text) <= room;
    };
    m_search->setText(fits(full) ? full : fits(middle) ? middle : QStringLiteral("Ctrl+K"));
    m_search->setAccessibleName(full);
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate(); // the button's own width is wanted below
    updateSearchText();
}

void TopBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui

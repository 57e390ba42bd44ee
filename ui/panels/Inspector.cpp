#include "ui/panels/Inspector.h"

#include "ui/charts/Histogram.h"
#include "ui/models/CoreText.h"
#include "ui/panels/AnnotationForm.h"
#include "ui/session/Appearance.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pt2e::ui {

namespace {

constexpr int kMargin = 14;
constexpr std::size_t kMaxUsers = 40;

QLabel* wrappedLabel(QWidget* parent, const char* property = nullptr)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    if (property)
        label->setProperty(property, true);
    return label;
}

/// Zero-width spaces behind what a long name or call may be broken at.
QString breakable(QString text)
{
    for (const QLatin1String mark :
         {QLatin1String(","), QLatin1String("."), QLatin1String("_"), QLatin1String("/")})
        text.replace(mark, mark + QChar(0x200B));
    return text;
}

} // namespace

Inspector::Inspector(Session& session, QWidget* parent) : QFrame(parent), m_session(session)
{
    setObjectName(QStringLiteral("card"));
    build();
    connect(&session.selection(), &Selection::changed, this, &Inspector::refresh);
    connect(&session, &Session::snapshotChanged, this, &Inspector::refresh);
    connect(&Appearance::instance(), &Appearance::changed, this, &Inspector::rebuild);
    refresh();
}

void Inspector::setEngineSource(std::function<QString(const std::vector<NodeId>&)> source)
{
    m_engineOf = std::move(source);
    rebuild();
}

Inspector::Section Inspector::addSection(QVBoxLayout* layout)
{
    Section section;
    section.widget = new QWidget(m_page);
    auto* outer = new QVBoxLayout(section.widget);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(8);
    auto* rule = new QFrame(section.widget);
    rule->setProperty("rule", true);
    outer->addWidget(rule);
    section.body = new QVBoxLayout;
    section.body->setContentsMargins(kMargin, 2, kMargin, 8);
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

void Inspector::build()
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 1, 1, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(scroll);
    auto* all = new QWidget;
    scroll->setWidget(all);
    auto* stack = new QVBoxLayout(all);
    stack->setContentsMargins(0, 0, 0, 0);
    m_empty = wrappedLabel(all, "muted");
    m_empty->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    stack->addWidget(m_empty);
    m_page = new QWidget(all);
    stack->addWidget(m_page);
    stack->addStretch(1);

    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(kMargin, 12, kMargin, 8);
    head->setSpacing(5);
    m_title = wrappedLabel(m_page, "big");
    m_title->setObjectName(QStringLiteral("inspectorTitle"));
    m_subtitle = wrappedLabel(m_page, "muted");
    m_call = wrappedLabel(m_page, "mono");
    m_call->setObjectName(QStringLiteral("inspectorCall"));
    m_value = wrappedLabel(m_page, "muted");
    m_whyNot = wrappedLabel(m_page, "warn");
    for (QLabel* label : {m_title, m_subtitle, m_call, m_value, m_whyNot})
        head->addWidget(label);
    layout->addLayout(head);

    m_annotation = addSection(layout);
    m_form = new AnnotationForm(m_session, m_annotation.widget);
    m_annotation.body->addWidget(m_form);
    m_values = addSection(layout);
    m_histogram = new Histogram(m_values.widget);
    m_numbers = wrappedLabel(m_values.widget);
    m_values.body->addWidget(m_histogram);
    m_values.body->addWidget(m_numbers);
    const auto addGrid = [](const Section& section) {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(12);
        grid->setVerticalSpacing(5);
        grid->setColumnStretch(1, 1);
        section.body->addLayout(grid);
        return grid;
    };
    m_across = addSection(layout);
    m_acrossGrid = addGrid(m_across);
    m_users = addSection(layout);
    m_usersGrid = addGrid(m_users);
    m_meta = addSection(layout);
    m_metaGrid = addGrid(m_meta);
}

void Inspector::clearGrid(QGridLayout* grid)
{
    while (QLayoutItem* item = grid->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

void Inspector::rebuild()
{
    m_built = nullptr;
    refresh();
}

void Inspector::refresh()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const Selection& selection = m_session.selection();
    const NodeFacts before =
        std::exchange(m_facts, snapshot && !selection.isEmpty()
                                   ? gatherFacts(*snapshot, selection.stage(), selection.current())
                                   : NodeFacts{});
    m_page->setVisible(m_facts.isValid);
    m_empty->setVisible(!m_facts.isValid);
    if (!m_facts.isValid) {
        m_built = nullptr;
        m_empty->setText(snapshot ? tr("Select a node to see its call, annotation and values.")
                                  : tr("No model is open."));
        return;
    }
    showValues();
    const bool isSame = m_built && before.node == m_facts.node && before.stage == m_facts.stage
                        && m_built->annotated == snapshot->annotated
                        && m_built->prepared == snapshot->prepared
                        && m_built->converted == snapshot->converted;
    if (isSame)
        return;
    m_built = snapshot;
    showHead();
    showAnnotation();
    showAcross();
    showUsersAndMeta();
}

void Inspector::showHead()
{
    m_title->setText(m_facts.title == m_facts.name
                         ? breakable(m_facts.name)
                         : breakable(m_facts.title + QLatin1Char(' ') + m_facts.name));
    m_subtitle->setText(breakable(m_facts.target) + QStringLiteral(" · ")
                        + stageTitle(m_facts.stage));
    m_call->setText(breakable(m_facts.call));
    QStringList parts;
    if (!m_facts.value.isEmpty())
        parts << m_facts.value;
    if (!m_facts.module.isEmpty())
        parts << tr("module %1").arg(m_facts.module);
    m_value->setText(parts.join(QStringLiteral(" · ")));
    m_value->setToolTip(m_facts.source);
    m_value->setVisible(!parts.isEmpty());
    QString why;
    if (!m_facts.whyNot.isEmpty()) {
        why = tr("Not quantized: %1").arg(m_facts.whyNot);
        if (!m_facts.whyNotRootName.isEmpty())
            why += QLatin1Char(' ') + tr("(begins at %1)").arg(m_facts.whyNotRootName);
    }
    m_whyNot->setText(why);
    m_whyNot->setVisible(!why.isEmpty());
}

void Inspector::showAnnotation()
{
    m_annotation.widget->setVisible(!m_facts.points.empty());
    if (m_facts.points.empty())
        return;
    m_annotation.title->setText(tr("Annotation"));
    m_annotation.note->setText(m_facts.rule.isEmpty() ? QString()
                                                      : tr("rule: %1").arg(m_facts.rule));
    m_form->setFacts(m_facts);
}

void Inspector::showValues()
{
    m_values.widget->setVisible(m_facts.values.has_value());
    if (!m_facts.values)
        return;
    const ValueFact& values = *m_facts.values;
    m_values.title->setText(tr("Values at %1").arg(values.where));
    m_values.note->setText(tr("%n batches", nullptr, static_cast<int>(values.batches))
                           + QStringLiteral(" · ")
                           + tr("%1 values").arg(groupedNumber(values.state.valuesSeen)));
    Histogram::Data data;
    const bool hasRange =
        !values.state.minVal.empty() && values.state.minVal.size() == values.state.maxVal.size();
    if (hasRange) {
        data.low = static_cast<double>(
            *std::min_element(values.state.minVal.begin(), values.state.minVal.end()));
        data.high = static_cast<double>(
            *std::max_element(values.state.maxVal.begin(), values.state.maxVal.end()));
        if (values.state.minVal.size() > 1) {
            for (std::size_t i = 0; i < values.state.minVal.size(); ++i)
                data.ranges.emplace_back(values.state.minVal[i], values.state.maxVal[i]);
        } else {
            data.counts = values.state.histogram;
        }
    }
    QStringList lines;
    if (values.qparams && !values.qparams->scale.empty()) {
        const auto& scale = values.qparams->scale;
        if (scale.size() == 1) {
            const double step = static_cast<double>(scale[0]);
            const auto zero = static_cast<double>(values.qparams->zeroPoint[0]);
            data.clipLow = step * (static_cast<double>(values.config.quantMin) - zero);
            data.clipHigh = step * (static_cast<double>(values.config.quantMax) - zero);
            QString line = tr("scale %1   zero point %2").arg(numberText(step), numberText(zero));
            if (const auto clipped = clippedShare(values))
                line +=
                    QStringLiteral("   ") + tr("clipped %1 %").arg(numberText(100 * *clipped, 2));
            lines << line;
        } else {
            const auto [least, most] = std::minmax_element(scale.begin(), scale.end());
            lines << tr("%n scales, one per channel", nullptr, static_cast<int>(scale.size()))
                  << tr("scale %1 to %2")
                         .arg(numberText(static_cast<double>(*least)),
                              numberText(static_cast<double>(*most)));
        }
    } else {
        lines << tr("Not calibrated yet");
    }
    if (hasRange)
        lines << tr("smallest %1   largest %2").arg(numberText(data.low), numberText(data.high));
    m_histogram->setVisible(!data.counts.empty() || !data.ranges.empty());
    m_histogram->setData(std::move(data));
    m_histogram->setAccessibleName(lines.join(QStringLiteral("; ")));
    m_numbers->setText(lines.join(QLatin1Char('\n')));
}

QWidget* Inspector::linkRow(const QString& text, StageKind stage, const std::vector<NodeId>& nodes)
{
    if (nodes.empty()) {
        auto* label = wrappedLabel(this);
        label->setText(breakable(text));
        return label;
    }
    auto* label = wrappedLabel(this);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setTextFormat(Qt::RichText);
    label->setText(QStringLiteral("<a href='#' style='text-decoration:none;color:%1'>%2</a>")
                       .arg(Appearance::instance().color(ColorRole::QuantText).name(),
                            breakable(text.toHtmlEscaped())));
    connect(label, &QLabel::linkActivated, this,
            [this, stage, nodes] { m_session.selection().select(stage, nodes); });
    return label;
}

void Inspector::showAcross()
{
    m_across.title->setText(tr("Across stages"));
    clearGrid(m_acrossGrid);
    int row = 0;
    QString engine;
    for (const AcrossFact& fact : m_facts.across) {
        auto* stage = new QLabel(stageTitle(fact.stage), m_across.widget);
        stage->setProperty("muted", true);
        stage->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        m_acrossGrid->addWidget(stage, row, 0);
        if (fact.stage == StageKind::Converted && m_engineOf)
            engine = m_engineOf(fact.nodes);
        const bool isHere = fact.stage == m_facts.stage;
        m_acrossGrid->addWidget(
            linkRow(fact.text, fact.stage, isHere ? std::vector<NodeId>{} : fact.nodes), row++, 1);
    }
    if (engine.isEmpty())
        return;
    auto* title = new QLabel(QStringLiteral("XNNPACK"), m_across.widget);
    title->setProperty("muted", true);
    title->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_acrossGrid->addWidget(title, row, 0);
    m_acrossGrid->addWidget(linkRow(engine, StageKind::Converted, {}), row, 1);
}

void Inspector::showUsersAndMeta()
{
    m_users.widget->setVisible(!m_facts.users.empty());
    m_users.title->setText(tr("Users"));
    m_users.note->setText(QString::number(m_facts.users.size()));
    clearGrid(m_usersGrid);
    for (std::size_t i = 0; i < std::min(m_facts.users.size(), kMaxUsers); ++i) {
        const auto& [name, node] = m_facts.users[i];
        m_usersGrid->addWidget(linkRow(name, m_facts.stage, {node}), static_cast<int>(i), 1);
    }
    m_meta.widget->setVisible(!m_facts.meta.empty());
    m_meta.title->setText(tr("Metadata"));
    clearGrid(m_metaGrid);
    int row = 0;
    for (const auto& [key, value] : m_facts.meta) {
        auto* name = new QLabel(key, m_meta.widget);
        name->setProperty("muted", true);
        name->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        m_metaGrid->addWidget(name, row, 0);
        m_metaGrid->addWidget(linkRow(value, m_facts.stage, {}), row++, 1);
    }
}

void Inspector::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        rebuild();
    QFrame::changeEvent(event);
}

} // namespace pt2e::ui

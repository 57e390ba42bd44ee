#include "ui/panels/AnnotationForm.h"

#include "core/pipeline/Edits.h"
#include "ui/panels/ObserverBadge.h"
#include "ui/panels/SpecDialog.h"
#include "ui/session/BothQuantizers.h"
#include "ui/session/MakeRule.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr int kLinkWidth = 290; ///< pixels, about the inspector's width

/// What "quantize this" means where the quantizer said nothing: the activation spec of the XNNPACK quantizers
/// (get_symmetric_quantization_config).
EditSpec observeInt8(const Recipe& recipe)
{
    const QuantizationConfig config = recipe.quantizer.global.value_or(QuantizationConfig{});
    EditSpec edit;
    edit.kind = EditSpec::Kind::Observed;
    edit.observed.dtype = DType::Int8;
    edit.observed.observer.kind = ObserverKind::Histogram;
    edit.observed.observer.eps = 1.0 / 4096;
    edit.observed.quantMin = config.actQmin;
    edit.observed.quantMax = config.actQmax;
    edit.observed.qscheme = QScheme::PerTensorAffine;
    return edit;
}

EditSpec specOfKind(EditSpec::Kind kind)
{
    EditSpec spec;
    spec.kind = kind;
    return spec;
}

QuantizerFlavor otherOf(const Recipe& recipe)
{
    return recipe.quantizer.flavor == QuantizerFlavor::ExecuTorch ? QuantizerFlavor::TorchAo
                                                                  : QuantizerFlavor::ExecuTorch;
}

QString otherName(const Recipe& recipe)
{
    return otherOf(recipe) == QuantizerFlavor::ExecuTorch ? QStringLiteral("ExecuTorch")
                                                          : QStringLiteral("torchao");
}

QString nameOf(const NamedPoint& point)
{
    return point.user.empty() ? QString::fromStdString(point.node)
                              : QString::fromStdString(point.node + " \u2192 " + point.user);
}

} // namespace

AnnotationForm::AnnotationForm(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
}

void AnnotationForm::setFacts(const NodeFacts& facts)
{
    m_facts = facts;
    if (m_rows) {
        // A combo box of it may be the one that asked for the change.
        m_rows->hide();
        m_rows->deleteLater();
    }
    m_rows = new QWidget(this);
    auto* grid = new QGridLayout(m_rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(2, 1);
    int row = 0;
    for (const PointFact& fact : m_facts.points)
        addRow(grid, row++, fact);
    addSharing(grid, row++);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 4, 0, 0);
    buttons->setSpacing(8);
    auto* floatButton = new QPushButton(tr("Keep in float"), m_rows);
    floatButton->setObjectName(QStringLiteral("keepInFloat"));
    floatButton->setToolTip(tr("Sets all inputs and the output to none"));
    floatButton->setEnabled(std::any_of(m_facts.points.begin(), m_facts.points.end(),
                                        [](const PointFact& fact) { return !isNone(fact.spec); }));
    connect(floatButton, &QPushButton::clicked, this, &AnnotationForm::keepInFloat);
    auto* resetButton = new QPushButton(tr("Reset"), m_rows);
    resetButton->setObjectName(QStringLiteral("resetAnnotation"));
    resetButton->setToolTip(tr("Back to what the quantizer said"));
    resetButton->setEnabled(std::any_of(m_facts.points.begin(), m_facts.points.end(),
                                        [](const PointFact& fact) { return fact.isEdited; }));
    connect(resetButton, &QPushButton::clicked, this, &AnnotationForm::reset);
    auto* otherButton = new QPushButton(tr("As %1").arg(otherName(m_session.recipe())), m_rows);
    otherButton->setObjectName(QStringLiteral("asOther"));
    otherButton->setToolTip(tr("Takes the annotation that the other quantizer makes here"));
    otherButton->setVisible(m_session.recipe().quantizer.flavor != QuantizerFlavor::None);
    connect(otherButton, &QPushButton::clicked, this, &AnnotationForm::takeFromOther);
    auto* ruleButton = new QPushButton(tr("Make a rule"), m_rows);
    ruleButton->setObjectName(QStringLiteral("makeRule"));
    ruleButton->setToolTip(tr("Instead of these edits a rule for all operators of this kind"));
    ruleButton->setVisible(resetButton->isEnabled());
    connect(ruleButton, &QPushButton::clicked, this, &AnnotationForm::becomeRule);
    buttons->addWidget(otherButton);
    buttons->addWidget(floatButton);
    buttons->addWidget(resetButton);
    buttons->addStretch(1);
    grid->addLayout(buttons, row++, 0, 1, 3);
    grid->addWidget(ruleButton, row++, 0, 1, 3, Qt::AlignLeft); // four are wider than the panel
    m_note = new QLabel(m_rows);
    m_note->setProperty("muted", true);
    m_note->setWordWrap(true);
    m_note->hide();
    grid->addWidget(m_note, row, 0, 1, 3);
    layout()->addWidget(m_rows);
}

void AnnotationForm::addRow(QGridLayout* grid, int row, const PointFact& fact)
{
    const bool isOutput = fact.point.user.empty();
    const QString name = isOutput ? tr("output") : fact.label;
    auto* label = new QLabel(m_rows);
    const int labelWidth = fontMetrics().horizontalAdvance(QLatin1Char('m')) * 7;
    label->setText(label->fontMetrics().elidedText(name, Qt::ElideMiddle, labelWidth));
    label->setToolTip(name);
    label->setProperty("muted", true);
    auto* badge = new ObserverBadge(m_rows);
    badge->setNumber(fact.observer);
    auto* combo = new QComboBox(m_rows);
    combo->setObjectName(QStringLiteral("spec.") + QString::fromStdString(fact.point.text()));
    combo->setAccessibleName(tr("Quantization of %1").arg(name));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(8);
    combo->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const QString none = tr("none (float32)");
    const bool isAsSaid = !fact.isEdited;
    combo->addItem(isAsSaid ? fact.text : tr("quantizer: %1").arg(fact.saidText), AsQuantizerSaid);
    int current = 0;
    if (!isAsSaid && !isNone(fact.spec)) {
        combo->addItem(fact.text, Keep);
        current = 1;
    }
    if (!isNone(fact.said) || (fact.isEdited && isNone(fact.spec))) {
        combo->addItem(none, None);
        if (fact.isEdited && isNone(fact.spec))
            current = combo->count() - 1;
    }
    if (isNone(fact.said) && isNone(fact.spec))
        combo->addItem(tr("int8 · observe"), ObserveInt8);
    combo->addItem(tr("other…"), Other);
    combo->setCurrentIndex(current);
    combo->setToolTip(combo->currentText());
    connect(combo, &QComboBox::activated, this, [this, combo, fact, current](int index) {
        const auto choice = static_cast<Choice>(combo->itemData(index).toInt());
        if (choice == Other)
            combo->setCurrentIndex(current); // until the dialog has been accepted
        choose(fact, choice);
    });
    grid->addWidget(label, row, 0);
    grid->addWidget(badge, row, 1);
    grid->addWidget(combo, row, 2);
}

void AnnotationForm::addSharing(QGridLayout* grid, int row)
{
    if (m_facts.sharing.empty())
        return;
    auto* box = new QVBoxLayout;
    box->setSpacing(0);
    for (const auto& [text, nodes] : m_facts.sharing) {
        auto* link = new QPushButton(m_rows);
        link->setProperty("link", true);
        const QString full = tr("same observer as %1").arg(text);
        link->setText(link->fontMetrics().elidedText(full, Qt::ElideRight, kLinkWidth));
        link->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        link->setToolTip(full);
        connect(link, &QPushButton::clicked, this, [this, nodes = nodes] {
            m_session.selection().select(StageKind::Annotated, nodes);
        });
        box->addWidget(link);
    }
    grid->addLayout(box, row, 0, 1, 3);
}

void AnnotationForm::choose(const PointFact& fact, Choice choice)
{
    const QString name = nameOf(fact.point);
    const Recipe& recipe = m_session.recipe();
    switch (choice) {
    case Keep: return;
    case Other: openDialog(fact); return;
    case AsQuantizerSaid:
        m_session.changeRecipe(withEdit(recipe, {fact.point, specOfKind(EditSpec::Kind::Default)}),
                               tr("Reset %1").arg(name));
        return;
    case None:
        m_session.changeRecipe(withEdit(recipe, {fact.point, specOfKind(EditSpec::Kind::None)}),
                               tr("Set %1 to none").arg(name));
        return;
    case ObserveInt8:
        m_session.changeRecipe(withEdit(recipe, {fact.point, observeInt8(recipe)}),
                               tr("Observe %1").arg(name));
        return;
    }
}

void AnnotationForm::openDialog(const PointFact& fact)
{
    auto* dialog = new SpecDialog(m_session, fact.point, fact.spec, window());
    connect(dialog, &SpecDialog::chosen, this, [this](const Edit& edit) {
        m_session.changeRecipe(withEdit(m_session.recipe(), edit),
                               tr("Annotate %1").arg(nameOf(edit.at)));
    });
    dialog->open();
}

/// What the other quantizer asks for here, as edits.
void AnnotationForm::takeFromOther()
{
    const SnapshotPtr& snapshot = m_session.fullSnapshot();
    if (!snapshot || !snapshot->annotated || m_facts.points.empty())
        return;
    const std::string node =
        m_facts.points.back().point.user.empty() ? m_facts.points.back().point.node : std::string();
    m_session.jobs().start(
        Lane::Interactive, QStringLiteral("other-quantizer"), {},
        [self = QPointer(this), snapshot, node,
         quantizers = m_session.quantizers()](JobPort& port) -> Delivery {
            const auto [torchao, executorch] = quantizers->of(*snapshot, port.context());
            const AnnotatedPtr& other =
                otherOf(snapshot->recipe) == QuantizerFlavor::ExecuTorch ? executorch : torchao;
            std::vector<Edit> edits =
                other ? editsLike(*other, *snapshot->annotated, node) : std::vector<Edit>();
            return [self, edits = std::move(edits)] {
                if (self)
                    self->applyEdits(edits);
            };
        });
}

void AnnotationForm::applyEdits(const std::vector<Edit>& edits)
{
    if (edits.empty()) {
        m_note->setText(tr("%1 does not annotate it either.").arg(otherName(m_session.recipe())));
        m_note->show();
        return;
    }
    const Recipe& recipe = m_session.recipe();
    m_session.changeRecipe(withEdits(recipe, edits),
                           tr("Annotate %1 as %2").arg(m_facts.name, otherName(recipe)));
}

void AnnotationForm::applyToAll(const QString& text,
                                const std::function<Recipe(Recipe, const PointFact&)>& change)
{
    Recipe recipe = m_session.recipe();
    for (const PointFact& fact : m_facts.points)
        recipe = change(std::move(recipe), fact);
    m_session.changeRecipe(recipe, text);
}

void AnnotationForm::keepInFloat()
{
    applyToAll(tr("Keep %1 in float").arg(m_facts.name), [](Recipe recipe, const PointFact& fact) {
        if (isNone(fact.spec))
            return recipe;
        return withEdit(std::move(recipe), {fact.point, specOfKind(EditSpec::Kind::None)});
    });
}

/// With the other selected operators of the kind.
void AnnotationForm::becomeRule()
{
    std::vector<NodeId> nodes = m_session.selection().nodesIn(StageKind::Annotated);
    std::erase(nodes, m_facts.annotatedNode);
    nodes.push_back(m_facts.annotatedNode);
    if (!makeRule(m_session, StageKind::Annotated, nodes)) {
        m_note->setText(tr("These edits name points of other operators; a rule cannot."));
        m_note->show();
    }
}

void AnnotationForm::reset()
{
    applyToAll(tr("Reset %1").arg(m_facts.name), [](Recipe recipe, const PointFact& fact) {
        return withEdit(std::move(recipe), {fact.point, specOfKind(EditSpec::Kind::Default)});
    });
}

} // namespace pt2e::ui

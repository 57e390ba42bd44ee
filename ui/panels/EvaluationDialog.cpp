#include "ui/panels/EvaluationDialog.h"

#include "core/view/Tables.h"
#include "ui/models/CoreText.h"
#include "ui/models/SentenceText.h"
#include "ui/panels/Section.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStyle>

namespace pt2e::ui {

namespace {

const QString kTag = QStringLiteral("data-check");
constexpr int kTyping = 250; ///< milliseconds without a change before the data are looked at

constexpr DType kRawTypes[] = {DType::UInt8, DType::Int8,    DType::Int16,  DType::Int32,
                               DType::Int64, DType::Float32, DType::Float64};

QString listText(const std::vector<double>& values)
{
    QStringList texts;
    for (const double value : values)
        texts << QString::number(value, 'g', 10);
    return texts.join(QStringLiteral(", "));
}

struct Found
{
    QString text;
    bool isGood = false;
};

Found foundOf(const DataSet& data)
{
    QStringList parts{sentenceText(data.description())};
    parts << (data.labels().empty()
                  ? EvaluationDialog::tr("no labels: outputs and operators are compared")
              : data.classNames().empty()
                  ? EvaluationDialog::tr("with labels")
                  : EvaluationDialog::tr("with labels of %n classes", nullptr,
                                         static_cast<int>(data.classNames().size())));
    QString text = parts.join(QStringLiteral(" · "));
    for (const Diagnostic& problem : data.problems())
        text += QLatin1Char('\n')
                + EvaluationDialog::tr("left out: %1")
                      .arg(sentenceText(problem.place + ": " + problem.message));
    return {text, true};
}

} // namespace

Result<std::vector<double>> numbersOf(const QString& text)
{
    std::vector<double> numbers;
    for (const QString& part :
         text.split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        numbers.push_back(part.toDouble(&isNumber));
        if (!isNumber)
            return badInput(part.toStdString(), "is no number");
    }
    return numbers;
}

Result<std::vector<std::int64_t>> sizesOf(const QString& text)
{
    std::vector<std::int64_t> sizes;
    for (const QString& part :
         text.split(QRegularExpression(QStringLiteral("[x\u00d7,;\\s]+")), Qt::SkipEmptyParts)) {
        bool isNumber = false;
        sizes.push_back(part.toLongLong(&isNumber));
        if (!isNumber || sizes.back() <= 0)
            return badInput(part.toStdString(), "is no size");
    }
    return sizes;
}

EvaluationDialog::EvaluationDialog(Session& session, const EvaluationChoice& current,
                                   QWidget* parent)
    : QDialog(parent),
      m_session(session),
      m_own(new QRadioButton(this)),
      m_other(new QRadioButton(this)),
      m_fields(new QWidget(this)),
      m_path(new QLineEdit(m_fields)),
      m_labels(new QLineEdit(m_fields)),
      m_mean(new QLineEdit(m_fields)),
      m_std(new QLineEdit(m_fields)),
      m_resize(new QSpinBox(m_fields)),
      m_rawShape(new QLineEdit(m_fields)),
      m_rawDtype(new QComboBox(m_fields)),
      m_batch(new QSpinBox(m_fields)),
      m_found(new QLabel(this))
{
    setObjectName(QStringLiteral("evaluationDialog"));
    setWindowTitle(tr("Data to compare on"));
    setAttribute(Qt::WA_DeleteOnClose);
    build();
    fill(current);
    m_check.setSingleShot(true);
    m_check.setInterval(kTyping);
    connect(&m_check, &QTimer::timeout, this, &EvaluationDialog::check);
    const auto change = [this] {
        m_fields->setEnabled(m_other->isChecked());
        show(tr("Looking at the data …"), false);
        m_check.start();
    };
    for (QLineEdit* edit : {m_path, m_labels, m_mean, m_std, m_rawShape})
        connect(edit, &QLineEdit::textChanged, this, change);
    for (QSpinBox* box : {m_resize, m_batch})
        connect(box, &QSpinBox::valueChanged, this, change);
    connect(m_rawDtype, &QComboBox::currentIndexChanged, this, change);
    connect(m_other, &QRadioButton::toggled, this, change);
    change();
}

QWidget* EvaluationDialog::pathRow(QLineEdit* edit, bool hasFolder)
{
    auto* row = new QWidget(m_fields);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(edit, 1);
    const auto add = [&](const QString& text, const std::function<QString()>& ask) {
        auto* button = new QPushButton(text, row);
        button->setAutoDefault(false);
        layout->addWidget(button);
        connect(button, &QPushButton::clicked, this, [edit, ask] {
            if (const QString path = ask(); !path.isEmpty())
                edit->setText(path);
        });
    };
    add(tr("File…"), [this, edit] {
        return QFileDialog::getOpenFileName(this, tr("Choose a file"), edit->text());
    });
    if (hasFolder)
        add(tr("Folder…"), [this, edit] {
            return QFileDialog::getExistingDirectory(this, tr("Choose a folder"), edit->text());
        });
    return row;
}

void EvaluationDialog::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    QLabel* takes = wrappedLabel(this, "muted");
    takes->setText(expected());
    layout->addWidget(takes);
    m_own->setObjectName(QStringLiteral("dataOwn"));
    m_other->setObjectName(QStringLiteral("dataOther"));
    const ModelPtr& model = m_session.model();
    m_own->setText(model && model->data && model->data->isInstalled()
                       ? tr("The test data that come with the model")
                       : tr("Batches beside those of calibration"));
    m_other->setText(tr("A file, or a folder of pictures or arrays"));
    layout->addWidget(m_own);
    layout->addWidget(m_other);
    auto* form = new QFormLayout(m_fields);
    form->setContentsMargins(22, 2, 0, 4);
    form->setHorizontalSpacing(14);
    form->setVerticalSpacing(8);
    m_path->setObjectName(QStringLiteral("dataPath"));
    m_path->setMinimumWidth(380);
    m_path->setPlaceholderText(tr(".npz, .npy, IDX, raw, or a folder"));
    m_labels->setObjectName(QStringLiteral("dataLabels"));
    m_labels->setPlaceholderText(tr("IDX, .npy or CSV; folders of pictures bring their own"));
    form->addRow(tr("Data"), pathRow(m_path, true));
    form->addRow(tr("Labels"), pathRow(m_labels, false));
    addFormat(form);
    layout->addWidget(m_fields);
    m_found->setObjectName(QStringLiteral("dataFound"));
    m_found->setWordWrap(true);
    m_found->setMinimumHeight(3 * fontMetrics().height());
    m_found->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_found->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_found);
    auto* buttons = new QDialogButtonBox(this);
    m_compare = new QPushButton(tr("Compare"), buttons);
    m_compare->setObjectName(QStringLiteral("dataCompare"));
    m_compare->setProperty("primary", true);
    m_compare->setDefault(true);
    buttons->addButton(m_compare, QDialogButtonBox::AcceptRole);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (const auto wanted = choice()) {
            Q_EMIT chosen(*wanted);
            accept();
        }
    });
}

void EvaluationDialog::addFormat(QFormLayout* form)
{
    const auto two = [this](QWidget* a, const QString& between, QWidget* b) {
        auto* row = new QWidget(m_fields);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(a, 1);
        auto* label = new QLabel(between, row);
        label->setProperty("muted", true);
        layout->addWidget(label);
        layout->addWidget(b, 1);
        return row;
    };
    m_mean->setObjectName(QStringLiteral("dataMean"));
    m_std->setObjectName(QStringLiteral("dataStd"));
    m_mean->setPlaceholderText(QStringLiteral("0"));
    m_std->setPlaceholderText(QStringLiteral("1"));
    m_mean->setToolTip(tr("One number, or one per channel: (value − mean) / std. Bytes become "
                          "values from 0 to 1 first."));
    m_std->setToolTip(m_mean->toolTip());
    m_resize->setRange(0, 4096);
    m_resize->setSpecialValueText(tr("stretch to the input's size"));
    m_resize->setToolTip(tr("Pictures: the shorter side is made this long, then the centre is cut "
                            "out"));
    m_batch->setRange(0, 4096);
    m_batch->setSpecialValueText(tr("as the model wants"));
    m_rawShape->setObjectName(QStringLiteral("dataRawShape"));
    m_rawShape->setPlaceholderText(tr("1×28×28; only for files without a header"));
    m_rawDtype->addItem(tr("dtype of the input"));
    for (const DType type : kRawTypes)
        m_rawDtype->addItem(QString::fromStdString(std::string(dtypeName(type))));
    form->addRow(tr("Mean"), two(m_mean, tr("std"), m_std));
    form->addRow(tr("Resize"), two(m_resize, tr("batch"), m_batch));
    form->addRow(tr("Raw sample"), two(m_rawShape, tr("of"), m_rawDtype));
}

/// "Inputs: x float32 s77×1×28×28".
QString EvaluationDialog::expected() const
{
    QStringList inputs;
    const ModelPtr& model = m_session.model();
    for (const NodeId id : model ? model->exported->placeholders() : std::vector<NodeId>{}) {
        const Node& node = model->exported->node(id);
        QString text = QString::fromStdString(node.name);
        if (const TensorMeta* meta = node.val.tensor())
            text += QLatin1Char(' ') + QString::fromStdString(std::string(dtypeName(meta->dtype)))
                    + QLatin1Char(' ') + QString::fromStdString(shapeText(meta->shape));
        inputs << text;
    }
    return tr("The model takes %1. In an .npz the arrays are named b0_i0, b0_i1, … b1_i0: batch "
              "and input.")
        .arg(inputs.join(QStringLiteral(", ")));
}

void EvaluationDialog::fill(const EvaluationChoice& current)
{
    (current.path.empty() ? m_own : m_other)->setChecked(true);
    m_fields->setEnabled(m_other->isChecked());
    m_path->setText(QString::fromStdString(current.path));
    m_labels->setText(QString::fromStdString(current.labels));
    // Calibration's way of reading its data is most likely the right one here, too.
    const DataFormat& format =
        current.path.empty() ? m_session.recipe().calibration.format : current.format;
    m_mean->setText(listText(format.mean));
    m_std->setText(listText(format.std));
    m_resize->setValue(static_cast<int>(format.resize));
    m_batch->setValue(static_cast<int>(format.batchSize));
    QStringList sizes;
    for (const std::int64_t size : format.rawShape)
        sizes << QString::number(size);
    m_rawShape->setText(sizes.join(QChar(0xd7)));
    if (format.rawDtype)
        m_rawDtype->setCurrentText(
            QString::fromStdString(std::string(dtypeName(*format.rawDtype))));
}

Result<EvaluationChoice> EvaluationDialog::choice() const
{
    EvaluationChoice wanted;
    if (m_own->isChecked())
        return wanted;
    wanted.path = m_path->text().trimmed().toStdString();
    if (wanted.path.empty())
        return badInput("", tr("Choose a file or a folder.").toStdString());
    wanted.labels = m_labels->text().trimmed().toStdString();
    PT2E_ASSIGN(wanted.format.mean, numbersOf(m_mean->text()));
    PT2E_ASSIGN(wanted.format.std, numbersOf(m_std->text()));
    PT2E_ASSIGN(wanted.format.rawShape, sizesOf(m_rawShape->text()));
    if (m_rawDtype->currentIndex() > 0)
        wanted.format.rawDtype = kRawTypes[m_rawDtype->currentIndex() - 1];
    wanted.format.resize = m_resize->value();
    wanted.format.batchSize = m_batch->value();
    return wanted;
}

bool EvaluationDialog::isGood() const { return m_isGood; }

void EvaluationDialog::check()
{
    const auto wanted = choice();
    if (!wanted) {
        show(sentenceText(wanted.error().message()), false);
        return;
    }
    m_session.jobs().start(Lane::Interactive, kTag, {},
                           [self = QPointer(this), wanted = *wanted, model = m_session.model(),
                            calibration = m_session.recipe().calibration](JobPort&) -> Delivery {
                               const auto data = evaluationData(*model, calibration, wanted);
                               const Found found =
                                   data ? foundOf(**data)
                                        : Found{sentenceText(data.error().message()), false};
                               return [self, found] {
                                   if (self)
                                       self->show(found.text, found.isGood);
                               };
                           });
}

void EvaluationDialog::show(const QString& text, bool isGood)
{
    m_isGood = isGood;
    m_compare->setEnabled(isGood);
    m_found->setText(text);
    m_found->setProperty("warn", !isGood && !m_check.isActive());
    style()->unpolish(m_found);
    style()->polish(m_found);
}

} // namespace pt2e::ui

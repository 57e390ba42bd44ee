#include "ui/panels/FileHelp.h"

#include "ui/panels/StartPage.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace pt2e::ui {

bool looksLikePt2(const QString& path)
{
    return path.endsWith(QLatin1String(".pt2"), Qt::CaseInsensitive);
}

QString describeFile(const QString& path)
{
    const auto words = [](const char* text) {
        return QCoreApplication::translate("FileHelp", text);
    };
    const QFileInfo info(path);
    if (info.isDir())
        return words(QT_TRANSLATE_NOOP("FileHelp", "%1 is a folder.")).arg(info.fileName());
    QByteArray head;
    if (QFile file(path); file.open(QIODevice::ReadOnly))
        head = file.read(16);
    const QString suffix = info.suffix().toLower();
    const bool isZip = head.startsWith("PK\x03\x04");
    QString what = words(QT_TRANSLATE_NOOP("FileHelp", "%1 is not an exported program."));
    if (suffix == QLatin1String("onnx"))
        what = words(QT_TRANSLATE_NOOP("FileHelp", "%1 is an ONNX model."));
    else if (suffix == QLatin1String("tflite") || head.mid(4, 4) == "TFL3")
        what = words(QT_TRANSLATE_NOOP("FileHelp", "%1 is a TensorFlow Lite model."));
    else if (suffix == QLatin1String("pte") || head.mid(4, 2) == "ET")
        what = words(
            QT_TRANSLATE_NOOP("FileHelp", "%1 is an ExecuTorch program: it is already lowered."));
    else if (suffix == QLatin1String("safetensors"))
        what = words(QT_TRANSLATE_NOOP("FileHelp", "%1 holds weights only, no graph."));
    else if (suffix == QLatin1String("py"))
        what = words(QT_TRANSLATE_NOOP("FileHelp", "%1 is Python source."));
    else if (isZip && (suffix == QLatin1String("pt") || suffix == QLatin1String("pth")))
        what = words(QT_TRANSLATE_NOOP("FileHelp",
                                       "%1 is a checkpoint of torch.save or a TorchScript file."));
    return what.arg(info.fileName());
}

FileHelp::FileHelp(const QString& path, QWidget* parent) : QDialog(parent)
{
    setObjectName(QStringLiteral("fileHelp"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Not a .pt2 file"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    auto* what = new QLabel(describeFile(path), this);
    what->setObjectName(QStringLiteral("fileHelpText"));
    what->setProperty("big", true);
    what->setWordWrap(true);
    auto* how = new QLabel(
        tr("This window opens programs exported by torch.export. In Python, with the model and one set "
           "of example inputs at hand:"),
        this);
    how->setWordWrap(true);
    auto* frame = new QFrame(this);
    frame->setObjectName(QStringLiteral("card"));
    auto* frameLayout = new QVBoxLayout(frame);
    auto* code = new QLabel(exportSnippet(), frame);
    code->setProperty("mono", true);
    code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    frameLayout->addWidget(code);
    layout->addWidget(what);
    layout->addWidget(how);
    layout->addWidget(frame);
    auto* buttons = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy the lines"), this);
    copy->setObjectName(QStringLiteral("copyLines"));
    copy->setProperty("primary", true);
    auto* anyway = new QPushButton(tr("Open it anyway"), this);
    auto* close = new QPushButton(tr("Close"), this);
    buttons->addWidget(copy);
    buttons->addStretch(1);
    buttons->addWidget(anyway);
    buttons->addWidget(close);
    layout->addLayout(buttons);
    anyway->setEnabled(QFileInfo(path).isFile());
    connect(copy, &QPushButton::clicked, this,
            [] { QGuiApplication::clipboard()->setText(exportSnippet()); });
    connect(anyway, &QPushButton::clicked, this, [this, path] {
        accept();
        Q_EMIT openAnyway(path);
    });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    copy->setFocus();
    resize(560, sizeHint().height());
}

} // namespace pt2e::ui

// pt2e-workbench [MODEL] [--project FILE] [--lang zh_TW] …: the window.
#include "ui/canvas/StageBoard.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/render/Fonts.h"
#include "ui/session/Appearance.h"
#include "ui/session/Language.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

#include <chrono>
#include <cstdio>
#include <thread>

namespace {

using namespace pt2e;

struct CommandLine
{
    QString model; ///< or project
    bool isProject = false; ///< whatever its name ends in
    QString language;
    ModelRequest request;
    int threads = 0;
    bool printsTimes = false;
};

QString words(const char* text) { return QCoreApplication::translate("CommandLine", text); }

/// Reads the command line; ends the program for --help, --version and wrong use (exit code 2).
CommandLine readArguments(const QStringList& given)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(words(QT_TRANSLATE_NOOP(
        "CommandLine", "Shows the PT2E quantization stages of a model side by side")));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("MODEL"),
        words(QT_TRANSLATE_NOOP("CommandLine", "a .pt2 file or a built-in model's name")),
        QStringLiteral("[MODEL]"));
    const QCommandLineOption lang(
        QStringLiteral("lang"),
        words(QT_TRANSLATE_NOOP("CommandLine", "language of the window: en or zh_TW")),
        QStringLiteral("code"));
    const QCommandLineOption ch(
        QStringLiteral("ch"),
        words(QT_TRANSLATE_NOOP("CommandLine", "channels of a built-in model")),
        QStringLiteral("n"), QStringLiteral("8"));
    const QCommandLineOption layers(
        QStringLiteral("layers"),
        words(QT_TRANSLATE_NOOP("CommandLine", "layers of the built-in decoder")),
        QStringLiteral("n"), QStringLiteral("2"));
    const QCommandLineOption seed(
        QStringLiteral("seed"),
        words(QT_TRANSLATE_NOOP("CommandLine", "random seed of a built-in model")),
        QStringLiteral("n"), QStringLiteral("0"));
    const QCommandLineOption name(
        QStringLiteral("model"),
        words(QT_TRANSLATE_NOOP("CommandLine", "which program of an archive")),
        QStringLiteral("name"));
    const QCommandLineOption project(
        QStringLiteral("project"),
        words(QT_TRANSLATE_NOOP("CommandLine", "a project to open instead of a model")),
        QStringLiteral("file"));
    const QCommandLineOption threads(
        QStringLiteral("threads"),
        words(QT_TRANSLATE_NOOP("CommandLine", "threads to compute with; 0: all")),
        QStringLiteral("n"), QStringLiteral("0"));
    QCommandLineOption times(QStringLiteral("print-times"));
    times.setFlags(QCommandLineOption::HiddenFromHelp); // for the benchmark
    parser.addOptions({project, lang, ch, layers, seed, name, threads, times});
    if (!parser.parse(given)) {
        std::fprintf(stderr, "pt2e-workbench: %s\n", qPrintable(parser.errorText()));
        std::exit(2);
    }
    parser.process(given);

    const auto number = [&parser](const QCommandLineOption& option, qlonglong least) {
        bool isNumber = false;
        const qlonglong value = parser.value(option).toLongLong(&isNumber);
        if (!isNumber || value < least) {
            std::fprintf(stderr, "pt2e-workbench: --%s: not a number of at least %lld\n",
                         qPrintable(option.names().first()), least);
            std::exit(2);
        }
        return value;
    };
    CommandLine arguments;
    arguments.model = parser.positionalArguments().value(0);
    if (parser.isSet(project)) {
        if (!arguments.model.isEmpty()) {
            std::fprintf(stderr, "pt2e-workbench: --project: a model is given, too\n");
            std::exit(2);
        }
        arguments.model = parser.value(project);
        arguments.isProject = true;
    }
    arguments.language = parser.value(lang);
    if (!arguments.language.isEmpty() && arguments.language != QLatin1String("en")
        && arguments.language != QLatin1String("zh_TW")) {
        std::fprintf(stderr, "pt2e-workbench: --lang: en or zh_TW\n");
        std::exit(2);
    }
    arguments.request.programName = parser.value(name).toStdString();
    arguments.request.channels = number(ch, 1);
    arguments.request.layers = number(layers, 1);
    arguments.request.seed = static_cast<std::uint64_t>(number(seed, 0));
    arguments.threads = static_cast<int>(number(threads, 0));
    arguments.printsTimes = parser.isSet(times);
    return arguments;
}

/// Prints the monotonic clock at the first frame and when the last pane has its stage, in ms; then ends.
void printTimes(ui::MainWindow& window)
{
    const auto print = [] {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        std::printf("%.3f\n", std::chrono::duration<double, std::milli>(now).count());
    };
    QObject::connect(&window, &ui::MainWindow::firstFramePainted, &window, print);
    QObject::connect(&window.board(), &ui::StageBoard::shown, &window, [&window, print] {
        if (!window.board().panes().back()->view().content())
            return;
        window.repaint();
        print();
        QApplication::quit();
    });
}

} // namespace

int main(int argc, char** argv)
{
    makeQtDeterministic();
    QApplication app(argc, argv);
    QApplication::setApplicationName(QStringLiteral("pt2e-workbench"));
    QApplication::setOrganizationName(QStringLiteral("pt2e-workbench"));
    QApplication::setDesktopFileName(QStringLiteral("org.pt2e.Workbench"));
    QApplication::setApplicationVersion(QStringLiteral(PT2E_VERSION));
    const CommandLine arguments = readArguments(QApplication::arguments());
    for (const QString& missing : registerFonts())
        std::fprintf(stderr, "pt2e-workbench: %s\n", qPrintable(missing));

    ui::Preferences preferences;
    if (!arguments.language.isEmpty())
        preferences.setLanguage(arguments.language);
    ui::Language language(preferences);
    ui::Appearance appearance(preferences);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/pt2e/icons/app.svg")));

    ui::MainWindow window(preferences);
    const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    window.session().jobs().setThreads(arguments.threads > 0 ? arguments.threads : all);
    if (arguments.printsTimes)
        printTimes(window);
    window.show();
    if (!arguments.model.isEmpty()) {
        // Behind the first frame, as everything that needs LibTorch.
        QObject::connect(&window, &ui::MainWindow::firstFramePainted, &window,
                         [&window, &arguments] {
                             if (arguments.isProject)
                                 window.projects().open(arguments.model);
                             else
                                 window.open(arguments.model, arguments.request);
                         });
    }
    return QApplication::exec();
}

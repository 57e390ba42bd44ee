// pt2e draw: the figure of the stages, the same bytes as the window's export.
#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/view/ModuleTree.h"
#include "ui/render/Figure.h"
#include "ui/render/Fonts.h"

#include <QGuiApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <optional>

namespace pt2e::cli {

namespace {

constexpr const char* kAllStages = "exported,prepared,converted";

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    std::string stages; ///< empty: all that the program has
    ViewOptions view;
    std::string direction = "both";
    bool noWeights = false;
    bool noGhosts = false;
    bool noRepeats = false;
    std::string title;
    std::string body;
    std::string output;
};

/// Draws without a display, whatever the desktop's settings are.
Result<void> write(const Options& options, const Snapshot& snapshot,
                   const std::vector<StageKind>& stages, const JobContext& context)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Qt puts nothing there, but warns where a plain shell or a container has no such folder.
    std::optional<QTemporaryDir> runtime;
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", runtime.emplace().path().toLocal8Bit());
    makeQtDeterministic();
    int count = 1;
    char name[] = "pt2e";
    char* arguments[] = {name, nullptr};
    const QGuiApplication application(count, arguments);
    for (const auto& missing : registerFonts())
        say(missing.toStdString());
    PT2E_ASSIGN(auto scenes, buildScenes(snapshot, stages, options.view, textMeasurer(), context));
    for (const auto& scene : scenes)
        for (const auto& note : scene.notes)
            say(scene.title + ": " + note);
    const auto figure = makeFigure(snapshot, std::move(scenes), options.view,
                                   QString::fromStdString(options.title));
    return writeFigure(figure, QString::fromStdString(options.output));
}

/// Each path must be a module that can be a box.
Result<void> checkModules(const Snapshot& snapshot, const ModuleFolding& modules)
{
    const ModuleTree tree(*snapshot.model->exported);
    for (const auto* paths : {&modules.collapsed, &modules.expanded})
        for (const std::string& path : *paths) {
            const auto& calls = tree.calls();
            const auto call = std::find_if(calls.begin(), calls.end(),
                                           [&](const ModuleCall& c) { return c.path == path; });
            if (call == calls.end())
                return badInput("module '" + path + "'", "no node names a module of this path");
            if (call->size() < 2)
                say("module '" + path + "' has one op alone, which stands for it");
        }
    return {};
}

Result<int> run(Cli& cli, Options options)
{
    PT2E_ASSIGN(std::vector<StageKind> stages,
                stagesFromNames(options.stages.empty() ? kAllStages : options.stages));
    options.view.weights = !options.noWeights;
    options.view.ghosts = !options.noGhosts;
    options.view.modules.repeats = !options.noRepeats;
    options.view.direction = options.direction == "up"     ? Direction::Up
                             : options.direction == "down" ? Direction::Down
                                                           : Direction::Both;
    const StageKind last = *std::max_element(stages.begin(), stages.end());
    PT2E_ASSIGN(const auto whole, reachStages(cli, options.model, options.quantizing, last));
    if (whole->model->form.isQuantized() && options.stages.empty())
        stages = {StageKind::Exported}; // what such a program has
    else if (whole->error)
        return tl::unexpected<Error>(*whole->error);
    PT2E_ASSIGN(const auto snapshot, lookInto(whole, options.body));
    PT2E_TRY(checkModules(*snapshot, options.view.modules));
    PT2E_TRY(write(options, *snapshot, stages, cli.job()));
    return kDone;
}

} // namespace

void addDraw(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb =
        cli.addVerb(app, "draw", "the stages side by side as a figure: SVG, PDF, PNG or DOT");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_option("--stages", options->stages,
                     "stages from left to right (default: exported,prepared,converted)")
        ->type_name("NAMES");
    addBodyOption(*verb, options->body);
    verb->add_option("--focus", options->view.focus,
                     "show this node and its neighbourhood; may be repeated")
        ->type_name("NODE");
    verb->add_option("--hops", options->view.hops, "size of the neighbourhood")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    verb->add_option("--direction", options->direction, "walk up, down or both")
        ->check(CLI::IsMember({"up", "down", "both"}))
        ->capture_default_str();
    verb->add_flag("--no-weights", options->noWeights, "leave out weights and other constants");
    verb->add_flag("--no-ghosts", options->noGhosts, "leave out what says where a node went");
    verb->add_flag("--qdq-on-edges", options->view.qdqOnEdges,
                   "fold observers, q and dq onto the edges");
    verb->add_option("--collapse", options->view.modules.collapsed,
                     "show this module as one box (its dotted path); may be repeated")
        ->type_name("MODULE");
    verb->add_option("--depth", options->view.modules.depth,
                     "show modules nested this deep as one box each (1: the outermost)")
        ->check(CLI::PositiveNumber);
    verb->add_option("--expand", options->view.modules.expanded,
                     "show what is in this module in spite of --depth; may be repeated")
        ->type_name("MODULE");
    verb->add_flag("--no-repeats", options->noRepeats,
                   "show boxes alike one by one, not as one box '× 24'");
    verb->add_option("--title", options->title, "title of the figure (default: the model's name)");
    verb->add_option("-o,--output", options->output, "FILE.svg, .pdf, .png or .dot")
        ->type_name("FILE")
        ->check([](const std::string& file) {
            const auto format = figureFormat(QString::fromStdString(file));
            return format ? std::string() : format.error().message();
        })
        ->required();
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli

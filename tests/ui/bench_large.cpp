#include "tests/ui/bench_large.h"

#include "core/pipeline/Edits.h"
#include "core/view/ModuleFolding.h"
#include "tests/ui/Heartbeat.h"
#include "tests/ui/UiTest.h"
#include "ui/canvas/StageBoard.h"
#include "ui/models/SearchModel.h"

#include <QEventLoop>
#include <QFile>
#include <QKeyEvent>
#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <malloc.h>
#include <set>
#include <unistd.h>

namespace pt2e::ui {

namespace {

constexpr int kRepeats = 5;

class LargeBench
{
public:
    LargeBench(MainWindow& window, const BenchReport& report) : m_window(window), m_report(report)
    {}

    void run(int layers)
    {
        open(layers);
        collapsed();
        flat();
        focus();
        search();
        rules();
        memory(layers);
    }

private:
    void report(const char* what, std::vector<double> values, double budget)
    {
        m_report(what, std::move(values), budget, "ms");
    }

    static std::vector<double> repeat(const std::function<double()>& once)
    {
        std::vector<double> values;
        for (int i = 0; i < kRepeats; ++i)
            values.push_back(once());
        return values;
    }

    GraphView& viewOf(StageKind stage) { return m_window.board().paneOf(stage)->view(); }

    void repaintPanes()
    {
        for (StagePane* pane : m_window.board().panes())
            pane->view().repaint();
    }

    double untilShown(const std::function<void()>& change)
    {
        const auto start = Clock::now();
        QEventLoop loop;
        QObject::connect(&m_window.board(), &StageBoard::shown, &loop, &QEventLoop::quit);
        QTimer::singleShot(60000, &loop, &QEventLoop::quit);
        change();
        loop.exec();
        repaintPanes();
        const double time = millisecondsSince(start);
        waitUntilIdle(m_window);
        return time;
    }

    void open(int layers)
    {
        ModelRequest request;
        request.layers = layers;
        std::vector<double> shown;
        double longest = 0;
        double parsed = 0;
        for (int i = 0; i < kRepeats; ++i) {
            m_window.session().close();
            waitUntilIdle(m_window);
            const Heartbeat heartbeat;
            auto start = Clock::now();
            m_window.open("decoder", request);
            while (!m_window.session().model())
                QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
            parsed = millisecondsSince(start);
            start = Clock::now();
            while (!viewOf(StageKind::Exported).content())
                QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
            m_window.repaint();
            shown.push_back(millisecondsSince(start));
            longest = std::max(longest, heartbeat.longest());
            m_window.session().cancelRun();
            waitUntilIdle(m_window);
        }
        std::printf("decoder --layers %d: %zu nodes exported, %zu items at first\n", layers,
                    m_window.session().model()->exported->size(),
                    viewOf(StageKind::Exported).content()->scene.items.size());
        report("large graph: building the model (has no budget)", {parsed}, 0);
        report("large graph: model to first interactive view", shown, 700);
        report("longest block of the GUI thread meanwhile", {longest}, 50);
        const Heartbeat heartbeat;
        const auto start = Clock::now();
        m_window.session().runAll();
        waitUntilIdle(m_window, 600000);
        report("large graph: all three stages (has no budget)", {millisecondsSince(start)}, 0);
        report("longest block of the GUI thread meanwhile", {heartbeat.longest()}, 50);
        if (const auto& snapshot = m_window.session().snapshot(); snapshot->error)
            std::printf("stopped: %s\n", snapshot->error->message().c_str());
    }

    void collapsed()
    {
        ViewState& view = m_window.session().view();
        int turn = 0;
        const Heartbeat heartbeat;
        report("large graph: one module expanded or collapsed", repeat([&] {
                   return untilShown([&] {
                       if (turn++ % 2 == 0)
                           view.expandModules({"layers.7"});
                       else
                           view.collapseModule("layers.7");
                   });
               }),
               100);
        view.expandModules({"layers.7"});
        waitUntilIdle(m_window);
        // A click on the box of all that is left of the layers.
        GraphView& pane = viewOf(StageKind::Converted);
        const auto& items = pane.content()->scene.items;
        const auto box = std::max_element(items.begin(), items.end(), [](auto& a, auto& b) {
            return (a.module ? a.module->ops : 0) < (b.module ? b.module->ops : 0);
        });
        report("large graph: box of thousands of ops selected in three panes", repeat([&] {
                   m_window.session().selection().clear();
                   QApplication::processEvents();
                   const auto start = Clock::now();
                   std::vector<NodeId> nodes = box->folded;
                   nodes.push_back(box->node);
                   Q_EMIT pane.moduleClicked(nodes, false);
                   repaintPanes();
                   const double time = millisecondsSince(start);
                   QApplication::processEvents(); // giving it up is another turn
                   return time;
               }),
               50);
        m_window.session().selection().clear();
        report("longest block of the GUI thread meanwhile", {heartbeat.longest()}, 50);
    }

    void flat()
    {
        ViewState& view = m_window.session().view();
        double longest = 0;
        report("large graph: flat view in three panes", repeat([&] {
                   view.setModules({1, {}, {}, true});
                   waitUntilIdle(m_window);
                   const Heartbeat heartbeat;
                   const double time = untilShown([&] { view.setModules({}); });
                   longest = std::max(longest, heartbeat.longest());
                   return time;
               }),
               1000);
        report("longest block of the GUI thread meanwhile", {longest}, 50);
        std::printf("items in the panes:");
        for (StagePane* pane : m_window.board().panes())
            std::printf(" %zu",
                        pane->view().content() ? pane->view().content()->scene.items.size() : 0);
        std::printf("\n");
        frames();
        select();
        cancel();
    }

    void frames()
    {
        GraphView& view = viewOf(StageKind::Exported);
        const auto frame = [&](const std::function<void()>& move) {
            const auto start = Clock::now();
            move();
            repaintPanes();
            return millisecondsSince(start);
        };
        view.showStart();
        repaintPanes();
        report("large graph: pan frame, three panes", repeat([&] {
                   return frame([&] {
                       QKeyEvent key(QEvent::KeyPress, Qt::Key_Down, Qt::ShiftModifier);
                       QApplication::sendEvent(&view, &key);
                   });
               }),
               8);
        report("large graph: zoom frame, three panes", repeat([&] {
                   return frame(
                       [&] { view.zoomBy(1.1, QPointF(view.width() / 2.0, view.height() / 2.0)); });
               }),
               8);
        report("large graph: fit-all frame, three panes", repeat([&] {
                   view.showStart();
                   repaintPanes();
                   return frame([&] { m_window.board().fitAll(); });
               }),
               16);
    }

    void select()
    {
        const auto order = m_window.session().snapshot()->model->exported->order();
        std::size_t at = order.size() / 2;
        report("large graph: selection shown in three panes", repeat([&] {
                   const auto chosen = Clock::now();
                   m_window.session().selection().select(StageKind::Exported, {order[at]});
                   at += 41;
                   m_window.repaint();
                   repaintPanes();
                   return millisecondsSince(chosen);
               }),
               50);
        m_window.session().selection().clear();
    }

    /// Of a layout that is not wanted any more.
    void cancel()
    {
        ViewState& view = m_window.session().view();
        std::vector<double> freed;
        std::vector<double> ended;
        for (int i = 0; i < kRepeats; ++i) {
            ViewOptions options = view.options();
            options.weights = !options.weights;
            view.setOptions(options);
            QApplication::processEvents(QEventLoop::AllEvents, 20);
            const auto start = Clock::now();
            m_window.session().jobs().cancel(SceneSource::kTag);
            freed.push_back(millisecondsSince(start));
            waitUntilIdle(m_window);
            ended.push_back(millisecondsSince(start));
        }
        ViewOptions options = view.options();
        options.weights = true;
        view.setOptions(options);
        waitUntilIdle(m_window);
        report("cancel of a layout of the whole graph: controls free", freed, 50);
        report("cancel of a layout of the whole graph: work ended", ended, 200);
    }

    void focus()
    {
        ViewState& view = m_window.session().view();
        int turn = 0;
        double longest = 0;
        report("large graph: focus or hop change to picture", repeat([&] {
                   const Heartbeat heartbeat;
                   const double time = untilShown([&] {
                       ViewOptions options = view.options();
                       options.focus = {"linear_" + std::to_string(300 + 100 * (turn % 4))};
                       options.hops = 3 + turn++ % 3;
                       view.setOptions(options);
                   });
                   longest = std::max(longest, heartbeat.longest());
                   return time;
               }),
               100);
        std::printf("items in the focused panes:");
        for (StagePane* pane : m_window.board().panes())
            std::printf(" %zu", pane->view().content()->scene.items.size());
        std::printf("\n");
        report("longest block of the GUI thread meanwhile", {longest}, 50);
        view.setFocus({});
        waitUntilIdle(m_window);
    }

    void search()
    {
        SearchModel search;
        search.setEntries(SearchModel::entriesOf(*m_window.session().snapshot()));
        std::vector<double> times;
        const QString word = QStringLiteral("linear_1 layers.200");
        for (int length = 1; length <= word.size(); ++length) {
            const auto typed = Clock::now();
            search.setQuery(word.left(length));
            times.push_back(millisecondsSince(typed));
        }
        report("large graph: search while typing, slowest letter",
               {*std::max_element(times.begin(), times.end())}, 50);
    }

    /// What a keystroke in the rules' dialog asks for: how many operators each of ten rules finds.
    void rules()
    {
        const Graph& graph = *m_window.session().model()->exported;
        RecipeRule rule;
        rule.match.op = "aten.*linear*";
        rule.match.module = "layers.0";
        rule.match.name = "*_1*";
        report("large graph: operators that ten rules find", repeat([&] {
                   const auto typed = Clock::now();
                   for (int i = 0; i < 10; ++i)
                       nodesOf(rule, graph);
                   return millisecondsSince(typed);
               }),
               50);
    }

    void memory(int layers)
    {
        QProcess process;
        process.start(QApplication::applicationFilePath(),
                      {"--memory", "--layers", QString::number(layers)});
        const bool ended = process.waitForFinished(600000) && process.exitCode() == 0;
        const QList<QByteArray> numbers = process.readAllStandardOutput().simplified().split(' ');
        if (!ended || numbers.size() != 4) {
            m_report("memory could not be measured", {1e9}, 1, "MB");
            return;
        }
        const double tensors = numbers[3].toDouble();
        std::printf(
            "memory, %d layers, %s nodes in three flat panes, above the empty window: "
            "%s MB, of them %s MB panes, %.0f MB weights, observed values and activations\n",
            layers, numbers[0].constData(), numbers[1].constData(),
            QByteArray::number(numbers[1].toDouble() - numbers[2].toDouble()).constData(), tensors);
        m_report("memory of these, no tensors", {numbers[1].toDouble() - tensors}, 250, "MB");
    }

    MainWindow& m_window;
    const BenchReport& m_report;
};

double residentMegabytes()
{
    malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> fields = file.readAll().split(' ');
    return static_cast<double>(fields.value(1).toLongLong() * sysconf(_SC_PAGESIZE)) / 1e6;
}

double megabytesOf(const std::vector<float>& values)
{
    return static_cast<double>(values.capacity() * sizeof(float)) / 1e6;
}

/// Weights and constants of the stages, what stages share once, what the observers have seen, which is tensors in
/// PyTorch, and the activations that are kept.
double tensorMegabytes(const Snapshot& snapshot)
{
    std::set<const void*> seen;
    double bytes = 0;
    for (const StageKind stage :
         {StageKind::Exported, StageKind::Annotated, StageKind::Prepared, StageKind::Converted}) {
        const GraphPtr graph = snapshot.graph(stage);
        if (!graph)
            continue;
        for (const auto& [name, attribute] : graph->attributes())
            if (attribute.value.isValid() && seen.insert(attribute.value.storage().get()).second)
                bytes += static_cast<double>(attribute.value.byteCount());
    }
    double observed = 0;
    for (const ObserverStatePtr& state : snapshot.calibrated->states)
        observed +=
            megabytesOf(state->minVal) + megabytesOf(state->maxVal) + megabytesOf(state->histogram);
    return (bytes + static_cast<double>(snapshot.calibrated->keptBytes)) / 1e6 + observed;
}

} // namespace

void benchLargeGraph(MainWindow& window, int layers, const BenchReport& report)
{
    LargeBench(window, report).run(layers);
}

int printMemoryOfLargeGraph(MainWindow& window, int layers)
{
    window.session().warmUp();
    waitUntilIdle(window);
    // Once anything has run, the kernels' own pages are there.
    openAndWait(window, "residual");
    window.session().close();
    waitUntilIdle(window);
    const double before = residentMegabytes();
    ModelRequest request;
    request.layers = layers;
    window.open("decoder", request);
    while (!window.session().model())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    // One batch: what the model computes is kept for edits, and those are tensors.
    Recipe recipe = window.session().recipe();
    recipe.calibration.batches = 1;
    window.session().changeRecipe(recipe, "one batch");
    waitUntilIdle(window, 600000);
    const double collapsed = residentMegabytes();
    window.session().view().setModules({});
    waitUntilIdle(window);
    const SnapshotPtr snapshot = window.session().snapshot();
    if (!snapshot->converted)
        return 1;
    std::size_t nodes = 0;
    for (const StageKind stage : window.session().view().stages())
        nodes += snapshot->graph(stage)->size();
    std::printf("%zu %.0f %.0f %.0f\n", nodes, residentMegabytes() - before, collapsed - before,
                tensorMegabytes(*snapshot));
    return 0;
}

} // namespace pt2e::ui

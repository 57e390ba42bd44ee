// pt2e-screenshots [FOLDER]: pictures of the window's main states, in both themes and both languages, and the checks
// that hold in each: the display lists have no fault, and no text of a widget is cut off. Exit code 1 if one has.
#include "tests/ui/UiTest.h"
#include "ui/canvas/ShareDrag.h"
#include "ui/canvas/StageBoard.h"
#include "ui/models/CoreText.h"
#include "ui/panels/AccuracyPage.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/ComparisonPanel.h"
#include "ui/panels/ConvergencePage.h"
#include "ui/panels/DiagnosisPage.h"
#include "ui/panels/FileHelp.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/panels/RulesDialog.h"
#include "ui/panels/SensitivityPanel.h"
#include "ui/panels/SpecDialog.h"
#include "ui/panels/TablesPanel.h"
#include "ui/session/Overlays.h"
#include "ui/session/SecondRecipe.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QEventLoop>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMouseEvent>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <cstdio>
#include <tuple>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

class Photographer
{
public:
    Photographer(UiApplication& application, const QDir& folder)
        : m_application(application),
          m_folder(folder),
          m_window(application.preferences())
    {
        m_window.resize(1680, 1050);
        m_window.show();
        settle();
    }

    bool run()
    {
        inAllLooks("gallery", [] {});
        openModel("residual");
        inAllLooks("residual", [this] { select(StageKind::Prepared, "conv2d", "observers"); });
        ranges();
        sharing();
        edit();
        openModel("residual");
        inAllLooks("hidden", [this] {
            m_window.session().selection().clear();
            m_window.session().hideResults();
        });
        m_window.session().runAll();
        compare();
        accuracy();
        openModel("cat_pool");
        ViewOptions options;
        options.focus = {"cat", "max_pool2d"};
        options.hops = 2;
        m_window.session().view().setOptions(options);
        inAllLooks("cat_pool",
                   [this] { select(StageKind::Converted, "max_pool2d", "unannotated"); });
        twoRecipes();
        palette();
        largeType();
        outline();
        smallWindow();
        dialogs();
        rules();
        projects();
        subGraph();
        decoder();
        modules();
        const QStringList warnings = UiApplication::takeWarnings();
        for (const QString& warning : warnings)
            complain("Qt", warning);
        return !m_hasFault;
    }

private:
    void settle()
    {
        if (!waitUntilIdle(m_window))
            complain("window", "work did not end");
        // Layouts that change in answer to layouts.
        for (int i = 0; i < 3; ++i)
            QApplication::processEvents();
    }

    void pause(int milliseconds)
    {
        QEventLoop loop;
        QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
        loop.exec();
        settle();
    }

    void openModel(const QString& what, const ModelRequest& request = {})
    {
        if (!openAndWait(m_window, what, request))
            complain(what, "did not open");
        settle();
    }

    void select(StageKind stage, const std::string& node, const QString& table)
    {
        m_window.tables().showTable(table);
        const GraphPtr graph = graphOf(m_window.session().entered(), stage);
        if (const Node* found = graph ? graph->findByName(node) : nullptr)
            m_window.session().selection().select(stage, {found->id});
        else
            complain(QString::fromStdString(node), "is not in this stage");
    }

    void inAllLooks(const QString& name, const std::function<void()>& arrange)
    {
        for (const QString language : {"en", "zh_TW"}) {
            for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
                m_application.preferences().setLanguage(language);
                m_application.preferences().setTheme(theme);
                settle();
                arrange();
                settle();
                take(QString("%1-%2-%3")
                         .arg(name, theme == ThemeChoice::Dark ? "dark" : "light", language));
            }
        }
        m_application.preferences().setLanguage("en");
        m_application.preferences().setTheme(ThemeChoice::Light);
        settle();
    }

    /// The part of the inspector where a range is chosen.
    void ranges()
    {
        select(StageKind::Exported, "relu", "observers");
        settle();
        inAllLooks("ranges", [this] {
            for (auto* button : m_window.findChildren<QPushButton*>("findConvergence")) {
                if (button->isVisible())
                    button->click();
            }
        });
    }

    /// An observer dragged over one that it cannot share, and one that it can.
    void sharing()
    {
        StagePane* pane = m_window.board().paneOf(StageKind::Prepared);
        GraphView& view = pane->view();
        view.fit();
        const auto dragTo = [&](std::size_t from, std::size_t to) {
            ShareDrag& drag = *pane->sharing();
            if (drag.places().size() <= std::max(from, to))
                return;
            const QPointF start = drag.positionOf(static_cast<int>(from));
            const QPointF end = drag.positionOf(static_cast<int>(to));
            const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
                QMouseEvent event(type, at, view.mapToGlobal(at), button, Qt::LeftButton, {});
                QApplication::sendEvent(&view, &event);
            };
            send(QEvent::MouseButtonPress, start, Qt::LeftButton);
            send(QEvent::MouseMove, (start + end) / 2, Qt::NoButton);
            send(QEvent::MouseMove, end, Qt::NoButton);
        };
        const auto giveUp = [&] {
            QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, {});
            QApplication::sendEvent(&view, &escape);
        };
        for (const auto& [name, from, to] :
             {std::tuple("share", 2, 0), std::tuple("no-share", 0, 1)}) {
            inAllLooks(name, [&, from = from, to = to] {
                giveUp();
                dragTo(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
            });
            giveUp();
        }
    }

    void setToNone(const std::string& node)
    {
        Edit edit;
        edit.at = {node, {}};
        edit.spec.kind = EditSpec::Kind::None;
        m_window.session().changeRecipe(withEdit(m_window.session().recipe(), edit),
                                        QString("Set %1 to none").arg(node.c_str()));
        settle();
    }

    void edit()
    {
        setToNone("conv2d_1");
        select(StageKind::Prepared, "conv2d_1", "observers");
        settle();
        take("edited-light-en");
    }

    void compare()
    {
        settle();
        select(StageKind::Converted, "conv2d_1", "observers");
        m_window.findChild<QAction*>("Co&mpare")->trigger();
        settle();
        if (!m_window.comparison().report())
            complain("compare", "no report");
        m_window.tables().showTable("partitions");
        settle();
        take("compared-light-en");
        m_window.tables().showTable("comparison");
        settle();
        take("comparison-light-en");
    }

    /// Labelled data: needs the package dataset-fashion-mnist.
    void accuracy()
    {
        openModel("fashion_cnn");
        m_window.tables().showTable("comparison");
        settle();
        take("not-compared-light-en");
        m_window.findChild<QAction*>("Co&mpare")->trigger();
        settle();
        if (!m_window.comparison().report() || !m_window.comparison().report()->classified) {
            complain("fashion_cnn", "no accuracy");
            return;
        }
        ComparisonPanel& panel = m_window.comparisonPanel();
        inAllLooks("accuracy", [&panel] { panel.showTable("accuracy"); });
        panel.accuracy().chooseCell(6, 0);
        settle();
        take("accuracy-cell-light-en");
        panel.accuracy().showFlips();
        const QSize before = m_window.size();
        m_window.resize(1480, 940);
        settle();
        take("accuracy-1480-light-en");
        m_window.resize(before);
        settle();
        m_window.findChild<QComboBox*>("question")->setCurrentIndex(1);
        inAllLooks("operators", [&panel] { panel.showTable("operators"); });
        sensitivity();
        overlays();
        m_window.session().view().setFocus({"relu_4"});
        inAllLooks("values", [this] { select(StageKind::Converted, "relu_4", "observers"); });
        m_window.session().selection().clear();
        m_window.session().view().setFocus({});
        inAllLooks("partitions", [this] { m_window.tables().showTable("partitions"); });
    }

    void sensitivity()
    {
        m_window.tables().showTable("sensitivity");
        settle();
        take("sensitivity-start-light-en");
        auto* panel = m_window.findChild<SensitivityPanel*>();
        panel->run().run();
        settle();
        panel->run().find(36);
        settle();
        if (!panel->run().search() || !panel->run().search()->isMet)
            complain("sensitivity", "no mixed precision");
        inAllLooks("sensitivity", [this, panel] {
            m_window.tables().showTable("sensitivity");
            Q_EMIT panel->bars().rowChosen(2);
        });
        diagnosis();
        m_window.tables().showTable("sensitivity");
        const QSize before = m_window.size();
        m_window.resize(1280, 800);
        settle();
        take("sensitivity-1280-light-en");
        m_window.resize(before);
        settle();
    }

    void twoRecipes()
    {
        m_window.tables().showTable("recipes");
        settle();
        take("recipes-start-light-en");
        m_window.secondRecipe().choose(Beside::ExecuTorch);
        settle();
        m_window.secondRecipe().run();
        settle();
        if (!m_window.secondRecipe().comparison()
            || !m_window.secondRecipe().comparison()->runs.times)
            complain("recipes", "were not run");
        inAllLooks("recipes", [this] { select(StageKind::Converted, "cat", "recipes"); });
        const QSize before = m_window.size();
        m_window.resize(1280, 800);
        settle();
        take("recipes-1280-light-en");
        m_window.findChild<QToolButton*>("recipeSummary")->click();
        settle();
        take("recipes-summary-1280-light-en");
        m_window.tables().showTable("recipe-differences");
        m_window.resize(before);
        m_window.session().view().setStages({StageKind::Prepared, StageKind::Converted});
        m_window.secondRecipe().setPanes({StageKind::Prepared, StageKind::Converted});
        settle();
        inAllLooks("recipe-panes", [this] { select(StageKind::Converted, "cat", "recipes"); });
        m_window.session().view().setStages(
            {StageKind::Exported, StageKind::Prepared, StageKind::Converted});
        m_window.secondRecipe().choose(Beside::Nothing);
        settle();
    }

    void diagnosis()
    {
        Edit edit;
        edit.at = {"relu_4", {}};
        edit.spec.kind = EditSpec::Kind::Observed;
        edit.spec.observed.qscheme = QScheme::PerTensorSymmetric;
        edit.spec.observed.quantMin = -127;
        edit.spec.observed.quantMax = 127;
        m_window.session().changeRecipe(withEdit(m_window.session().recipe(), edit), "symmetric");
        settle();
        m_window.tables().showTable("diagnosis");
        inAllLooks("diagnosis",
                   [this] { m_window.findChild<DiagnosisPage*>()->table().selectRow(0); });
        m_window.session().undoStack().undo();
        settle();
        convergence();
    }

    void convergence()
    {
        auto* page = m_window.findChild<ConvergencePage*>();
        m_window.tables().showTable("convergence");
        settle();
        take("convergence-start-light-en");
        page->run();
        settle();
        if (!page->found() || page->found()->enough == 0)
            complain("convergence", "nothing was found");
        inAllLooks("convergence", [] {});
    }

    void overlays()
    {
        ViewOptions options;
        options.focus = {"cat", "linear"};
        options.hops = 4;
        m_window.session().view().setOptions(options);
        m_window.overlays().show(OverlayKind::Error);
        inAllLooks("overlay-error", [] {});
        m_window.overlays().show(OverlayKind::Engine);
        inAllLooks("overlay-engine", [] {});
        m_window.overlays().show(OverlayKind::Time);
        inAllLooks("overlay-time", [] {});
        m_window.overlays().show(OverlayKind::Bytes);
        settle();
        take("overlay-bytes-light-en");
        const QString figure = m_folder.filePath("overlay-figure.png");
        m_window.exportFigure(figure);
        settle();
        m_window.session().view().setFocus({});
        settle();
        m_window.board().fitAll();
        settle();
        take("overlay-far-light-en");
        m_window.overlays().show(std::nullopt);
        settle();
    }

    void palette()
    {
        QAction* find = m_window.findChild<QAction*>("&Find…");
        find->trigger();
        m_window.palette().entry()->setText("conv");
        settle();
        take("palette-light-en");
        m_window.palette().hide();
    }

    void largeType()
    {
        m_application.preferences().setLargeType(true);
        settle();
        take("large-light-en");
        m_application.preferences().setLargeType(false);
        settle();
    }

    /// A while_loop, and in its body.
    void subGraph()
    {
        openModel(PT2E_DATA_DIR "/cases/while_loop/model.pt2");
        take("loop-light-en");
        inAllLooks("body", [this] {
            m_window.session().view().enter("while_loop_body_graph_0");
            settle();
            select(StageKind::Prepared, "linear", "observers");
        });
    }

    /// The smallest window that still has to work: a projector's.
    void smallWindow()
    {
        const QSize before = m_window.size();
        m_window.resize(1280, 720);
        settle();
        if (m_window.width() > 1280 || m_window.height() > 720)
            complainOfMinimum();
        if (m_window.width() > 1280 || m_window.height() > 720)
            complain("window", QString("cannot be 1280 × 720: it is %1 × %2")
                                   .arg(m_window.width())
                                   .arg(m_window.height()));
        take("small-light-en");
        m_window.resize(before);
        settle();
    }

    void complainOfMinimum()
    {
        for (const QWidget* child : m_window.findChildren<QWidget*>()) {
            if (child->isVisible() && child->minimumSizeHint().width() > 600)
                complain(child->metaObject()->className(),
                         QString("needs a width of %1").arg(child->minimumSizeHint().width()));
        }
    }

    void outline()
    {
        openModel("residual");
        m_window.outline().show();
        select(StageKind::Exported, "conv2d_1", "diff-ops");
        settle();
        take("outline-light-en");
        m_window.outline().hide();
    }

    /// The form in the inspector, and the dialog with a conflict.
    void annotation()
    {
        select(StageKind::Exported, "conv2d_1", "observers");
        settle();
        const SnapshotPtr& snapshot = m_window.session().snapshot();
        const NodeId node = snapshot->annotated->folded.graph->findByName("conv2d_1")->id;
        const Annotation* annotation = snapshot->annotated->annotations.find(node);
        auto* dialog = new SpecDialog(m_window.session(), {"conv2d_1", ""},
                                      annotation ? annotation->output : Spec{}, &m_window);
        dialog->open();
        pause(400);
        save(dialog, "annotation-light-en");
        dialog->findChild<QComboBox*>("specKind")->setCurrentIndex(3);
        dialog->findChild<QComboBox*>("specShared")->setCurrentText("add");
        pause(400);
        save(dialog, "annotation-conflict-light-en");
        dialog->close();
    }

    /// Three rules, one of them not applied yet, and what a kind of hardware does not allow.
    void rules()
    {
        openModel("cat_pool");
        select(StageKind::Exported, "conv2d_2", "observers");
        Recipe recipe = m_window.session().recipe();
        RecipeRule first, second;
        first.match.op = "aten.conv*";
        first.match.position = NodeMatch::Position::First;
        first.skip = true;
        second.match.op = "aten.cat.default";
        EditSpec shared;
        shared.kind = EditSpec::Kind::Shared;
        shared.sharedWith = {"$input0", ""};
        second.inputs = {{EditSpec::Kind::Observed, {}, {}, {}, {}, {}}};
        second.inputs[0].observed.qscheme = QScheme::PerTensorAffine;
        second.inputs[0].observed.quantMin = -128;
        second.inputs[0].observed.quantMax = 127;
        second.otherInputs = second.output = shared;
        recipe.rules = {first, second};
        m_window.session().changeRecipe(recipe, "Change the rules");
        settle();
        for (const QString language : {"en", "zh_TW"}) {
            for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
                m_application.preferences().setLanguage(language);
                m_application.preferences().setTheme(theme);
                settle();
                m_window.findChild<QAction*>("R&ules of the recipe…")->trigger();
                auto* dialog = m_window.findChild<RulesDialog*>();
                dialog->findChild<QListWidget*>("rulesList")->setCurrentRow(1);
                dialog->findChild<QPushButton*>("ruleAdd")->click();
                dialog->findChild<QComboBox*>("ruleOp")->setEditText("aten.conv2d.default");
                dialog->findChild<QComboBox*>("hardwareProfile")->setCurrentIndex(4);
                pause(400);
                auto* bias = dialog->findChild<QComboBox*>("rule.input2");
                const int product = bias->count() - 4;
                bias->setCurrentIndex(product);
                Q_EMIT bias->activated(product);
                auto* tree = dialog->findChild<QTreeWidget*>("hardwareTree");
                if (tree->topLevelItemCount() > 0)
                    tree->setCurrentItem(tree->topLevelItem(0));
                pause(400);
                const QString look =
                    QString("%1-%2").arg(theme == ThemeChoice::Dark ? "dark" : "light", language);
                save(dialog, "rules-" + look);
                take("rules-window-" + look);
                dialog->close();
                settle();
            }
        }
        m_application.preferences().setLanguage("en");
        m_application.preferences().setTheme(ThemeChoice::Light);
        settle();
    }

    void dialogs()
    {
        m_window.findChild<QAction*>("&Keys")->trigger();
        QDialog* keys = m_window.findChild<QDialog*>("keySheet");
        settle();
        save(keys, "keys-light-en");
        keys->close();
        for (const char* language : {"en", "zh_TW"}) {
            m_application.preferences().setLanguage(language);
            m_window.tables().showTable("observers");
            m_window.tables().viewOf("observers")->setFocus();
            m_window.findChild<QAction*>("&What is this?")->trigger();
            QDialog* help = m_window.findChild<QDialog*>("contextHelp");
            settle();
            save(help, QString("help-light-%1").arg(language));
            help->close();
            settle();
            m_window.tables().showTable("log");
            settle();
            take(QString("log-light-%1").arg(language));
            m_window.tables().showTable("problems");
            settle();
            take(QString("problems-light-%1").arg(language));
        }
        m_application.preferences().setLanguage("en");
        m_window.findChild<QAction*>("Compare on other &data…")->trigger();
        QDialog* data = m_window.findChild<QDialog*>("evaluationDialog");
        pause(400); // the data are looked at when typing has paused
        save(data, "data-light-en");
        data->close();
        annotation();
        FileHelp help("network.onnx", &m_window);
        help.setAttribute(Qt::WA_DeleteOnClose, false);
        help.show();
        settle();
        save(&help, "filehelp-light-en");
        help.hide();
    }

    /// Bookmarks and notes, what is asked before work is lost, and what is offered after a crash.
    void projects()
    {
        openModel("residual");
        Session& session = m_window.session();
        setToNone("conv2d_1");
        session.changeMarks(session.marks()
                                .withBookmark("conv2d", true)
                                .withBookmark("add", true)
                                .withNote("add", "Both operands share one scale only under "
                                                 "ExecuTorch.\nAsk again with per-tensor weights.")
                                .withNote("relu_1", "clipped at 6 in the paper"),
                            "Marks");
        inAllLooks("bookmarks", [this] { select(StageKind::Prepared, "add", "bookmarks"); });
        QTemporaryDir folder;
        const QString path = folder.filePath("residual, per channel.pt2ew");
        m_window.projects().saveTo(path);
        settle();
        setToNone("conv2d");
        m_window.close();
        auto* unsaved = m_window.findChild<QDialog*>("unsavedWork");
        settle();
        save(unsaved, "unsaved-light-en");
        // As after a crash: a journal that nobody owns.
        const QDir journals(Autosave::folder());
        for (const QString& name : journals.entryList({"*.journal"}, QDir::Files))
            QFile::copy(journals.filePath(name), journals.filePath("lost.journal"));
        unsaved->reject();
        session.close();
        settle();
        m_window.projects().autosave().scan();
        inAllLooks("recover", [] {});
        m_window.projects().autosave().discardNewest();
        m_application.preferences().clearRecentFiles();
    }

    void decoder()
    {
        ModelRequest request;
        request.layers = 2;
        openModel("decoder", request);
        m_window.tables().showTable("unannotated");
        settle();
        take("decoder-light-en");
        m_window.board().fitAll();
        settle();
        take("decoder-fit-light-en");
    }

    /// Blocks of MobileNetV2 as boxes; a decoder as it opens, and with its first layer open, the overview beside it.
    void modules()
    {
        openModel("mobilenet_v2");
        inAllLooks("mobilenet-flat", [] {});
        m_window.session().view().setModules({2, {}, {}, true});
        inAllLooks("mobilenet-modules", [this] {
            select(StageKind::Prepared, "conv2d_5", "unannotated");
            m_window.board().fitAll();
        });
        ModelRequest request;
        request.layers = 40;
        openModel("decoder", request);
        inAllLooks("decoder-collapsed", [this] { m_window.session().selection().clear(); });
        m_window.session().view().expandModules({"layers.0"});
        inAllLooks("decoder-first-layer",
                   [this] { select(StageKind::Exported, "softmax", "unannotated"); });
        m_window.session().view().setModules({});
        inAllLooks("decoder-overview", [] {});
    }

    void take(const QString& name)
    {
        save(&m_window, name);
        for (StagePane* pane : m_window.board().panes()) {
            if (m_window.isStartPageShown() || !pane->view().content())
                continue;
            for (const QString& fault :
                 checkDisplayList(pane->view().content()->list, Appearance::instance().theme()))
                complain(name + " " + stageTitle(pane->stage()), fault);
        }
    }

    void save(QWidget* widget, const QString& name)
    {
        const QString path = m_folder.filePath(name + ".png");
        if (!widget->grab().save(path))
            complain(path, "cannot be written");
        std::printf("%s\n", qPrintable(path));
        for (const QWidget* child : widget->findChildren<QWidget*>()) {
            if (child->isVisible() && isCutOff(child))
                complain(name, QString("text is cut off: '%1' (%2 of %3 pixels)")
                                   .arg(textOf(child))
                                   .arg(child->width())
                                   .arg(child->sizeHint().width()));
        }
    }

    static QString textOf(const QWidget* widget)
    {
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            return label->text();
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            return button->text();
        if (const auto* box = qobject_cast<const QComboBox*>(widget))
            return box->currentText();
        return {};
    }

    static bool isCutOff(const QWidget* widget)
    {
        if (textOf(widget).isEmpty()
            || widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
            return false;
        if (const auto* label = qobject_cast<const QLabel*>(widget); label && label->wordWrap())
            return label->height() + 1 < label->heightForWidth(label->width());
        if (const auto* box = qobject_cast<const QComboBox*>(widget);
            box && box->sizeAdjustPolicy() == QComboBox::AdjustToMinimumContentsLengthWithIcon)
            return false; // may be narrower than its longest entry; the tool tip has it all
        return widget->width() + 1 < std::min(widget->sizeHint().width(), widget->maximumWidth())
               && widget->width() > 0;
    }

    void complain(const QString& where, const QString& what)
    {
        m_hasFault = true;
        std::fprintf(stderr, "%s: %s\n", qPrintable(where), qPrintable(what));
    }

    UiApplication& m_application;
    QDir m_folder;
    MainWindow m_window;
    bool m_hasFault = false;
};

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    UiApplication application(argc, argv);
    const QString name = QApplication::arguments().value(1, "screenshots");
    if (name.startsWith(QLatin1Char('-'))) {
        std::fprintf(stderr, "usage: pt2e-screenshots [FOLDER]\n");
        return 2;
    }
    const QDir folder(name);
    if (!QDir().mkpath(folder.path())) {
        std::fprintf(stderr, "%s: cannot be made\n", qPrintable(folder.path()));
        return 2;
    }
    return Photographer(application, folder).run() ? 0 : 1;
}

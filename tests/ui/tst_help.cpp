// What is explained and what can be copied: every panel and every column of every table has its help, in both languages,
// and whatever shows numbers gives them away as text, CSV and JSON.
#include "tests/ui/UiTest.h"
#include "ui/charts/ChartCopy.h"
#include "ui/charts/ConfusionMatrix.h"
#include "ui/charts/ConvergenceChart.h"
#include "ui/charts/CostBars.h"
#include "ui/charts/Histogram.h"
#include "ui/charts/IntervalChart.h"
#include "ui/charts/TradeChart.h"
#include "ui/charts/ValueChart.h"
#include "ui/models/Glossary.h"
#include "ui/panels/ContextHelp.h"
#include "ui/panels/FittingTabs.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/NodeTable.h"
#include "ui/panels/SensitivityPanel.h"
#include "ui/panels/TablesPanel.h"
#include "ui/session/Comparison.h"
#include "ui/session/SecondRecipe.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QtTest>

#include <set>

using namespace pt2e;
using namespace pt2e::ui;

class TestHelp : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    void everyColumnHasAMeaning()
    {
        QVERIFY(everything());
        for (const char* language : {"en", "zh_TW"}) {
            m_application.preferences().setLanguage(language);
            QVERIFY(waitUntilIdle(*m_window));
            int columns = 0;
            for (const NodeTable* table : m_window->findChildren<NodeTable*>()) {
                const QAbstractItemModel& model = *table->model();
                for (int i = 0; i < model.columnCount(); ++i) {
                    if (model.headerData(i, Qt::Horizontal).toString().isEmpty())
                        continue;
                    ++columns;
                    const QString tip =
                        model.headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString();
                    QVERIFY2(!tip.isEmpty(),
                             qPrintable(table->objectName() + ": "
                                        + QString::fromStdString(
                                            table->table().columns[static_cast<std::size_t>(i)])));
                }
            }
            QVERIFY(columns > 50);
        }
        QCOMPARE(meaningOf("no such word"), QString());
        const QStringList words = glossaryWords();
        QCOMPARE(QSet<QString>(words.begin(), words.end()).size(), words.size());
        for (const char* word :
             {"scale", "zero point", "observer", "per channel", "SQNR", "fan-out", "q/dq", "anchor",
              "SharedQuantizationSpec", "partition"})
            QVERIFY2(!meaningOf(word).isEmpty(), word);
    }

    void everyPanelHasHelp()
    {
        QVERIFY(everything());
        std::set<QString> known;
        for (const PanelHelp& help : panelHelps())
            known.insert(QString::fromUtf8(help.id));
        // Whatever Tab can reach is in a panel that is explained.
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus))
                continue;
            const QString id = ContextHelp::panelOf(widget);
            QVERIFY2(known.contains(id), qPrintable(id));
        }
        for (const QString& id : m_window->tables().tabIds()) {
            QVERIFY2(known.contains(id), qPrintable(id));
            m_window->tables().showTable(id);
            QCOMPARE(ContextHelp::panelOf(&m_window->tables()), id);
        }
    }

    void helpByKey()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (const char* language : {"en", "zh_TW"}) {
            m_application.preferences().setLanguage(language);
            m_window->activateWindow();
            QTRY_COMPARE(QApplication::activeWindow(), m_window.get());
            m_window->tables().showTable("observers");
            m_window->tables().viewOf("observers")->setFocus();
            QTRY_VERIFY(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1, Qt::ShiftModifier);
            auto* help = m_window->findChild<ContextHelp*>();
            QVERIFY(help);
            QCOMPARE(help->shownId(), QStringLiteral("observers"));
            QVERIFY(QTest::qWaitForWindowActive(help));
            bool hasMeaning = false;
            for (const QLabel* label : help->findChildren<QLabel*>())
                hasMeaning |= label->text() == meaningOf("qparams");
            QVERIFY(hasMeaning);
            QTest::keyClick(help, Qt::Key_Escape);
            QTRY_VERIFY(!m_window->findChild<ContextHelp*>());
        }
    }

    /// None is cut or scrolled away, at any width and in any language.
    void tabsWithoutRoomAreInAMenu()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        auto* tabs = m_window->tables().findChild<FittingTabs*>();
        const int all = static_cast<int>(m_window->tables().tabIds().size());
        for (const char* language : {"en", "zh_TW"}) {
            m_application.preferences().setLanguage(language);
            for (const int width : {1280, 1480, 1680, 2600}) {
                m_window->resize(width, 900);
                QVERIFY(waitUntilIdle(*m_window));
                int shown = 0;
                for (int i = 0; i < tabs->count(); ++i)
                    shown += tabs->isTabVisible(i) ? 1 : 0;
                const QRect bar = tabs->tabBar()->geometry();
                const QWidget* corner = tabs->cornerWidget(Qt::TopRightCorner);
                QVERIFY(tabs->tabBar()->sizeHint().width() <= tabs->width() - corner->width());
                QVERIFY(bar.right() <= corner->geometry().left());
                QCOMPARE(tabs->more()->isVisible(), shown < all);
                QVERIFY(width < 2600 || shown == all);
                if (shown == all)
                    continue;
                Q_EMIT tabs->more()->menu()->aboutToShow();
                const QList<QAction*> hidden = tabs->more()->menu()->actions();
                QCOMPARE(static_cast<int>(hidden.size()), all - shown);
                const QString title = hidden.last()->text();
                hidden.last()->trigger();
                QCOMPARE(tabs->tabText(tabs->currentIndex()), title);
                QVERIFY(tabs->isTabVisible(tabs->currentIndex()));
                QVERIFY(tabs->tabBar()->sizeHint().width() <= tabs->width() - corner->width());
                m_window->tables().showTable("observers");
            }
        }
    }

    /// All tabs of the tables, in one loop.
    void everyTableIsCopied()
    {
        QVERIFY(everything());
        for (const QString& id : m_window->tables().tabIds()) {
            m_window->tables().showTable(id);
            QVERIFY(waitUntilIdle(*m_window));
            const QMenu* menu = nullptr;
            for (const QToolButton* button : m_window->tables().findChildren<QToolButton*>()) {
                if (button->menu() && button->menu()->findChild<QAction*>("copy.csv"))
                    menu = button->menu();
            }
            QVERIFY2(menu, qPrintable(id));
            QVERIFY2(copies(*menu), qPrintable(id));
        }
    }

    void everySectionOfTheInspectorIsCopied()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const GraphPtr graph = m_window->session().snapshot()->model->exported;
        m_window->session().selection().select(StageKind::Exported,
                                               {graph->findByName("relu")->id});
        QVERIFY(waitUntilIdle(*m_window));
        auto* button = m_window->inspector().findChild<QToolButton*>("copyFacts");
        QVERIFY(button && button->isVisible());
        Q_EMIT button->menu()->aboutToShow();
        std::set<QString> sections;
        for (QAction* action : button->menu()->actions()) {
            if (!action->menu())
                continue;
            sections.insert(action->menu()->objectName());
            QVERIFY2(copies(*action->menu()), qPrintable(action->menu()->objectName()));
        }
        const std::set<QString> wanted{"call",   "annotation", "values",  "histogram",
                                       "across", "users",      "metadata"};
        for (const QString& section : wanted)
            QVERIFY2(sections.contains(section), qPrintable(section));
        QVERIFY(copies(*button->menu())); // all of them
        QVERIFY(QGuiApplication::clipboard()->text().contains("aten.relu"));
    }

    /// Each kind of chart, with data in it.
    void everyChartIsCopied()
    {
        Histogram histogram;
        histogram.setData({{1, 2, 3}, 0, 3, {}, {}, {}});
        QCOMPARE(tableOf(histogram).rows.size(), std::size_t(3));
        ValueChart values;
        values.setData({{{{1, 2}}, {{3, 4}}}, 0, 1, {}, {}});
        QCOMPARE(tableOf(values).columns.size(), std::size_t(4));
        ConvergenceChart convergence;
        convergence.setData({{-1, -2}, {1, 2}, {}, 1});
        QCOMPARE(tableOf(convergence).columns.size(), std::size_t(3));
        ConvergenceChart curve;
        curve.setData({{20, 30}, {}, {1, 8}, 0});
        QCOMPARE(tableOf(curve).columns.size(), std::size_t(2));
        QCOMPARE(tableOf(curve).rows[1].cells[0].text, std::string("8"));
        IntervalChart intervals;
        intervals.setRows({{"float", 0.9, 0.8, 0.95}});
        CostBars bars;
        bars.setRows({{"relu", 0.5, "20 dB", {}}}, {});
        TradeChart trade;
        TradeChart::Data dots;
        dots.dots = {{0.1, 30, "all int8"}};
        trade.setData(dots);
        ConfusionMatrix confusion;
        confusion.setCounts({{3, 1}, {0, 4}}, {"cat", "dog"});
        QWidget* const charts[] = {&histogram, &values, &convergence, &intervals,
                                   &bars,      &trade,  &confusion};
        for (QWidget* chart : charts) {
            chart->resize(200, 120);
            chart->show();
            QContextMenuEvent ask(QContextMenuEvent::Mouse, {20, 20},
                                  chart->mapToGlobal(QPoint(20, 20)));
            QApplication::sendEvent(chart, &ask);
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY2(menu, chart->metaObject()->className());
            QVERIFY2(copies(*menu), chart->metaObject()->className());
            menu->close();
        }
        QVERIFY(QGuiApplication::clipboard()->text().contains("dog"));
        // And those that stand in the window are of these kinds.
        QVERIFY(everything());
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            const QString name = QString::fromUtf8(widget->metaObject()->className());
            if (name.endsWith("Chart") || name.endsWith("Histogram") || name.endsWith("CostBars")
                || name.endsWith("Matrix"))
                QVERIFY2(widget->contextMenuPolicy() == Qt::CustomContextMenu, qPrintable(name));
        }
    }

private:
    /// A model with all that can be measured: all tables have their columns.
    bool everything()
    {
        if (!openAndWait(*m_window, "residual"))
            return false;
        m_window->comparison().run();
        if (!waitUntilIdle(*m_window))
            return false;
        m_window->findChild<SensitivityPanel*>()->run().run();
        if (!waitUntilIdle(*m_window))
            return false;
        m_window->findChild<QPushButton*>("convergenceStart")->click();
        m_window->secondRecipe().choose(Beside::ExecuTorch);
        return waitUntilIdle(*m_window);
    }

    /// All three forms, each as it should be.
    static bool copies(const QMenu& menu)
    {
        const auto copied = [&menu](const char* name) {
            QGuiApplication::clipboard()->clear();
            auto* action =
                menu.findChild<QAction*>(QString::fromUtf8(name), Qt::FindDirectChildrenOnly);
            if (action)
                action->trigger();
            return QGuiApplication::clipboard()->text();
        };
        const QString text = copied("copy.text"), csv = copied("copy.csv"),
                      json = copied("copy.json");
        const QJsonDocument document = QJsonDocument::fromJson(json.toUtf8());
        const QJsonArray tables =
            document.isArray() ? document.array() : QJsonArray{document.object()};
        if (text.isEmpty() || csv.isEmpty() || tables.isEmpty())
            return false;
        for (const QJsonValue& table : tables) {
            const QJsonObject object = table.toObject();
            if (object["columns"].toArray().isEmpty() || !object["rows"].isArray())
                return false;
            const QString first = object["columns"].toArray().first().toString();
            // A table without rows is "none" as text.
            const bool isEmpty = object["rows"].toArray().isEmpty();
            if (!csv.contains(first) || (!isEmpty && !text.contains(first)))
                return false;
        }
        return true;
    }
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestHelp test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_help.moc"

// Rules of the recipe in the real window: by typing and clicks.
#include "core/pipeline/Edits.h"
#include "core/pipeline/StageDump.h"
#include "tests/ui/UiTest.h"
#include "ui/panels/PlaceChooser.h"
#include "ui/panels/RulesDialog.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

class TestRules : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    // "first of aten.conv* → not quantized": typed, counted, selected, applied as one step, undone.
    void aRuleByTyping()
    {
        RulesDialog* dialog = openRules("residual");
        QVERIFY(dialog);
        QVERIFY(!at<QPushButton>("rulesApply")->isEnabled());
        click("ruleAdd");
        QVERIFY(settle());
        auto* op = at<QComboBox>("ruleOp");
        QCOMPARE(op->currentText(), QStringLiteral("aten.conv2d.default"));
        QVERIFY(op->findText("aten.add.Tensor") >= 0);
        QCOMPARE(listText(0), QStringLiteral("every aten.conv2d.default → as it is · 2 operators"));
        type(op->lineEdit(), "aten.conv*");
        QVERIFY(settle());
        QCOMPARE(at<QLabel>("ruleFound")->text(),
                 QStringLiteral("finds 2 operators: conv2d, conv2d_1"));
        QCOMPARE(selectedNames(), QStringList({"conv2d", "conv2d_1"}));
        at<QComboBox>("rulePosition")->setCurrentIndex(1);
        at<QCheckBox>("ruleSkip")->setChecked(true);
        QVERIFY(settle());
        QCOMPARE(listText(0), QStringLiteral("first of aten.conv* → not quantized · 1 operator"));
        QCOMPARE(selectedNames(), QStringList({"conv2d"}));
        QVERIFY(!at<QComboBox>("rule.output")->isEnabled());
        const std::string before = dump();
        QCOMPARE(m_window->session().undoStack().count(), 0);
        click("rulesApply");
        QVERIFY(settle());
        QCOMPARE(m_window->session().undoStack().undoText(), QStringLiteral("Change the rules"));
        QCOMPARE(m_window->session().undoStack().count(), 1);
        QVERIFY(!at<QPushButton>("rulesApply")->isEnabled());
        const RecipeRule& rule = m_window->session().recipe().rules.at(0);
        QVERIFY(rule.skip && rule.match.op == "aten.conv*"
                && rule.match.position == NodeMatch::Position::First);
        QVERIFY(dump() != before);
        m_window->session().undoStack().undo();
        QVERIFY(settle());
        QVERIFY(dump() == before);
        QVERIFY(dialog->rules().empty());
    }

    void whatIsTypedAndFindsNothing()
    {
        QVERIFY(openRules("residual"));
        click("ruleAdd");
        type(at<QComboBox>("ruleOp")->lineEdit(), "aten.lstm*");
        QVERIFY(settle());
        QCOMPARE(at<QLabel>("ruleFound")->text(),
                 QStringLiteral("finds no operator of this model"));
        QVERIFY(at<QLabel>("ruleFound")->property("warn").toBool());
        type(at<QComboBox>("ruleOp")->lineEdit(), "");
        type(at<QLineEdit>("ruleName"), "relu*");
        QVERIFY(settle());
        QCOMPARE(selectedNames(), QStringList({"relu", "relu_1"}));
        at<QComboBox>("ruleDtype")->setCurrentText("int64");
        QVERIFY(settle());
        QCOMPARE(listText(0).section(QStringLiteral(" · "), 1), QStringLiteral("0 operators"));
    }

    // The annotations of the hand-written quantizer for cat: all with the first input's parameters.
    void choicesInWords()
    {
        QVERIFY(openRules("cat_pool"));
        select("cat");
        click("ruleAdd");
        QVERIFY(settle());
        QCOMPARE(at<QComboBox>("ruleOp")->currentText(), QStringLiteral("aten.cat.default"));
        choose("rule.input0", "int8 activation");
        click<QToolButton>("ruleFewerInputs");
        choose("rule.others", "shared with the first input");
        choose("rule.output", "shared with the first input");
        QVERIFY(settle());
        QVERIFY2(at<QPushButton>("rulesApply")->isEnabled(),
                 qPrintable(at<QLabel>("rulesConflicts")->text()));
        click("rulesApply");
        QVERIFY(settle());
        const RecipeRule& rule = m_window->session().recipe().rules.at(0);
        QCOMPARE(rule.inputs.size(), std::size_t(1));
        QVERIFY(rule.inputs[0].kind == EditSpec::Kind::Observed);
        QVERIFY(rule.otherInputs && rule.otherInputs->sharedWith.text() == "$input0");
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        const NodeId cat = snapshot->annotated->folded.graph->findByName("cat")->id;
        const Annotation* annotation = snapshot->annotated->annotations.find(cat);
        QVERIFY(annotation && std::holds_alternative<SharedSpec>(annotation->output));
    }

    void customSpecs()
    {
        QVERIFY(openRules("residual"));
        select("relu");
        click("ruleAdd");
        QVERIFY(settle());
        choose("rule.output", "fixed scale…");
        auto* dialog = m_window->findChild<QDialog*>("placeDialog");
        QVERIFY(dialog && dialog->isVisible());
        auto* accept = dialog->findChild<QPushButton*>("placeAccept");
        type(dialog->findChild<QLineEdit*>("specScale"), "zero");
        QVERIFY(!accept->isEnabled());
        type(dialog->findChild<QLineEdit*>("specScale"), "0.0625");
        QVERIFY(accept->isEnabled());
        QTest::mouseClick(accept, Qt::LeftButton);
        QVERIFY(settle());
        QVERIFY2(listText(0).contains("fixed 0.0625, 0"), qPrintable(listText(0)));
        // A point of another operator is none that a rule can name.
        choose("rule.output", "custom…");
        dialog = last<QDialog>("placeDialog");
        QVERIFY(dialog);
        dialog->findChild<QComboBox*>("specKind")->setCurrentIndex(3);
        auto* shared = dialog->findChild<QComboBox*>("specShared");
        QVERIFY(shared->findText("$input1") >= 0);
        shared->setEditText("conv2d");
        QVERIFY(!dialog->findChild<QPushButton*>("placeAccept")->isEnabled());
        dialog->reject();
        click("rulesApply");
        QVERIFY(settle());
        QCOMPARE(m_window->session().recipe().rules.at(0).output->fixed.scale, 0.0625);
    }

    void conflictsAreToldBefore()
    {
        QVERIFY(openRules("residual"));
        select("conv2d");
        click("ruleAdd");
        QVERIFY(settle());
        // The bias is derived from an input that the rule takes away.
        choose("rule.input0", "not quantized");
        choose("rule.input2", "int32 bias: input scale × weight scale");
        QVERIFY(settle());
        QVERIFY2(at<QLabel>("rulesConflicts")->text().contains("nothing is asked for at x->conv2d"),
                 qPrintable(at<QLabel>("rulesConflicts")->text()));
        click("rulesRevert");
        QVERIFY(settle());
        QCOMPARE(at<QListWidget>("rulesList")->count(), 0);
        QVERIFY(at<QLabel>("rulesConflicts")->text().isEmpty());
        QVERIFY(m_window->session().recipe().rules.empty());
    }

    // In another language the same rules, applied or not.
    void anotherLanguage()
    {
        QVERIFY(openRules("residual"));
        click("ruleAdd");
        QVERIFY(settle());
        m_application.preferences().setLanguage("zh_TW");
        QVERIFY(settle());
        const auto dialogs = m_window->findChildren<RulesDialog*>();
        QCOMPARE(dialogs.size(), 1);
        QCOMPARE(dialogs[0]->rules().size(), std::size_t(1));
        QVERIFY(dialogs[0]->isVisible() && dialogs[0]->isChanged());
        QCOMPARE(at<QPushButton>("rulesApply")->text(), QStringLiteral("套用"));
    }

    void orderAndCopies()
    {
        RulesDialog* dialog = openRules("residual");
        select("relu");
        click("ruleAdd");
        QVERIFY(settle());
        select("add");
        click("ruleAdd");
        QVERIFY(settle());
        click("ruleDuplicate");
        QCOMPARE(dialog->rules().size(), std::size_t(3));
        QVERIFY(dialog->rules()[1] == dialog->rules()[2]);
        click<QToolButton>("ruleUp");
        click<QToolButton>("ruleUp");
        QVERIFY(!at<QToolButton>("ruleUp")->isEnabled());
        QCOMPARE(dialog->rules()[0].match.op, std::string("aten.add.Tensor"));
        QCOMPARE(dialog->rules()[1].match.op, std::string("aten.relu.default"));
        click<QToolButton>("ruleDown");
        QCOMPARE(dialog->rules()[0].match.op, std::string("aten.relu.default"));
        click("ruleRemove");
        click("ruleRemove");
        QCOMPARE(dialog->rules().size(), std::size_t(1));
        QVERIFY(m_window->session().recipe().rules.empty());
        click("rulesClose");
        QVERIFY(settle());
        QVERIFY(!m_window->findChild<RulesDialog*>());
    }

    // Line by line until the hardware is content: each one step of undo.
    void hardware()
    {
        QVERIFY(openRules("residual"));
        auto* tree = at<QTreeWidget>("hardwareTree");
        at<QComboBox>("hardwareProfile")->setCurrentIndex(4);
        QVERIFY(settle());
        QVERIFY(tree->topLevelItemCount() >= 3);
        QTreeWidgetItem* conv = tree->topLevelItem(0)->child(0);
        QCOMPARE(conv->text(0), QStringLiteral("conv2d"));
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                          tree->visualItemRect(conv).center());
        QCOMPARE(selectedNames(), QStringList({"conv2d", "conv2d_1"}));
        int steps = 0;
        while (tree->topLevelItemCount() > 0 && steps < 10) {
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                              tree->visualItemRect(tree->topLevelItem(0)).center());
            QVERIFY(at<QPushButton>("hardwareMend")->isEnabled());
            click("hardwareMend");
            QVERIFY(settle());
            QCOMPARE(m_window->session().undoStack().count(), ++steps);
        }
        QCOMPARE(tree->topLevelItemCount(), 0);
        QCOMPARE(at<QLabel>("hardwareNote")->text(),
                 QStringLiteral("The recipe fits this hardware."));
        QVERIFY(m_window->session().undoStack().undoText().startsWith("Mend: "));
        QVERIFY(m_window->session().snapshot()->converted);
        QVERIFY(at<QListWidget>("rulesList")->count() >= 2);
        // While rules wait to be applied nothing is mended.
        m_window->session().undoStack().undo();
        QVERIFY(settle());
        tree->setCurrentItem(tree->topLevelItem(0));
        QVERIFY(at<QPushButton>("hardwareMend")->isEnabled());
        click("ruleRemove");
        QVERIFY(!at<QPushButton>("hardwareMend")->isEnabled());
    }

    void aRuleOfAnEdit()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        select("conv2d_1");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(last<QPushButton>("keepInFloat"));
        QTest::mouseClick(last<QPushButton>("keepInFloat"), Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        auto* button = last<QPushButton>("makeRule");
        QVERIFY(button && button->isVisible());
        const std::size_t edits = m_window->session().recipe().edits.size();
        QVERIFY(edits > 0);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->session().recipe().edits.empty());
        QCOMPARE(m_window->session().recipe().rules.at(0).match.op,
                 std::string("aten.conv2d.default"));
        QCOMPARE(m_window->session().undoStack().undoText(),
                 QStringLiteral("Make a rule for aten.conv2d.default"));
        // The other convolution, too.
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        const NodeId conv = snapshot->annotated->folded.graph->findByName("conv2d")->id;
        const Annotation* annotation = snapshot->annotated->annotations.find(conv);
        QVERIFY(annotation && isNone(annotation->inputs.at(0).second));
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().recipe().edits.size(), edits);
    }

private:
    RulesDialog* openRules(const char* model)
    {
        if (!openAndWait(*m_window, QString::fromUtf8(model)))
            return nullptr;
        m_window->findChild<QAction*>("R&ules of the recipe…")->trigger();
        settle();
        return m_window->findChild<RulesDialog*>();
    }

    /// The pause behind typing, then what it asks for.
    bool settle()
    {
        QTest::qWait(170);
        if (!waitUntilIdle(*m_window))
            return false;
        QTest::qWait(170);
        return waitUntilIdle(*m_window);
    }

    template<typename W>
    W* last(const QString& name) const
    {
        for (W* widget : m_window->findChildren<W*>(name)) {
            if (widget->isVisible())
                return widget;
        }
        return nullptr;
    }

    template<typename W>
    W* at(const char* name) const
    {
        return m_window->findChild<W*>(QString::fromUtf8(name));
    }

    template<typename W = QPushButton>
    void click(const char* name)
    {
        W* button = at<W>(name);
        QVERIFY2(button && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    static void type(QLineEdit* edit, const char* text)
    {
        edit->selectAll();
        QTest::keyClick(edit, Qt::Key_Delete);
        QTest::keyClicks(edit, QString::fromUtf8(text));
    }

    void choose(const char* place, const char* text)
    {
        auto* box = at<QComboBox>(place);
        QVERIFY2(box && box->isVisible(), place);
        const int index = box->findText(QString::fromUtf8(text));
        QVERIFY2(index >= 0, text);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }

    void select(const char* node)
    {
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        m_window->session().selection().select(StageKind::Exported,
                                               {snapshot->model->exported->findByName(node)->id});
    }

    QString listText(int row) const { return at<QListWidget>("rulesList")->item(row)->text(); }

    QStringList selectedNames() const
    {
        const Selection& selection = m_window->session().selection();
        const GraphPtr graph = graphOf(m_window->session().entered(), selection.stage());
        QStringList names;
        for (const NodeId id : selection.nodes())
            names << QString::fromStdString(graph->node(id).name);
        return names;
    }

    std::string dump() const
    {
        const auto text = dumpStages(*m_window->session().snapshot());
        return text ? *text : text.error().message();
    }
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestRules test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_rules.moc"

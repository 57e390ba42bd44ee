// The texts of ContextHelp.
#include "ui/panels/ContextHelp.h"

#include <QCoreApplication>

namespace pt2e::ui {

namespace {
const std::vector<PanelHelp> kHelps = {
    {"window",
     QT_TRANSLATE_NOOP("Help", "The window"),
     QT_TRANSLATE_NOOP(
         "Help",
         "Opens a model and shows its quantization stage by stage. The panes show graphs, the tables below them numbers, the inspector at the right what is selected."),
     {
         {QT_TRANSLATE_NOOP("Help", "Ctrl+K"),
          QT_TRANSLATE_NOOP("Help", "find nodes, tables and commands")},
         {QT_TRANSLATE_NOOP("Help", "F5"), QT_TRANSLATE_NOOP("Help", "run all stages")},
         {QT_TRANSLATE_NOOP("Help", "F1"), QT_TRANSLATE_NOOP("Help", "all keys")},
     }},
    {"graph",
     QT_TRANSLATE_NOOP("Help", "A graph"),
     QT_TRANSLATE_NOOP(
         "Help",
         "The graph of one stage. Rectangles are operators, hexagons observers, small triangles quantize and dequantize; thick lines carry integers. Drag an observer, or a spot at an operator's edge, onto another one to share its observer."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"), QT_TRANSLATE_NOOP("Help", "walk along an edge")},
         {QT_TRANSLATE_NOOP("Help", "Left, Right"),
          QT_TRANSLATE_NOOP("Help", "go to what stands beside")},
         {QT_TRANSLATE_NOOP("Help", "Enter"), QT_TRANSLATE_NOOP("Help", "focus on the node")},
         {QT_TRANSLATE_NOOP("Help", "Space or 0"), QT_TRANSLATE_NOOP("Help", "fit all")},
         {QT_TRANSLATE_NOOP("Help", "+, −, wheel"), QT_TRANSLATE_NOOP("Help", "zoom")},
         {QT_TRANSLATE_NOOP("Help", "Esc"),
          QT_TRANSLATE_NOOP("Help", "select nothing, or give a drag up")},
     }},
    {"inspector",
     QT_TRANSLATE_NOOP("Help", "Inspector"),
     QT_TRANSLATE_NOOP(
         "Help",
         "All about the selected node: its call, its annotation as a form to edit, the values its observer saw, what became of it in the other stages, and what the file says of it."),
     {
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "next field")},
         {QT_TRANSLATE_NOOP("Help", "Space"), QT_TRANSLATE_NOOP("Help", "open a list of choices")},
         {QT_TRANSLATE_NOOP("Help", "Ctrl+Z"), QT_TRANSLATE_NOOP("Help", "undo the last edit")},
     }},
    {"outline",
     QT_TRANSLATE_NOOP("Help", "Modules"),
     QT_TRANSLATE_NOOP(
         "Help",
         "The modules of the model with how much of each is quantized. A click selects the operators in it."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"), QT_TRANSLATE_NOOP("Help", "next module")},
         {QT_TRANSLATE_NOOP("Help", "Left, Right"), QT_TRANSLATE_NOOP("Help", "close, open")},
     }},
    {"focus",
     QT_TRANSLATE_NOOP("Help", "Focus"),
     QT_TRANSLATE_NOOP(
         "Help",
         "Which part of the graph is shown: the focus nodes and what lies within so many hops of them. Observers, q and dq and weights use up no hops."),
     {
         {QT_TRANSLATE_NOOP("Help", "Ctrl+F"), QT_TRANSLATE_NOOP("Help", "focus on the selection")},
         {QT_TRANSLATE_NOOP("Help", "Ctrl+]"), QT_TRANSLATE_NOOP("Help", "more hops")},
         {QT_TRANSLATE_NOOP("Help", "Ctrl+["), QT_TRANSLATE_NOOP("Help", "fewer hops")},
         {QT_TRANSLATE_NOOP("Help", "Alt+Left"), QT_TRANSLATE_NOOP("Help", "back")},
     }},
    {"stages",
     QT_TRANSLATE_NOOP("Help", "Stages"),
     QT_TRANSLATE_NOOP(
         "Help",
         "How far the model is: exported, annotated, prepared, calibrated, converted, run by XNNPACK. Each step shows what it has added."),
     {
         {QT_TRANSLATE_NOOP("Help", "F5"), QT_TRANSLATE_NOOP("Help", "run all stages")},
         {QT_TRANSLATE_NOOP("Help", "F10"), QT_TRANSLATE_NOOP("Help", "run the next stage")},
         {QT_TRANSLATE_NOOP("Help", "F9"), QT_TRANSLATE_NOOP("Help", "hide the results")},
     }},
    {"top",
     QT_TRANSLATE_NOOP("Help", "Tool bar"),
     QT_TRANSLATE_NOOP(
         "Help", "What is quantized, by which quantizer, and with which data; run and compare."),
     {
         {QT_TRANSLATE_NOOP("Help", "Ctrl+O"), QT_TRANSLATE_NOOP("Help", "open a model")},
         {QT_TRANSLATE_NOOP("Help", "F6"), QT_TRANSLATE_NOOP("Help", "compare")},
         {QT_TRANSLATE_NOOP("Help", "Ctrl+K"), QT_TRANSLATE_NOOP("Help", "find")},
     }},
    {"start",
     QT_TRANSLATE_NOOP("Help", "Start page"),
     QT_TRANSLATE_NOOP("Help",
                       "Built-in models, files used last, and a place to drop a .pt2 file on."),
     {
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "next model")},
         {QT_TRANSLATE_NOOP("Help", "Space"), QT_TRANSLATE_NOOP("Help", "open it")},
     }},
    {"status",
     QT_TRANSLATE_NOOP("Help", "Status line"),
     QT_TRANSLATE_NOOP("Help", "What is being done, how long it will still take, and Cancel."),
     {
         {QT_TRANSLATE_NOOP("Help", "Ctrl+."), QT_TRANSLATE_NOOP("Help", "cancel")},
     }},
    {"diff-ops",
     QT_TRANSLATE_NOOP("Help", "Op counts"),
     QT_TRANSLATE_NOOP(
         "Help",
         "How many operators of each kind the stages have. What a stage added or took away stands first."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"observers",
     QT_TRANSLATE_NOOP("Help", "Observers"),
     QT_TRANSLATE_NOOP(
         "Help",
         "Every observer with what it stands between and, once calibrated, its scale and zero point."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"annotations",
     QT_TRANSLATE_NOOP("Help", "Annotations"),
     QT_TRANSLATE_NOOP("Help", "What the quantizer asks for at each operator, with your edits."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"unannotated",
     QT_TRANSLATE_NOOP("Help", "Not quantized"),
     QT_TRANSLATE_NOOP(
         "Help",
         "Operators that stay in float under at least one of the two quantizers, why, and where the chain begins."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"sharing",
     QT_TRANSLATE_NOOP("Help", "Sharing"),
     QT_TRANSLATE_NOOP("Help",
                       "Which points use one observer and so have the same scale and zero point."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"problems",
     QT_TRANSLATE_NOOP("Help", "Problems"),
     QT_TRANSLATE_NOOP(
         "Help",
         "What was noticed on the way: in the file, in the annotations, in the data. A row selects its node."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"partitions",
     QT_TRANSLATE_NOOP("Help", "Partitions"),
     QT_TRANSLATE_NOOP(
         "Help",
         "What XNNPACK takes over, operator by operator, and why it leaves others to LibTorch."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"comparison",
     QT_TRANSLATE_NOOP("Help", "Comparison"),
     QT_TRANSLATE_NOOP(
         "Help",
         "Float, simulated int8 and XNNPACK against each other: outputs, operators and quantized values, the worst first; with labelled data the accuracy, too."),
     {
         {QT_TRANSLATE_NOOP("Help", "F6"), QT_TRANSLATE_NOOP("Help", "compare anew")},
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"diagnosis",
     QT_TRANSLATE_NOOP("Help", "Diagnosis"),
     QT_TRANSLATE_NOOP(
         "Help",
         "Known illnesses of quantized models that this one shows, with the numbers and the edit that would help."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"bookmarks",
     QT_TRANSLATE_NOOP("Help", "Bookmarks"),
     QT_TRANSLATE_NOOP("Help", "Nodes that you marked or wrote a note on."),
     {
         {QT_TRANSLATE_NOOP("Help", "Ctrl+B"),
          QT_TRANSLATE_NOOP("Help", "bookmark the selected node")},
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"sensitivity",
     QT_TRANSLATE_NOOP("Help", "Sensitivity"),
     QT_TRANSLATE_NOOP(
         "Help",
         "How much each sharing group costs when it is quantized alone, or left in float alone; and which groups to keep in float to reach a goal."),
     {
         {QT_TRANSLATE_NOOP("Help", "F7"), QT_TRANSLATE_NOOP("Help", "measure")},
         {QT_TRANSLATE_NOOP("Help", "Ctrl+."),
          QT_TRANSLATE_NOOP("Help", "stop; what is known stays")},
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"recipes",
     QT_TRANSLATE_NOOP("Help", "Recipes"),
     QT_TRANSLATE_NOOP(
         "Help",
         "The present recipe beside another one: where they differ, point by point, and what each costs. The title of a pane offers the other one's stages, too."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"convergence",
     QT_TRANSLATE_NOOP("Help", "Convergence"),
     QT_TRANSLATE_NOOP(
         "Help",
         "How good the outputs are when only the first batches are used for calibration: whether more data would help."),
     {
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
    {"log",
     QT_TRANSLATE_NOOP("Help", "Log"),
     QT_TRANSLATE_NOOP("Help",
                       "What was run when, how long it and its stages took, and what was said."),
     {
         {QT_TRANSLATE_NOOP("Help", "Up, Down"),
          QT_TRANSLATE_NOOP("Help", "next row; its nodes are selected")},
         {QT_TRANSLATE_NOOP("Help", "Tab"), QT_TRANSLATE_NOOP("Help", "to what comes next")},
     }},
};
} // namespace

const std::vector<PanelHelp>& panelHelps() { return kHelps; }

} // namespace pt2e::ui

// The entries of the glossary: a word as core says it, and what it means.
#include "ui/models/Glossary.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace pt2e::ui {

namespace {
constexpr std::pair<const char*, const char*> kEntries[] = {
    {"scale",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "The step between two neighbouring integers: real value = scale × (integer − zero point).")},
    {"zero point",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "The integer that stands for the real value 0. It is 0 in symmetric schemes.")},
    {"qparams",
     QT_TRANSLATE_NOOP("Glossary",
                       "Scale and zero point: how real values are mapped to integers here.")},
    {"observer",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Watches the values at a point while calibration runs, and chooses scale and zero point from what it saw. Points that share one observer get the same.")},
    {"type", QT_TRANSLATE_NOOP("Glossary",
                               "The class of observer: how it turns what it saw into a range.")},
    {"from", QT_TRANSLATE_NOOP("Glossary", "The node whose value the observer sees.")},
    {"to", QT_TRANSLATE_NOOP("Glossary", "The nodes that read the value behind the observer.")},
    {"per channel",
     QT_TRANSLATE_NOOP("Glossary",
                       "One scale for each channel of a weight instead of one for all of it.")},
    {"per tensor", QT_TRANSLATE_NOOP("Glossary", "One scale for the whole tensor.")},
    {"q/dq",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "quantize writes integers, dequantize makes real numbers of them again. What stands between the two can run in int8.")},
    {"SQNR",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Signal to quantization noise ratio: power of the exact values over power of the error. 6 dB are about one bit.")},
    {"SQNR dB",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Signal to quantization noise ratio of the run against the other one. More is better; 6 dB are about one bit.")},
    {"worst batch dB",
     QT_TRANSLATE_NOOP("Glossary", "The SQNR of the batch in which it is lowest.")},
    {"XNNPACK dB",
     QT_TRANSLATE_NOOP("Glossary", "SQNR of what XNNPACK computes against the float model.")},
    {"kernels dB",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "SQNR of XNNPACK's kernels against the simulation, that is, without the error of quantization itself.")},
    {"alone dB", QT_TRANSLATE_NOOP("Glossary", "SQNR of this operator when only it is quantized.")},
    {"weights only dB",
     QT_TRANSLATE_NOOP("Glossary", "SQNR when only the operator's weights are quantized.")},
    {"activations only dB",
     QT_TRANSLATE_NOOP("Glossary", "SQNR when only the operator's activations are quantized.")},
    {"cumulative dB",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "SQNR of this value in the whole quantized model: with the errors of all that comes before.")},
    {"cosine",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Cosine of the angle between the two results as vectors; 1 is the same direction.")},
    {"MSE", QT_TRANSLATE_NOOP("Glossary", "Mean of the squared differences.")},
    {"max abs", QT_TRANSLATE_NOOP("Glossary", "Largest difference of a single value.")},
    {"mean error",
     QT_TRANSLATE_NOOP(
         "Glossary", "Mean of the differences with their sign: a shift of all values shows here.")},
    {"rounding MSE",
     QT_TRANSLATE_NOOP("Glossary",
                       "The part of the squared error that comes from rounding to the grid.")},
    {"clipping MSE",
     QT_TRANSLATE_NOOP(
         "Glossary", "The part of the squared error that comes from values outside of the range.")},
    {"clipped %",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Share of the values that lie outside of the quantized range and are cut to its ends.")},
    {"RMS steps",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Root of the mean squared error in steps of the grid; rounding alone gives about 0.29.")},
    {"codes used", QT_TRANSLATE_NOOP("Glossary", "How many different integers occur.")},
    {"codes", QT_TRANSLATE_NOOP("Glossary", "How many integers there are to choose from.")},
    {"steps apart",
     QT_TRANSLATE_NOOP("Glossary", "By how many integer steps the two results differ at most.")},
    {"fan-out",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "How many nodes read a value. A node with very many is a hub; focus does not walk through it.")},
    {"anchor",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "The point of a sharing group whose observer is made first. A point can only share with one that is made before it.")},
    {"SharedQuantizationSpec",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Says that a point uses the observer of another point, so both have the same scale and zero point.")},
    {"DerivedQuantizationSpec",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Says that a point's parameters are computed from those of others, as an int32 bias is from input and weight.")},
    {"FixedQParamsQuantizationSpec",
     QT_TRANSLATE_NOOP(
         "Glossary", "Gives scale and zero point instead of observing values, as for a sigmoid.")},
    {"partition",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Operators beside each other that XNNPACK takes over as one piece; between partitions values are handed back.")},
    {"annotation",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "What the quantizer asks for at a node: a spec for each input and for the output.")},
    {"calibration",
     QT_TRANSLATE_NOOP("Glossary",
                       "Running the model on sample data, so that observers see typical values.")},
    {"node",
     QT_TRANSLATE_NOOP("Glossary", "A value in the graph, under the name that PyTorch gave it.")},
    {"name",
     QT_TRANSLATE_NOOP("Glossary", "A value in the graph, under the name that PyTorch gave it.")},
    {"op", QT_TRANSLATE_NOOP("Glossary", "The operator that makes the value.")},
    {"inputs", QT_TRANSLATE_NOOP("Glossary", "What is asked for at each input.")},
    {"output", QT_TRANSLATE_NOOP("Glossary", "What is asked for at the output.")},
    {"reason", QT_TRANSLATE_NOOP("Glossary", "Why it is so, in one sentence.")},
    {"root",
     QT_TRANSLATE_NOOP("Glossary",
                       "Where a chain of unquantized operators begins: what to look at first.")},
    {"torchao root",
     QT_TRANSLATE_NOOP("Glossary", "Where the chain begins under torchao's quantizer.")},
    {"executorch root",
     QT_TRANSLATE_NOOP("Glossary", "Where the chain begins under ExecuTorch's quantizer.")},
    {"torchao",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Why torchao's XNNPACK quantizer leaves the operator in float, or which rule took it.")},
    {"executorch",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Why ExecuTorch's XNNPACK quantizer leaves the operator in float, or which rule took it.")},
    {"group", QT_TRANSLATE_NOOP("Glossary", "Points that use one observer.")},
    {"points",
     QT_TRANSLATE_NOOP("Glossary",
                       "The outputs and edges of the group: “a → b” is what b reads of a.")},
    {"exported", QT_TRANSLATE_NOOP("Glossary", "Number of operators in the exported graph.")},
    {"prepared", QT_TRANSLATE_NOOP("Glossary", "Number of operators in the prepared graph.")},
    {"converted", QT_TRANSLATE_NOOP("Glossary", "Number of operators in the converted graph.")},
    {"delta", QT_TRANSLATE_NOOP("Glossary", "How many more there are than in the stage before.")},
    {"severity",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Note: worth knowing. Warning: probably not what you want. Error: a stage was not reached.")},
    {"place", QT_TRANSLATE_NOOP("Glossary", "The node or file it is about.")},
    {"message", QT_TRANSLATE_NOOP("Glossary", "What was noticed, in one sentence.")},
    {"code", QT_TRANSLATE_NOOP("Glossary", "A short name that stays the same, for searching.")},
    {"run", QT_TRANSLATE_NOOP("Glossary", "Which computation: float, simulated int8, or XNNPACK.")},
    {"compared with",
     QT_TRANSLATE_NOOP("Glossary", "The run that the figures are measured against.")},
    {"value", QT_TRANSLATE_NOOP("Glossary", "The value in the graph that is quantized.")},
    {"kind", QT_TRANSLATE_NOOP("Glossary", "Weight or activation.")},
    {"dtype", QT_TRANSLATE_NOOP("Glossary", "The integer type that values are stored in.")},
    {"range", QT_TRANSLATE_NOOP("Glossary", "The integers that may occur.")},
    {"axis",
     QT_TRANSLATE_NOOP("Glossary", "The dimension along which each channel has its own scale.")},
    {"bookmark", QT_TRANSLATE_NOOP("Glossary", "Nodes that you marked with Ctrl+B.")},
    {"note", QT_TRANSLATE_NOOP("Glossary", "What you wrote about the node.")},
    {"diagnosis", QT_TRANSLATE_NOOP("Glossary", "A known illness of quantized models.")},
    {"evidence", QT_TRANSLATE_NOOP("Glossary", "The numbers that show it.")},
    {"mended by", QT_TRANSLATE_NOOP("Glossary", "The edit that would help; a button makes it.")},
    {"runs on",
     QT_TRANSLATE_NOOP("Glossary", "The engine that computes the operator in XNNPACK's run.")},
    {"kernel", QT_TRANSLATE_NOOP("Glossary", "The XNNPACK kernel that was chosen.")},
    {"microseconds", QT_TRANSLATE_NOOP("Glossary", "Time in the kernel, median of the runs.")},
    {"operators", QT_TRANSLATE_NOOP("Glossary", "How many operators are in the partition.")},
    {"in int8", QT_TRANSLATE_NOOP("Glossary", "How many of them compute with integers.")},
    {"conversions",
     QT_TRANSLATE_NOOP("Glossary",
                       "Conversions between float and integers that the partition adds.")},
    {"transposes",
     QT_TRANSLATE_NOOP("Glossary", "Changes of memory layout that the partition adds.")},
    {"kernels", QT_TRANSLATE_NOOP("Glossary", "How many kernels XNNPACK calls for it.")},
    {"right", QT_TRANSLATE_NOOP("Glossary", "Samples that were put into the right class.")},
    {"samples", QT_TRANSLATE_NOOP("Glossary", "Samples that were looked at.")},
    {"accuracy",
     QT_TRANSLATE_NOOP("Glossary", "Share of the samples that were put into the right class.")},
    {"95 % interval",
     QT_TRANSLATE_NOOP("Glossary", "Where the true accuracy lies with 95 % confidence (Wilson).")},
    {"same class",
     QT_TRANSLATE_NOOP("Glossary", "Share of the samples that get the same class in both runs.")},
    {"fixed", QT_TRANSLATE_NOOP("Glossary", "Samples that were wrong and are right now.")},
    {"broken", QT_TRANSLATE_NOOP("Glossary", "Samples that were right and are wrong now.")},
    {"difference in points",
     QT_TRANSLATE_NOOP("Glossary", "Difference of the accuracies in percentage points.")},
    {"McNemar p",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "How likely so large a difference is by chance alone. Below 0.05 it is hardly chance.")},
    {"sample", QT_TRANSLATE_NOOP("Glossary", "Number of the sample in the data, from 0.")},
    {"label", QT_TRANSLATE_NOOP("Glossary", "The class that the data say is right.")},
    {"float", QT_TRANSLATE_NOOP("Glossary", "The class that the float model chose.")},
    {"simulated", QT_TRANSLATE_NOOP("Glossary", "The class that the simulated int8 model chose.")},
    {"XNNPACK", QT_TRANSLATE_NOOP("Glossary", "The class that XNNPACK's run chose.")},
    {"time", QT_TRANSLATE_NOOP("Glossary", "When it began.")},
    {"event", QT_TRANSLATE_NOOP(
                  "Glossary", "What was run or said; stages stand below the run they belong to.")},
    {"diagnosis/severity",
     QT_TRANSLATE_NOOP("Glossary",
                       "How many times worse than it should be; the worst stand first.")},
    {"convergence/batches",
     QT_TRANSLATE_NOOP("Glossary", "Calibration used this many batches, from the first one on.")},
    {"scales moved",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "How many observers have a scale that is more than 1 % off the one with all batches.")},
    {"recipes/what", QT_TRANSLATE_NOOP("Glossary", "What is counted or measured.")},
    {"recipes/difference",
     QT_TRANSLATE_NOOP("Glossary", "The second recipe's number minus the first one's.")},
    {"recipe-differences/place",
     QT_TRANSLATE_NOOP("Glossary", "The node or edge at which the two recipes differ.")},
    {"recipe-differences/what",
     QT_TRANSLATE_NOOP(
         "Glossary",
         "What differs there: the operator, its annotation, the observer, what it is shared with, q and dq, or where the operator runs.")},
    {"recipe",
     QT_TRANSLATE_NOOP("Glossary",
                       "One of the two ways to quantize the model that are compared here.")},
    {"took ms", QT_TRANSLATE_NOOP("Glossary", "How long it took, in milliseconds.")},
};
} // namespace

QString meaningOf(const std::string& word)
{
    const auto it = std::find_if(std::begin(kEntries), std::end(kEntries),
                                 [&word](const auto& entry) { return word == entry.first; });
    return it == std::end(kEntries) ? QString()
                                    : QCoreApplication::translate("Glossary", it->second);
}

QString meaningOfColumn(const std::string& table, const std::string& column)
{
    QString meaning = meaningOf(table + "/" + column);
    if (meaning.isEmpty() && table.starts_with("recipe") && column != "op")
        meaning = meaningOf("recipe"); // the column has a recipe's name
    return meaning.isEmpty() ? meaningOf(column) : meaning;
}

QStringList glossaryWords()
{
    QStringList words;
    for (const auto& [word, meaning] : kEntries)
        words << QString::fromUtf8(word);
    return words;
}

} // namespace pt2e::ui

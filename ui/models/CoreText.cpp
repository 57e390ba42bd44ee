#include "ui/models/CoreText.h"

#include <QCoreApplication>

#include <cmath>

namespace pt2e::ui {

namespace {
/// Found by lupdate; looked up by coreText().
[[maybe_unused]] constexpr const char* kCoreWords[] = {
    QT_TRANSLATE_NOOP("Core", "Exported"),
    QT_TRANSLATE_NOOP("Core", "Annotated"),
    QT_TRANSLATE_NOOP("Core", "Prepared"),
    QT_TRANSLATE_NOOP("Core", "Calibrated"),
    QT_TRANSLATE_NOOP("Core", "Converted"),
    QT_TRANSLATE_NOOP("Core", "float"),
    QT_TRANSLATE_NOOP("Core", "float + observers"),
    QT_TRANSLATE_NOOP("Core", "int8 edges thick"),
    QT_TRANSLATE_NOOP("Core", "folded, transformed"),
    QT_TRANSLATE_NOOP("Core", "op"),
    QT_TRANSLATE_NOOP("Core", "exported"),
    QT_TRANSLATE_NOOP("Core", "prepared"),
    QT_TRANSLATE_NOOP("Core", "converted"),
    QT_TRANSLATE_NOOP("Core", "delta"),
    QT_TRANSLATE_NOOP("Core", "observer"),
    QT_TRANSLATE_NOOP("Core", "type"),
    QT_TRANSLATE_NOOP("Core", "from"),
    QT_TRANSLATE_NOOP("Core", "to"),
    QT_TRANSLATE_NOOP("Core", "qparams"),
    QT_TRANSLATE_NOOP("Core", "node"),
    QT_TRANSLATE_NOOP("Core", "bookmark"),
    QT_TRANSLATE_NOOP("Core", "yes"),
    QT_TRANSLATE_NOOP("Core", "note"),
    QT_TRANSLATE_NOOP("Core", "warning"),
    QT_TRANSLATE_NOOP("Core", "error"),
    QT_TRANSLATE_NOOP("Core", "inputs"),
    QT_TRANSLATE_NOOP("Core", "output"),
    QT_TRANSLATE_NOOP("Core", "name"),
    QT_TRANSLATE_NOOP("Core", "reason"),
    QT_TRANSLATE_NOOP("Core", "root"),
    QT_TRANSLATE_NOOP("Core", "torchao root"),
    QT_TRANSLATE_NOOP("Core", "executorch root"),
    QT_TRANSLATE_NOOP("Core", "quantized"),
    QT_TRANSLATE_NOOP("Core", "quantized: %1"),
    QT_TRANSLATE_NOOP("Core", "removed as dead code"),
    QT_TRANSLATE_NOOP("Core", "float program"),
    QT_TRANSLATE_NOOP("Core", "float program in %1"),
    QT_TRANSLATE_NOOP("Core", "float program with annotations (%1 nodes)"),
    QT_TRANSLATE_NOOP("Core", "QAT program with fake quantization (%1 fake_quantize)"),
    QT_TRANSLATE_NOOP("Core", "converted program (%1, %2 q / %3 dq)"),
    QT_TRANSLATE_NOOP("Core", "group"),
    QT_TRANSLATE_NOOP("Core", "points"),
    QT_TRANSLATE_NOOP("Core", "severity"),
    QT_TRANSLATE_NOOP("Core", "place"),
    QT_TRANSLATE_NOOP("Core", "message"),
    QT_TRANSLATE_NOOP("Core", "code"),
    QT_TRANSLATE_NOOP("Core", "Comparison"),
    QT_TRANSLATE_NOOP("Core", "Partitions"),
    QT_TRANSLATE_NOOP("Core", "cosine"),
    QT_TRANSLATE_NOOP("Core", "max abs"),
    QT_TRANSLATE_NOOP("Core", "XNNPACK dB"),
    QT_TRANSLATE_NOOP("Core", "kernels dB"),
    QT_TRANSLATE_NOOP("Core", "steps apart"),
    QT_TRANSLATE_NOOP("Core", "runs on"),
    QT_TRANSLATE_NOOP("Core", "partition"),
    QT_TRANSLATE_NOOP("Core", "kernel"),
    QT_TRANSLATE_NOOP("Core", "folding"),
    QT_TRANSLATE_NOOP("Core", "calibrating"),
    QT_TRANSLATE_NOOP("Core", "converting"),
    QT_TRANSLATE_NOOP("Core", "sensitivity"),
    QT_TRANSLATE_NOOP("Core", "diagnosis"),
    QT_TRANSLATE_NOOP("Core", "evidence"),
    QT_TRANSLATE_NOOP("Core", "mended by"),
    QT_TRANSLATE_NOOP("Core", "outlier channel"),
    QT_TRANSLATE_NOOP("Core", "quantized before a clamp"),
    QT_TRANSLATE_NOOP("Core", "one-sided values"),
    QT_TRANSLATE_NOOP("Core", "quantize the weights per channel"),
    QT_TRANSLATE_NOOP("Core", "quantize behind the clamp only"),
    QT_TRANSLATE_NOOP("Core", "affine instead of symmetric"),
    QT_TRANSLATE_NOOP("Core", "largest weight of one channel against that of most: %1"),
    QT_TRANSLATE_NOOP("Core", "range before the clamp and behind it: %1"),
    QT_TRANSLATE_NOOP("Core", "smallest and largest value on a symmetric grid: %1"),
    QT_TRANSLATE_NOOP("Core", "unbalanced inputs"),
    QT_TRANSLATE_NOOP("Core", "too few batches"),
    QT_TRANSLATE_NOOP("Core", "shifted mean"),
    QT_TRANSLATE_NOOP("Core", "dead channels"),
    QT_TRANSLATE_NOOP("Core", "unlike input values"),
    QT_TRANSLATE_NOOP("Core", "leave the operator float; its inputs get ranges of their own"),
    QT_TRANSLATE_NOOP("Core", "leave the operator float"),
    QT_TRANSLATE_NOOP("Core", "calibrate with twice as many batches"),
    QT_TRANSLATE_NOOP("Core", "no recipe can: the data have no more batches; give more data"),
    QT_TRANSLATE_NOOP(
        "Core",
        "no recipe can: they can be pruned from the model, unless the data show too little"),
    QT_TRANSLATE_NOOP("Core", "calibrate with the mean and std that go with the data"),
    QT_TRANSLATE_NOOP("Core",
                      "no recipe can: give data that are prepared as the model expects them"),
    QT_TRANSLATE_NOOP("Core", "codes that each of the inputs uses: %1"),
    QT_TRANSLATE_NOOP("Core", "channels whose weights are all zero: %1"),
    QT_TRANSLATE_NOOP("Core", "channels that were the same all through the data: %1"),
    QT_TRANSLATE_NOOP("Core", "mean error of a channel against its standard deviation: %1"),
    QT_TRANSLATE_NOOP("Core", "range after half of the batches and after all: %1"),
    QT_TRANSLATE_NOOP("Core", "values in calibration and in the example inputs: %1"),
    QT_TRANSLATE_NOOP("Core",
                      "standard deviations from the mean that the first batch norm kept: %1"),
    QT_TRANSLATE_NOOP("Core",
                      "give data prepared as in training: mean and std of the data's format"),
    QT_TRANSLATE_NOOP("Core", "values in calibration and in the data it is judged on: %1"),
    QT_TRANSLATE_NOOP("Core", "batches"),
    QT_TRANSLATE_NOOP("Core", "scales moved"),
    QT_TRANSLATE_NOOP("Core", "observing"),
    QT_TRANSLATE_NOOP("Core", "judging"),
    QT_TRANSLATE_NOOP("Core", "mixed precision"),
    QT_TRANSLATE_NOOP("Core", "run"),
    QT_TRANSLATE_NOOP("Core", "compared with"),
    QT_TRANSLATE_NOOP("Core", "SQNR dB"),
    QT_TRANSLATE_NOOP("Core", "worst batch dB"),
    QT_TRANSLATE_NOOP("Core", "MSE"),
    QT_TRANSLATE_NOOP("Core", "mean error"),
    QT_TRANSLATE_NOOP("Core", "alone dB"),
    QT_TRANSLATE_NOOP("Core", "weights only dB"),
    QT_TRANSLATE_NOOP("Core", "activations only dB"),
    QT_TRANSLATE_NOOP("Core", "cumulative dB"),
    QT_TRANSLATE_NOOP("Core", "Operators"),
    QT_TRANSLATE_NOOP("Core", "Quantizations"),
    QT_TRANSLATE_NOOP("Core", "value"),
    QT_TRANSLATE_NOOP("Core", "kind"),
    QT_TRANSLATE_NOOP("Core", "rounding MSE"),
    QT_TRANSLATE_NOOP("Core", "clipping MSE"),
    QT_TRANSLATE_NOOP("Core", "clipped %"),
    QT_TRANSLATE_NOOP("Core", "RMS steps"),
    QT_TRANSLATE_NOOP("Core", "codes used"),
    QT_TRANSLATE_NOOP("Core", "codes"),
    QT_TRANSLATE_NOOP("Core", "right"),
    QT_TRANSLATE_NOOP("Core", "samples"),
    QT_TRANSLATE_NOOP("Core", "accuracy"),
    QT_TRANSLATE_NOOP("Core", "Accuracy"),
    QT_TRANSLATE_NOOP("Core", "95 % interval"),
    QT_TRANSLATE_NOOP("Core", "Differences of accuracy"),
    QT_TRANSLATE_NOOP("Core", "same class"),
    QT_TRANSLATE_NOOP("Core", "fixed"),
    QT_TRANSLATE_NOOP("Core", "broken"),
    QT_TRANSLATE_NOOP("Core", "difference in points"),
    QT_TRANSLATE_NOOP("Core", "McNemar p"),
    QT_TRANSLATE_NOOP("Core", "Flipped samples"),
    QT_TRANSLATE_NOOP("Core", "sample"),
    QT_TRANSLATE_NOOP("Core", "label"),
    QT_TRANSLATE_NOOP("Core", "simulated"),
    QT_TRANSLATE_NOOP("Core", "XNNPACK"),
    QT_TRANSLATE_NOOP("Core", "Confusion: float"),
    QT_TRANSLATE_NOOP("Core", "Confusion: simulated"),
    QT_TRANSLATE_NOOP("Core", "Confusion: XNNPACK"),
    QT_TRANSLATE_NOOP("Core", "weights only"),
    QT_TRANSLATE_NOOP("Core", "activations only"),
    QT_TRANSLATE_NOOP("Core", "exact"),
    QT_TRANSLATE_NOOP("Core", "n/a"),
    QT_TRANSLATE_NOOP("Core", "equal"),
    QT_TRANSLATE_NOOP("Core", "max %1"),
    QT_TRANSLATE_NOOP("Core", "weight"),
    QT_TRANSLATE_NOOP("Core", "activation"),
    QT_TRANSLATE_NOOP("Core", "not a number"),
    QT_TRANSLATE_NOOP("Core", "infinite"),
    QT_TRANSLATE_NOOP("Core", "minus infinite"),
    QT_TRANSLATE_NOOP("Core", "constant"),
    QT_TRANSLATE_NOOP("Core", "absorbed by its neighbour"),
    QT_TRANSLATE_NOOP("Core", "comparing"),
    QT_TRANSLATE_NOOP("Core", "comparing operators"),
    QT_TRANSLATE_NOOP("Core", "time"),
    QT_TRANSLATE_NOOP("Core", "event"),
    QT_TRANSLATE_NOOP("Core", "metadata"),
    QT_TRANSLATE_NOOP("Core", "users"),
    QT_TRANSLATE_NOOP("Core", "across stages"),
    QT_TRANSLATE_NOOP("Core", "channels"),
    QT_TRANSLATE_NOOP("Core", "histogram"),
    QT_TRANSLATE_NOOP("Core", "values"),
    QT_TRANSLATE_NOOP("Core", "annotation"),
    QT_TRANSLATE_NOOP("Core", "call"),
    QT_TRANSLATE_NOOP("Core", "took ms"),
    QT_TRANSLATE_NOOP("Core", "alone"),
    QT_TRANSLATE_NOOP("Core", "cumulative"),
    QT_TRANSLATE_NOOP("Core", "kernels"),
    QT_TRANSLATE_NOOP("Core", "against float"),
    QT_TRANSLATE_NOOP("Core", "operators"),
    QT_TRANSLATE_NOOP("Core", "in int8"),
    QT_TRANSLATE_NOOP("Core", "conversions"),
    QT_TRANSLATE_NOOP("Core", "transposes"),
    QT_TRANSLATE_NOOP("Core", "microseconds"),
    QT_TRANSLATE_NOOP("Core", "kernels of our own"),
    QT_TRANSLATE_NOOP("Core", "min-max"),
    QT_TRANSLATE_NOOP("Core", "percentile 99.9"),
    QT_TRANSLATE_NOOP("Core", "percentile 99.99"),
    QT_TRANSLATE_NOOP("Core", "least squared error"),
    QT_TRANSLATE_NOOP("Core", "least KL divergence"),
    QT_TRANSLATE_NOOP("Core", "XNNPACK int8"),
    QT_TRANSLATE_NOOP("Core", "XNNPACK float"),
    QT_TRANSLATE_NOOP("Core", "what"),
    QT_TRANSLATE_NOOP("Core", "difference"),
    QT_TRANSLATE_NOOP("Core", "now"),
    QT_TRANSLATE_NOOP("Core", "before"),
    QT_TRANSLATE_NOOP("Core", "kept"),
    QT_TRANSLATE_NOOP("Core", "operator"),
    QT_TRANSLATE_NOOP("Core", "annotation"),
    QT_TRANSLATE_NOOP("Core", "sharing"),
    QT_TRANSLATE_NOOP("Core", "q and dq"),
    QT_TRANSLATE_NOOP("Core", "shared with %1"),
    QT_TRANSLATE_NOOP("Core", "shared with none"),
    QT_TRANSLATE_NOOP("Core", "derived from %1"),
    QT_TRANSLATE_NOOP("Core", "operators quantized"),
    QT_TRANSLATE_NOOP("Core", "MACs quantized, %"),
    QT_TRANSLATE_NOOP("Core", "weight bytes quantized, %"),
    QT_TRANSLATE_NOOP("Core", "observers"),
    QT_TRANSLATE_NOOP("Core", "quantize and dequantize nodes"),
    QT_TRANSLATE_NOOP("Core", "weights, bytes"),
    QT_TRANSLATE_NOOP("Core", "kernels that ran in int8"),
    QT_TRANSLATE_NOOP("Core", "SQNR of %1 simulated, dB"),
    QT_TRANSLATE_NOOP("Core", "SQNR of %1 on XNNPACK, dB"),
    QT_TRANSLATE_NOOP("Core", "cosine of %1 on XNNPACK"),
    QT_TRANSLATE_NOOP("Core", "accuracy of the float model, %"),
    QT_TRANSLATE_NOOP("Core", "accuracy simulated, %"),
    QT_TRANSLATE_NOOP("Core", "accuracy on XNNPACK, %"),
    QT_TRANSLATE_NOOP("Core", "XNNPACK agrees with float, %"),
    QT_TRANSLATE_NOOP("Core", "samples in the same class under both"),
    QT_TRANSLATE_NOOP("Core", "chance of such a difference (McNemar)"),
    QT_TRANSLATE_NOOP("Core", "time in float, ms"),
    QT_TRANSLATE_NOOP("Core", "time in int8, ms"),
    QT_TRANSLATE_NOOP("Core", "95 % interval of it, ms"),
    QT_TRANSLATE_NOOP("Core", "timing"),
};
} // namespace

QString coreText(const std::string& text)
{
    return QCoreApplication::translate("Core", text.c_str());
}

QString formText(const ProgramForm& form)
{
    const QString pattern = coreText(std::string(form.pattern()));
    return QString::fromStdString(fillTemplate(pattern.toStdString(), form.parameters()));
}

QString stageTitle(StageKind stage)
{
    switch (stage) {
    case StageKind::Exported: return coreText("Exported");
    case StageKind::Annotated: return coreText("Annotated");
    case StageKind::Prepared: return coreText("Prepared");
    case StageKind::Calibrated: return coreText("Calibrated");
    case StageKind::Converted: return coreText("Converted");
    }
    return {};
}

int percent(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0
                      : static_cast<int>(std::round(100.0 * static_cast<double>(part)
                                                    / static_cast<double>(whole)));
}

QString groupedNumber(std::int64_t number)
{
    QString digits = QString::number(number);
    for (qsizetype at = digits.size() - 3; at > (number < 0 ? 1 : 0); at -= 3)
        digits.insert(at, QChar(0x202F)); // narrow no-break space
    return digits;
}

} // namespace pt2e::ui

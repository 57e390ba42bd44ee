// Our XNNPACK outputs against those of ExecuTorch's XNNPACK runtime, recorded for the reference
// cases: another lowering of the same converted graphs onto the same kernels.
#include "core/analysis/Compare.h"
#include "core/data/Batches.h"
#include "core/data/Npz.h"
#include "core/pipeline/Pipeline.h"

#include <QTest>
#include <algorithm>
#include <cmath>

using namespace pt2e;

namespace {

std::string casePath(const std::string& name, const char* file)
{
    return qEnvironmentVariable("PT2E_TEST_DATA").toStdString() + "/cases/" + name + "/" + file;
}

SnapshotPtr convertedCase(const std::string& name, bool perChannel)
{
    ModelRequest request;
    request.what = casePath(name, "model.pt2");
    auto model = openModel(request, {});
    if (!model)
        return nullptr;
    Recipe recipe;
    recipe.quantizer.flavor = QuantizerFlavor::TorchAo;
    recipe.quantizer.global->perChannel = perChannel;
    recipe.calibration.source = CalibrationChoice::Source::File;
    recipe.calibration.path = casePath(name, "calib.npz");
    return Pipeline(*model).run(recipe, StageKind::Converted, {});
}

struct Difference
{
    double max = 0;
    std::int64_t differing = 0;
    std::int64_t count = 0;
    double range = 0; ///< of the recorded values
};

/// Elements of the recorded and our outputs that differ by more than a float32 rounding.
Difference differenceOf(const NamedTensors& recorded, const std::string& prefix, std::size_t batch,
                        const Values& ours)
{
    Difference result;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const std::string name = prefix + "_b" + std::to_string(batch) + "_o" + std::to_string(i);
        const auto it = std::find_if(recorded.begin(), recorded.end(),
                                     [&](const auto& entry) { return entry.first == name; });
        if (it == recorded.end() || !ours[i].tensor()) {
            result.max = INFINITY;
            return result;
        }
        const auto a = it->second.toDoubles();
        const auto b = ours[i].tensor()->toDoubles();
        if (!a || !b || a->size() != b->size()) {
            result.max = INFINITY;
            return result;
        }
        const auto [low, high] = std::minmax_element(a->begin(), a->end());
        result.range = std::max(result.range, a->empty() ? 0 : *high - *low);
        for (std::size_t k = 0; k < a->size(); ++k) {
            const double apart = std::fabs((*a)[k] - (*b)[k]);
            result.max = std::max(result.max, apart);
            result.differing += apart > 1e-5 * std::max(1.0, std::fabs((*a)[k])) ? 1 : 0;
            ++result.count;
        }
    }
    return result;
}

/// The scale of the dequantize that makes output 0, else a 255th of the range.
double stepOf(const Graph& converted, double range)
{
    const Argument& list = converted.output()->arg(0);
    const ArgumentList* items = list.get<ArgumentList>();
    const NodeId end = items && !items->items.empty() ? items->items[0].node() : NodeId();
    const Node* node = end ? converted.find(end) : nullptr;
    if (node && node->calls("quantized_decomposed.dequantize_per_tensor.default"))
        return *node->arg(1).get<double>();
    return range / 255;
}

} // namespace

class TestRecordedOutputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void xnnpack_data();
    void xnnpack();
};

void TestRecordedOutputs::xnnpack_data()
{
    // Left out: cases without any int8 op, those whose settings are not the plain quantizer's, and
    // those whose recorded run is far from its own simulation (chunk_split_slice,
    // linear_shared_weight) or has ops on XNNPACK that are on LibTorch here (1-D and transposed
    // convolutions).
    QTest::addColumn<QString>("name");
    for (const char* name : {"adaptive_pool_functional",
                             "adaptive_pool_module",
                             "add_self",
                             "avg_pool",
                             "bn_alone",
                             "bn_conv_two_users",
                             "cat_inputs",
                             "cat_pool",
                             "channel_shuffle",
                             "constant_batches",
                             "conv_bn_no_affine",
                             "conv_groups",
                             "conv_multiplier",
                             "conv_same_padding",
                             "conv_two_consumers",
                             "dead_channel",
                             "deep_chain",
                             "dense_block",
                             "depthwise_separable",
                             "derived_bias",
                             "dropout_eval",
                             "fire",
                             "hardswish_se",
                             "huge_range",
                             "inception",
                             "inverted_residual",
                             "linear_3d",
                             "linear_bn",
                             "linear_relu",
                             "max_pool_first",
                             "mean_dims",
                             "mlp",
                             "mobilenet_tiny",
                             "mul_relu",
                             "notebook_cat_pool",
                             "notebook_residual",
                             "notebook_stem",
                             "one_batch",
                             "output_twice",
                             "relu_inplace",
                             "relu_two_users",
                             "residual",
                             "resnet_tiny",
                             "shrinking_range",
                             "stem",
                             "tiny_range",
                             "user_order",
                             "weight_permuted",
                             "weight_scaled",
                             "widening_range"})
        QTest::newRow(name) << QString(name);
}

void TestRecordedOutputs::xnnpack()
{
    QFETCH(QString, name);
    const std::string caseName = name.toStdString();
    const auto recorded = readArrays(casePath(caseName, "eval_out.npz"));
    QVERIFY(recorded.has_value());
    for (const bool perChannel : {true, false}) {
        const SnapshotPtr snapshot = convertedCase(caseName, perChannel);
        QVERIFY(snapshot && snapshot->converted);
        const auto inputs = readBatches(casePath(caseName, "eval.npz"), *snapshot->model->exported);
        QVERIFY(inputs.has_value());
        auto program = makeXnnpackProgram(snapshot->converted->graph, {1});
        QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
        const auto assignments = (*program)->assignments();
        QVERIFY(std::any_of(assignments.begin(), assignments.end(), [](const Assignment& a) {
            return a.where == Assignment::Where::XnnpackInt8;
        }));
        const std::string prefix = perChannel ? "torchao_xnn" : "torchao-pt_xnn";
        for (std::size_t i = 0; i < inputs->batches.size(); ++i) {
            auto run = (*program)->run(inputs->batches[i], {}, {});
            QVERIFY2(run.has_value(), run ? "" : run.error().message().c_str());
            const Difference found = differenceOf(*recorded, prefix, i, run->outputs);
            // Equal where LibTorch calibrates the very same scales; another LibTorch or CPU may
            // move a scale by a float32 rounding, and with it single values by a step.
            const double step = stepOf(*snapshot->converted->graph, found.range);
            const QString text = QString("%1 batch %2: %3 of %4 differ, by up to %5 steps")
                                     .arg(prefix.c_str())
                                     .arg(i)
                                     .arg(found.differing)
                                     .arg(found.count)
                                     .arg(found.max / step);
            QVERIFY2(found.max <= 2.01 * step, qPrintable(text));
            QVERIFY2(found.differing <= std::max<std::int64_t>(1, found.count / 50),
                     qPrintable(text));
            if (found.differing > 0)
                qInfo("%s", qPrintable(text));
        }
    }
}

QTEST_GUILESS_MAIN(TestRecordedOutputs)
#include "tst_recorded_outputs.moc"

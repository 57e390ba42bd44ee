// The patterns of SentenceText, once, for lupdate and for the matching.
#include "ui/models/SentenceText.h"

#include <QCoreApplication>

namespace pt2e::ui {

namespace {
constexpr const char* kPatterns[] = {
    // pipeline/EditCheck, NodeNames, EditSpec
    QT_TRANSLATE_NOOP("Sentence", "the observer of %1 is made later than that of %2"),
    QT_TRANSLATE_NOOP("Sentence", "nothing is asked for at %1"),
    QT_TRANSLATE_NOOP("Sentence", "%1 would share with itself, by way of %2"),
    QT_TRANSLATE_NOOP("Sentence",
                      "at %1 a value is given in %2 and read in %3: it is quantized twice"),
    QT_TRANSLATE_NOOP("Sentence",
                      "at %1 a value is given as %2 and read as %3: it is quantized twice"),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "XNNPACK has no kernels for weights in %1: what it touches runs in float there"),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "XNNPACK has no kernels for activations in %1: what it touches runs in float there"),
    QT_TRANSLATE_NOOP(
        "Sentence",
        "%1 is not a tensor: it cannot be quantized, calibration or convert_pt2e fails"),
    QT_TRANSLATE_NOOP("Sentence", "what it observes is not a tensor"),
    QT_TRANSLATE_NOOP("Sentence", "%1: what it observes is not a tensor"),
    QT_TRANSLATE_NOOP("Sentence", "%1, per channel"),
    QT_TRANSLATE_NOOP("Sentence", "%1, so that prepare_pt2e fails"),
    QT_TRANSLATE_NOOP("Sentence", "there is no node '%1'"),
    QT_TRANSLATE_NOOP("Sentence", "'%1' does not read '%2'"),
    QT_TRANSLATE_NOOP("Sentence", "must be 'node' or 'node->user'"),
    // observers
    QT_TRANSLATE_NOOP("Sentence", "the range %1..%2 must contain 0"),
    QT_TRANSLATE_NOOP("Sentence", "quant_min must be less than quant_max"),
    QT_TRANSLATE_NOOP("Sentence", "a range of %1 values does not fit %2"),
    QT_TRANSLATE_NOOP("Sentence", "dtype %1 cannot be observed"),
    QT_TRANSLATE_NOOP("Sentence", "a qscheme is needed"),
    QT_TRANSLATE_NOOP("Sentence", "a per-channel observer needs a per-channel qscheme, not %1"),
    QT_TRANSLATE_NOOP("Sentence", "a per-channel observer cannot be dynamic"),
    QT_TRANSLATE_NOOP("Sentence", "a per-channel observer needs an axis"),
    QT_TRANSLATE_NOOP("Sentence", "qscheme %1 needs a per-channel observer"),
    QT_TRANSLATE_NOOP("Sentence", "cannot be dynamic"),
    QT_TRANSLATE_NOOP("Sentence", "a dynamic moving average needs averaging_constant 1"),
    QT_TRANSLATE_NOOP("Sentence", "is made from a fixed or derived spec only"),
    QT_TRANSLATE_NOOP("Sentence", "bins must be between 1 and 1048576"),
    QT_TRANSLATE_NOOP("Sentence", "a per-channel qscheme needs an axis"),
    QT_TRANSLATE_NOOP("Sentence", "a tensor of rank %1 has no axis %2"),
    QT_TRANSLATE_NOOP(
        "Sentence", "a tensor of rank 1 has nothing but channels (torchao raises IndexError here)"),
    QT_TRANSLATE_NOOP("Sentence", "saw tensors with %1 and %2 channels"),
    QT_TRANSLATE_NOOP("Sentence", "there is no histogram of these values"),
    QT_TRANSLATE_NOOP("Sentence", "the histogram has no finite values"),
    QT_TRANSLATE_NOOP("Sentence", "the values are quantized per channel"),
    QT_TRANSLATE_NOOP("Sentence", "range of [%1, %2] is not finite"),
    QT_TRANSLATE_NOOP("Sentence",
                      "per_channel_affine_float_qparams has zero points that are not integers"),
    QT_TRANSLATE_NOOP(
        "Sentence", "the smallest value seen is not below the largest one (NaN among the values?)"),
    QT_TRANSLATE_NOOP("Sentence", "a product of scales needs exactly two observers"),
    QT_TRANSLATE_NOOP("Sentence", "the two scales have different numbers of channels"),
    QT_TRANSLATE_NOOP("Sentence", "has no one scale that could change from batch to batch"),
    QT_TRANSLATE_NOOP("Sentence", "has seen no values"),
    QT_TRANSLATE_NOOP("Sentence", "there are no batches"),
    // annotate, prepare, convert
    QT_TRANSLATE_NOOP("Sentence", "is to share with '%1', which has no annotation (torchao raises "
                                  "KeyError)"),
    QT_TRANSLATE_NOOP("Sentence", "shared specs name each other in a circle"),
    QT_TRANSLATE_NOOP("Sentence", "its annotation names an input that is not in the graph"),
    QT_TRANSLATE_NOOP("Sentence", "refers to '%1', which has no observer yet (torchao raises "
                                  "AssertionError here)"),
    QT_TRANSLATE_NOOP("Sentence", "its output shares the observer of a point that is not observed "
                                  "(torchao raises AttributeError here)"),
    QT_TRANSLATE_NOOP("Sentence", "keyword argument '%1' holds a node (torchao raises "
                                  "AssertionError here)"),
    QT_TRANSLATE_NOOP("Sentence", "an argument is neither a tensor nor a number"),
    QT_TRANSLATE_NOOP("Sentence", "there is no quantizer %1"),
    QT_TRANSLATE_NOOP("Sentence", "a GRU called without an explicit hidden state cannot be "
                                  "annotated (the quantizer raises IndexError here)"),
    QT_TRANSLATE_NOOP("Sentence", "a GRU must have exactly two used results to be annotated (the "
                                  "quantizer raises AssertionError here)"),
    QT_TRANSLATE_NOOP("Sentence", "stands for an adaptive average pooling but is %1 (the quantizer "
                                  "raises here)"),
    QT_TRANSLATE_NOOP("Sentence", "stands for a torch.cat but is %1 (the quantizer raises here)"),
    QT_TRANSLATE_NOOP("Sentence", "only int8 and uint8 can be quantized dynamically"),
    QT_TRANSLATE_NOOP("Sentence", "cannot fold the batch norm: %1"),
    QT_TRANSLATE_NOOP("Sentence", "an argument is no node"),
    QT_TRANSLATE_NOOP("Sentence", "%1 is an input of this graph, not a parameter"),
    QT_TRANSLATE_NOOP("Sentence", "attribute '%1' has no value"),
    QT_TRANSLATE_NOOP("Sentence", "cannot fold a batch norm without running statistics"),
    QT_TRANSLATE_NOOP("Sentence", "its eps is no number"),
    QT_TRANSLATE_NOOP("Sentence", "has no weight"),
    QT_TRANSLATE_NOOP("Sentence", "cannot fold a batch norm without weight and bias into a linear "
                                  "(torchao raises TypeError here)"),
    QT_TRANSLATE_NOOP("Sentence", "is a sub-graph of a sub-graph, which torchao's convert loses "
                                  "(it raises in DuplicateDQPass: references nonexistent "
                                  "attribute)"),
    QT_TRANSLATE_NOOP("Sentence", "one of the points it is derived from is not observed (torchao "
                                  "raises AttributeError here)"),
    QT_TRANSLATE_NOOP("Sentence", "one it is derived from has no scale"),
    // diagnostics of the stages
    QT_TRANSLATE_NOOP("Sentence", "none of %1 ops is quantized"),
    QT_TRANSLATE_NOOP("Sentence", "its annotation in the file is left out: %1"),
    QT_TRANSLATE_NOOP("Sentence", "no operator of the model matches"),
    QT_TRANSLATE_NOOP("Sentence", "%1 names an input that this operator does not have; that spec "
                                  "is left out"),
    QT_TRANSLATE_NOOP("Sentence", "a %1: it is shown and run as it is, and not quantized again"),
    QT_TRANSLATE_NOOP("Sentence", "a %1: they are what counts while no quantizer is chosen"),
    QT_TRANSLATE_NOOP("Sentence", "the activations of %1 of %2 batches found no room in memory or "
                                  "on disk; the model runs again on them after an edit"),
    QT_TRANSLATE_NOOP("Sentence", "never observed a value: %1 gives scale 1 and zero point 0"),
    QT_TRANSLATE_NOOP("Sentence", "not folded into %1: its input is %2-dimensional, so linear and "
                                  "batch norm work on different dimensions"),
    QT_TRANSLATE_NOOP("Sentence", "lost, not folded: the weight of %1 already took over another "
                                  "batch norm, so results change"),
    QT_TRANSLATE_NOOP("Sentence", "reads %1, which now contains %2: its input changes"),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 op of its sub-graph stays float: prepare does not go in there"),
    QT_TRANSLATE_NOOP("Sentence",
                      "%1 ops of its sub-graphs stay float: prepare does not go in there"),
    QT_TRANSLATE_NOOP("Sentence", "both inputs are the same value: its map of inputs has one "
                                  "entry, so both have one spec"),
    QT_TRANSLATE_NOOP("Sentence", "the quantizer made its number a float32 tensor, so the %1 "
                                  "result becomes float32"),
    QT_TRANSLATE_NOOP("Sentence", "has more users than its relu, so the two are not fused: its "
                                  "output is observed before the relu"),
    QT_TRANSLATE_NOOP("Sentence", "its output is observed before a clamp clips it: only a relu is "
                                  "fused"),
    QT_TRANSLATE_NOOP("Sentence", "%1 (and %2 more like it)"),
    QT_TRANSLATE_NOOP("Sentence", "no annotation and no warning from the quantizer: %1"),
    QT_TRANSLATE_NOOP("Sentence", "stays float without a word from the quantizer: %1"),
    QT_TRANSLATE_NOOP("Sentence", "its weight is quantized along axis 0, which are the input "
                                  "channels of a transposed convolution"),
    QT_TRANSLATE_NOOP("Sentence", "the torchao quantizer keeps settings by operator and never "
                                  "reads them (%1 here)"),
    QT_TRANSLATE_NOOP("Sentence", "its output is annotated, but it has several: prepare inserts no "
                                  "observer there"),
    // diagnostics of projects
    QT_TRANSLATE_NOOP("Sentence", "the model's file is not the one that this was made with: edits, "
                                  "bookmarks and notes are applied again by the names of nodes"),
    QT_TRANSLATE_NOOP("Sentence", "the %1 cannot be read"),
    QT_TRANSLATE_NOOP("Sentence", "the %1 are not those that this was made with: numbers may "
                                  "differ"),
    QT_TRANSLATE_NOOP("Sentence", "calibration data"),
    QT_TRANSLATE_NOOP("Sentence", "evaluation data"),
    QT_TRANSLATE_NOOP("Sentence", "the model has no node '%1' any more, where the project has %2"),
    QT_TRANSLATE_NOOP("Sentence", "a bookmark"),
    QT_TRANSLATE_NOOP("Sentence", "the note \"%1\""),
    QT_TRANSLATE_NOOP("Sentence", "labels"),
    // diagnostics of .pt2 files
    QT_TRANSLATE_NOOP("Sentence",
                      "the archive has no archive_format record; Python refuses to load it"),
    QT_TRANSLATE_NOOP("Sentence", "the archive's version is not 0; Python refuses to load it"),
    QT_TRANSLATE_NOOP("Sentence", "record '%1' is missing"),
    QT_TRANSLATE_NOOP("Sentence", "the example inputs cannot be used: %1"),
    QT_TRANSLATE_NOOP("Sentence", "%1 values for %2 inputs"),
    QT_TRANSLATE_NOOP("Sentence", "'%1' is an object that only Python can load"),
    QT_TRANSLATE_NOOP("Sentence", "weights of '%1' are not in the file; zeros are used"),
    QT_TRANSLATE_NOOP("Sentence", "effect tokens stay in the graph as inputs"),
    QT_TRANSLATE_NOOP("Sentence",
                      "a dict argument is shown as a list of pairs; the node cannot be run"),
    QT_TRANSLATE_NOOP("Sentence",
                      "an argument of the kind '%1' is not known; the node cannot be run"),
    QT_TRANSLATE_NOOP("Sentence", "the file does not say what '%1' is"),
    QT_TRANSLATE_NOOP("Sentence", "schema %1 is newer than what this program knows (8)"),
    QT_TRANSLATE_NOOP("Sentence", "schema %1 can no longer be loaded by current PyTorch"),
    QT_TRANSLATE_NOOP("Sentence", "'%1' has no value: %2"),
    QT_TRANSLATE_NOOP("Sentence", "it is not in the file"),
    QT_TRANSLATE_NOOP("Sentence", "'%1' has another shape or dtype than the graph says"),
    QT_TRANSLATE_NOOP("Sentence", "dtype #%1 is not known; the value cannot be used"),
    // data: descriptions, and why some are left out
    QT_TRANSLATE_NOOP("Sentence", "1 random batch"),
    QT_TRANSLATE_NOOP("Sentence", "%1 random batches"),
    QT_TRANSLATE_NOOP("Sentence", "1 random batch after the %1 of calibration"),
    QT_TRANSLATE_NOOP("Sentence", "%1 random batches after the %2 of calibration"),
    QT_TRANSLATE_NOOP("Sentence", "1 batch after the %1 of calibration in %2"),
    QT_TRANSLATE_NOOP("Sentence", "%1 batches after the %2 of calibration in %3"),
    QT_TRANSLATE_NOOP("Sentence", "%1, which calibration saw too"),
    QT_TRANSLATE_NOOP("Sentence", "example inputs of the file"),
    QT_TRANSLATE_NOOP("Sentence", "%1, %2 sample"),
    QT_TRANSLATE_NOOP("Sentence", "%1, %2 samples"),
    QT_TRANSLATE_NOOP("Sentence", "%1, the first %2 of %3 samples"),
    QT_TRANSLATE_NOOP("Sentence", "%1 files of arrays"),
    QT_TRANSLATE_NOOP("Sentence",
                      "there are no example inputs to calibrate with; choose random or a file"),
    QT_TRANSLATE_NOOP("Sentence", "has a NaN"),
    QT_TRANSLATE_NOOP("Sentence", "is neither a PNG nor a JPEG picture"),
    QT_TRANSLATE_NOOP("Sentence", "is neither a .npz nor a .npy file"),
    QT_TRANSLATE_NOOP("Sentence", "has shape %1, input '%2' needs %3"),
    QT_TRANSLATE_NOOP("Sentence", "has dtype %1, input '%2' needs %3"),
    QT_TRANSLATE_NOOP("Sentence", "the picture is too large"),
    QT_TRANSLATE_NOOP("Sentence", "has no batch to judge on"),
    QT_TRANSLATE_NOOP("Sentence", "there is no batch to look at"),
    QT_TRANSLATE_NOOP("Sentence", "holds %1 labels, the data (%2) have %3 samples"),
};
} // namespace

const std::vector<std::string_view>& sentencePatterns()
{
    static const std::vector<std::string_view> all(std::begin(kPatterns), std::end(kPatterns));
    return all;
}

} // namespace pt2e::ui

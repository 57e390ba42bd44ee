// A recipe with everything in it.
#pragma once

#include "core/pipeline/Recipe.h"

namespace pt2e::test {

inline Edit edit(const std::string& at, EditSpec spec = {})
{
    return {*NamedPoint::parse(at), std::move(spec)};
}

/// One of each kind of setting and edit, none at its default.
inline Recipe fullRecipe()
{
    Recipe recipe;
    recipe.quantizer.flavor = QuantizerFlavor::ExecuTorch;
    recipe.quantizer.global = QuantizationConfig{false, true, -120, 100, -64, 63};
    recipe.quantizer.moduleName = {{"b.fc", QuantizationConfig{.dynamic = true}},
                                   {"a", QuantizationConfig{}}};
    recipe.quantizer.moduleType = {{"torch.nn.Linear", {}}};
    recipe.quantizer.operatorType = {{"aten.conv2d.default", QuantizationConfig{.actQmin = -7}},
                                     {"aten.add.Tensor", {}}};
    EditSpec observed;
    observed.kind = EditSpec::Kind::Observed;
    observed.observed.dtype = DType::UInt8;
    observed.observed.observer = {
        ObserverKind::MovingAverageMinMax, 0.000244140625, 0.05, {}, true};
    observed.observed.quantMin = 0;
    observed.observed.quantMax = 255;
    observed.observed.qscheme = QScheme::PerTensorAffine;
    EditSpec fixed;
    fixed.kind = EditSpec::Kind::Fixed;
    fixed.fixed.scale = 0.00390625;
    fixed.fixed.zeroPoint = -128;
    EditSpec shared;
    shared.kind = EditSpec::Kind::Shared;
    shared.sharedWith = {"relu", "conv2d_1"};
    EditSpec derived;
    derived.kind = EditSpec::Kind::Derived;
    derived.derivedFrom = {{"x", "conv2d"}, {"w", "conv2d"}};
    derived.derived.qscheme = QScheme::PerChannelSymmetric;
    derived.derived.chAxis = 0;
    EditSpec first;
    first.kind = EditSpec::Kind::Shared;
    first.sharedWith = {"$input0", ""};
    EditSpec bias = derived;
    bias.derivedFrom = {{"$input0", ""}, {"$input1", ""}};
    EditSpec same;
    same.kind = EditSpec::Kind::Default;
    RecipeRule cat, conv, last;
    cat.match = {"aten.cat.default", "block.1", "cat_*", DType::Float32,
                 NodeMatch::Position::First};
    cat.inputs = {observed};
    cat.otherInputs = first;
    cat.output = first;
    cat.allowImplicitSharing = false;
    conv.match.op = "aten.conv*";
    conv.inputs = {same, EditSpec(), bias};
    last.match.position = NodeMatch::Position::Last;
    last.skip = true;
    recipe.rules = {cat, conv, last};
    recipe.edits = {edit("relu"), edit("x->conv2d", observed), edit("sigmoid", fixed),
                    edit("cat", shared), edit("bias->conv2d", derived)};
    recipe.edits[2].allowImplicitSharing = false;
    DataFormat format;
    format.mean = {0.485, 0.456, 0.406};
    format.std = {0.25};
    format.resize = 256;
    format.rawShape = {3, 224, 224};
    format.rawDtype = DType::UInt8;
    format.batchSize = 16;
    recipe.calibration = {CalibrationChoice::Source::File, "data/calib \"1\".npz", 3,
                          18446744073709551615u, format};
    recipe.convert = {false, false};
    recipe.threads = 2;
    return recipe;
}

} // namespace pt2e::test

// The reference cases in tests/data/cases: small models with what the real Python stack made of them.
#pragma once

#include "core/kernels/Kernels.h"
#include "core/pipeline/Pipeline.h"
#include "tests/support/DumpCompare.h"

#include <string>
#include <vector>

namespace pt2e::test {

std::string casePath(const std::string& name, const std::string& file);
std::string readText(const std::string& path); ///< empty if it cannot be read

/// What one case became under one flavour: golden-<flavour>.json.
struct Golden
{
    std::string caseName;
    std::string flavour; ///< "torchao-pt", "executorch", "torchao-name-linear", …
};
std::vector<Golden> goldens(); ///< all, sorted
/// The settings a golden was recorded with (its notes.settings).
QuantizerSettings settingsOf(const rapidjson::Value& golden);
/// Those settings, calibrated with the case's calib.npz.
Recipe recipeFor(const std::string& caseName, const QuantizerSettings& quantizer);
/// The case's converted model under those settings, as far as it gets; null if its file cannot be read.
SnapshotPtr convertedCase(const std::string& caseName, const QuantizerSettings& quantizer);
/// The recipe of a golden: its settings; for a quantizer of its own ("recipe-cat") the recipe beside it, read from
/// its file. Calibrated with the case's calib.npz.
Result<Recipe> recipeOf(const Golden& golden, const rapidjson::Value& recorded);

/// What may be promised against the goldens with this LibTorch (they were made with 2.13.0, one thread, AVX2).
struct Regime
{
    bool isExact =
        false; ///< reals within 1e-6, outputs bit-equal; else reals within 1e-5, outputs one step
    DumpTolerance tolerance;
    std::string description; ///< one line, printed with each comparison
};
Regime regimeOf(const TorchInfo& torch);

/// All threads of LibTorch but one switched off; the error text if it cannot be loaded.
std::string loadKernelsWithOneThread();

} // namespace pt2e::test

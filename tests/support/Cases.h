// The reference cases in tests/data/cases: small models with what the real Python stack made of them.
#pragma once

#include "core/kernels/Kernels.h"
#include "core/pipeline/Pipeline.h"
#include "tests/support/DumpCompare.h"

#include <string>
#include <vector>

namespace pt2e::test {

/// Names of the cases that have a golden of that flavour, sorted.
std::vector<std::string> caseNames(const std::string& flavour);
std::string casePath(const std::string& name, const std::string& file);
std::string readText(const std::string& path); ///< empty if it cannot be read

/// A flavour the goldens were recorded with, and the recipe that means the same.
struct Flavour
{
    std::string name; ///< "torchao-pt", as in golden-torchao-pt.json
    QuantizerSettings quantizer;
};
std::vector<Flavour> flavours();
/// The flavour's recipe, calibrated with the case's calib.npz.
Recipe recipeFor(const std::string& caseName, const Flavour& flavour);

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

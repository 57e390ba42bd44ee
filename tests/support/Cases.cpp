#include "tests/support/Cases.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pt2e::test {

namespace {

std::filesystem::path folder()
{
    const char* data = std::getenv("PT2E_TEST_DATA");
    return std::filesystem::path(data ? data : "tests/data") / "cases";
}

} // namespace

std::vector<std::string> caseNames(const std::string& flavour)
{
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder(), ignored)) {
        if (std::filesystem::exists(entry.path() / ("golden-" + flavour + ".json"), ignored))
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string casePath(const std::string& name, const std::string& file)
{
    return (folder() / name / file).string();
}

std::string readText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<Flavour> flavours()
{
    QuantizerSettings perTensor;
    perTensor.global->perChannel = false;
    return {{"torchao", {}}, {"torchao-pt", perTensor}};
}

Recipe recipeFor(const std::string& caseName, const Flavour& flavour)
{
    Recipe recipe;
    recipe.quantizer = flavour.quantizer;
    recipe.calibration.source = CalibrationChoice::Source::File;
    recipe.calibration.path = casePath(caseName, "calib.npz");
    return recipe;
}

Regime regimeOf(const TorchInfo& torch)
{
    Regime regime;
    // Convolutions are oneDNN's, which picks its kernels by the CPU and not by ATen's capability.
    const char* oneDnn = std::getenv("ONEDNN_MAX_CPU_ISA");
    const bool isAvx2 = torch.cpuCapability == "AVX2" && oneDnn && std::string(oneDnn) == "AVX2";
    regime.isExact = torch.version.starts_with("2.13.0") && isAvx2 && torch.threads == 1;
    regime.tolerance.reals = regime.isExact ? 1e-6 : 1e-5;
    regime.description =
        "LibTorch " + torch.version + ", " + torch.cpuCapability
        + (oneDnn ? std::string(", oneDNN ") + oneDnn : std::string()) + ", "
        + std::to_string(torch.threads) + " thread(s): "
        + (regime.isExact ? "reals within 1e-6, outputs bit-equal"
                          : "reals within 1e-5, outputs within one quantization step");
    return regime;
}

std::string loadKernelsWithOneThread()
{
    const auto loaded = kernels();
    if (!loaded)
        return loaded.error().message();
    (*loaded)->setThreads(1);
    return {};
}

} // namespace pt2e::test

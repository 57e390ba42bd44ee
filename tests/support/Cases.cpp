#include "tests/support/Cases.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

namespace pt2e::test {

namespace {

std::filesystem::path folder()
{
    const char* data = std::getenv("PT2E_TEST_DATA");
    return std::filesystem::path(data ? data : "tests/data") / "cases";
}

} // namespace

std::vector<Golden> goldens()
{
    constexpr std::string_view kPrefix = "golden-";
    std::vector<Golden> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder(), ignored)) {
        for (const auto& file : std::filesystem::directory_iterator(entry.path(), ignored)) {
            const std::string name = file.path().stem().string();
            if (name.starts_with(kPrefix) && file.path().extension() == ".json")
                found.push_back({entry.path().filename().string(), name.substr(kPrefix.size())});
        }
    }
    std::sort(found.begin(), found.end(), [](const Golden& a, const Golden& b) {
        return std::tie(a.caseName, a.flavour) < std::tie(b.caseName, b.flavour);
    });
    return found;
}

namespace {

QuantizationConfig configOf(const rapidjson::Value& settings)
{
    QuantizationConfig config;
    config.perChannel = settings["per_channel"].GetBool();
    config.dynamic = settings["dynamic"].GetBool();
    return config;
}

std::vector<NamedConfig> namedConfigsOf(const rapidjson::Value& settings, const char* key)
{
    std::vector<NamedConfig> configs;
    if (const auto list = settings.FindMember(key); list != settings.MemberEnd()) {
        for (const auto& item : list->value.GetObject())
            configs.push_back({item.name.GetString(), configOf(item.value)});
    }
    return configs;
}

} // namespace

QuantizerSettings settingsOf(const rapidjson::Value& golden)
{
    const rapidjson::Value& recorded = golden["notes"]["settings"];
    QuantizerSettings settings;
    settings.flavor =
        recorded["base"] == "executorch" ? QuantizerFlavor::ExecuTorch : QuantizerFlavor::TorchAo;
    settings.global = configOf(recorded);
    if (recorded.HasMember("global") && !recorded["global"].GetBool())
        settings.global.reset();
    settings.moduleName = namedConfigsOf(recorded, "module_name");
    settings.moduleType = namedConfigsOf(recorded, "module_type");
    settings.operatorType = namedConfigsOf(recorded, "operator_type");
    return settings;
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

Recipe recipeFor(const std::string& caseName, const QuantizerSettings& quantizer)
{
    Recipe recipe;
    recipe.quantizer = quantizer;
    recipe.calibration.source = CalibrationChoice::Source::File;
    recipe.calibration.path = casePath(caseName, "calib.npz");
    return recipe;
}

SnapshotPtr convertedCase(const std::string& caseName, const QuantizerSettings& quantizer)
{
    ModelRequest request;
    request.what = casePath(caseName, "model.pt2");
    const auto model = openModel(request, {});
    return model ? Pipeline(*model).run(recipeFor(caseName, quantizer), StageKind::Converted, {})
                 : nullptr;
}

Result<Recipe> recipeOf(const Golden& golden, const rapidjson::Value& recorded)
{
    if (!golden.flavour.starts_with("recipe-"))
        return recipeFor(golden.caseName, settingsOf(recorded));
    const std::string file = golden.flavour + ".json";
    PT2E_ASSIGN(Recipe recipe, readRecipe(readText(casePath(golden.caseName, file)), file));
    recipe.calibration = recipeFor(golden.caseName, {}).calibration;
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

#include "core/quant/Flavor.h"

#include "core/quant/executorch/ExecuTorch.h"
#include "core/quant/torchao/TorchAo.h"

#include <algorithm>

namespace pt2e {

const Flavor* flavorOf(QuantizerFlavor flavor)
{
    switch (flavor) {
    case QuantizerFlavor::TorchAo: return &kTorchAoFlavor;
    case QuantizerFlavor::ExecuTorch: return &kExecuTorchFlavor;
    case QuantizerFlavor::None: break;
    }
    return nullptr;
}

namespace {

bool contains(std::span<const std::string_view> targets, std::string_view target)
{
    return std::find(targets.begin(), targets.end(), target) != targets.end();
}

std::vector<std::string> namesOf(const std::vector<NamedConfig>& configs)
{
    std::vector<std::string> names;
    for (const NamedConfig& config : configs)
        names.push_back(config.name);
    return names;
}

/// Puts the runs together one after another.
class Planner
{
public:
    Planner(const Flavor& flavor, const QuantizerSettings& settings)
        : m_flavor(flavor),
          m_isGlobalDynamic(settings.global && settings.global->dynamic)
    {}

    /// `target`: only the rules for this operator.
    void add(const std::optional<QuantizationConfig>& config, const ModuleFilter& filter,
             const std::string* target = nullptr)
    {
        if (!config)
            return;
        PlannedRun run;
        run.config = {symmetricConfig(*config), config->dynamic, filter, m_flavor.shareList};
        const bool isDynamic = m_flavor.hasModePerConfig ? config->dynamic : m_isGlobalDynamic;
        for (const RuleEntry& entry : m_flavor.rules) {
            if ((entry.isDynamic || !isDynamic) && (!target || contains(entry.targets, *target)))
                run.rules.push_back(entry.rule);
        }
        run.removesDeadCode = !isDynamic && !m_flavor.deadCodeTargets.empty()
                              && (!target || contains(m_flavor.deadCodeTargets, *target));
        m_runs.push_back(std::move(run));
    }
    std::vector<PlannedRun> take() { return std::move(m_runs); }

private:
    const Flavor& m_flavor;
    bool m_isGlobalDynamic;
    std::vector<PlannedRun> m_runs;
};

} // namespace

std::vector<PlannedRun> plannedRuns(const Flavor& flavor, const QuantizerSettings& settings)
{
    Planner planner(flavor, settings);
    for (const NamedConfig& named : settings.moduleName)
        planner.add(named.config, ModuleFilter::named(named.name));
    for (const NamedConfig& named : settings.moduleType)
        planner.add(named.config, ModuleFilter::ofType(named.name));
    const ModuleFilter rest =
        ModuleFilter::rest(namesOf(settings.moduleName), namesOf(settings.moduleType));
    if (flavor.readsOperatorType) {
        for (const NamedConfig& named : settings.operatorType)
            planner.add(named.config, rest, &named.name);
    }
    planner.add(settings.global, rest);
    return planner.take();
}

} // namespace pt2e

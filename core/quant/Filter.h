// Which nodes a configuration reaches: settings by module name and by module type.
#pragma once

#include "core/ir/Graph.h"
#include "core/quant/Reason.h"

#include <string>
#include <vector>

namespace pt2e {

/// A node is found by the modules it was traced in (nn_module_stack), at any level. Parameters and buffers have no
/// such stack: a name or type filter lets none of them through, the filter of the rest lets all of them through.
class ModuleFilter
{
public:
    static ModuleFilter everything() { return {}; }
    /// The module with this path and what it contains.
    static ModuleFilter named(std::string path);
    /// Modules of a class, as "torch.nn.modules.linear.Linear" or by its public name "torch.nn.Linear".
    static ModuleFilter ofType(std::string className);
    /// What none of these names and types reaches: the filter of a global configuration.
    static ModuleFilter rest(std::vector<std::string> paths, std::vector<std::string> classNames);

    bool allows(const Node& node) const;
    /// Why a node does not pass.
    Reason reason(const Node& node) const;

private:
    /// The entry that finds the node, or nullptr.
    const std::string* finder(const Node& node) const;

    std::vector<std::string> m_paths;
    std::vector<std::string> m_classNames;
    bool m_isRest = true; ///< lets through what is not found, instead of what is
};

} // namespace pt2e

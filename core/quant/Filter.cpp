#include "core/quant/Filter.h"

#include <string_view>

namespace pt2e {

namespace {

/// Programs of older exporters write the root into the path.
std::string_view withoutRoot(std::string_view path)
{
    constexpr std::string_view kRoot = "L['self'].";
    return path.starts_with(kRoot) ? path.substr(kRoot.size()) : path;
}

/// A class of torch.nn goes by two names: where it is defined, and torch.nn itself.
bool isClass(std::string_view className, std::string_view wanted)
{
    constexpr std::string_view kPublic = "torch.nn.", kDefined = "torch.nn.modules.";
    if (className == wanted)
        return true;
    if (!wanted.starts_with(kPublic) || !className.starts_with(kDefined))
        return false;
    const std::size_t dot = className.find('.', kDefined.size());
    return dot != std::string_view::npos
           && className.substr(dot + 1) == wanted.substr(kPublic.size());
}

} // namespace

ModuleFilter ModuleFilter::named(std::string path)
{
    ModuleFilter filter;
    filter.m_paths.push_back(std::move(path));
    filter.m_isRest = false;
    return filter;
}

ModuleFilter ModuleFilter::ofType(std::string className)
{
    ModuleFilter filter;
    filter.m_classNames.push_back(std::move(className));
    filter.m_isRest = false;
    return filter;
}

ModuleFilter ModuleFilter::rest(std::vector<std::string> paths, std::vector<std::string> classNames)
{
    ModuleFilter filter;
    filter.m_paths = std::move(paths);
    filter.m_classNames = std::move(classNames);
    return filter;
}

const std::string* ModuleFilter::finder(const Node& node) const
{
    if (!node.fileMeta)
        return nullptr;
    for (const ModuleFrame& frame : node.fileMeta->moduleStack) {
        for (const std::string& path : m_paths) {
            if (withoutRoot(frame.path) == path)
                return &path;
        }
        for (const std::string& className : m_classNames) {
            if (isClass(frame.className, className))
                return &className;
        }
    }
    return nullptr;
}

bool ModuleFilter::allows(const Node& node) const { return (finder(node) != nullptr) != m_isRest; }

Reason ModuleFilter::reason(const Node& node) const
{
    if (const std::string* found = finder(node))
        return {ReasonKey::OwnSetting, {node.name, *found}, {}};
    const bool isType = m_paths.empty();
    const std::string& wanted = isType ? m_classNames.front() : m_paths.front();
    if (node.is(OpKind::GetAttr))
        return {isType ? ReasonKey::ParameterOfType : ReasonKey::ParameterOfModule,
                {node.name, wanted},
                {}};
    return {isType ? ReasonKey::OutsideType : ReasonKey::OutsideModule, {node.name, wanted}, {}};
}

} // namespace pt2e

#include "ui/session/ViewState.h"

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr std::size_t kHistoryLimit = 200;
}

ViewState::ViewState(QObject* parent) : QObject(parent) {}

void ViewState::setOptions(const ViewOptions& options)
{
    if (options == m_options)
        return;
    remember();
    m_options = options;
    Q_EMIT changed();
}

void ViewState::remember()
{
    m_back.push_back({m_options, m_body});
    if (m_back.size() > kHistoryLimit)
        m_back.erase(m_back.begin());
    m_forward.clear();
}

void ViewState::enter(const std::string& body)
{
    if (body == m_body)
        return;
    remember();
    m_body = body;
    m_options.focus.clear();
    m_options.revealed.clear();
    Q_EMIT changed();
}

void ViewState::setStages(std::vector<StageKind> stages)
{
    if (stages.empty() || stages == m_stages)
        return;
    m_stages = std::move(stages);
    Q_EMIT changed();
}

void ViewState::setPanesInStep(bool inStep)
{
    if (inStep == m_inStep)
        return;
    m_inStep = inStep;
    Q_EMIT inStepChanged(inStep);
}

void ViewState::setMinimapWanted(bool wanted)
{
    if (wanted == m_hasMinimap)
        return;
    m_hasMinimap = wanted;
    Q_EMIT minimapWantedChanged(wanted);
}

void ViewState::addFocus(const QString& node)
{
    ViewOptions options = m_options;
    const std::string name = node.toStdString();
    if (std::find(options.focus.begin(), options.focus.end(), name) != options.focus.end())
        return;
    options.focus.push_back(name);
    setOptions(options);
}

void ViewState::removeFocus(const QString& node)
{
    ViewOptions options = m_options;
    std::erase(options.focus, node.toStdString());
    if (options.focus.empty())
        options.revealed.clear();
    setOptions(options);
}

void ViewState::setFocus(const std::vector<std::string>& nodes)
{
    ViewOptions options = m_options;
    options.focus = nodes;
    options.revealed.clear();
    setOptions(options);
}

void ViewState::showPath(const std::vector<std::string>& nodes)
{
    ViewOptions options = m_options;
    options.focus = nodes;
    options.hops = 0;
    options.revealed.clear();
    setOptions(options);
}

void ViewState::setHops(int hops)
{
    ViewOptions options = m_options;
    options.hops = std::clamp(hops, 0, kMaxHops);
    setOptions(options);
}

void ViewState::reveal(NodeId node)
{
    ViewOptions options = m_options;
    options.revealed.push_back(node);
    setOptions(options);
}

void ViewState::setModules(const ModuleFolding& modules)
{
    ViewOptions options = m_options;
    options.modules = modules;
    setOptions(options);
}

void ViewState::expandModules(const std::vector<std::string>& paths)
{
    ModuleFolding modules = m_options.modules;
    for (const std::string& path : paths)
        modules.expand(path);
    setModules(modules);
}

void ViewState::collapseModule(const std::string& path)
{
    ModuleFolding modules = m_options.modules;
    modules.collapse(path);
    setModules(modules);
}

void ViewState::move(std::vector<Place>& from, std::vector<Place>& to)
{
    if (from.empty())
        return;
    to.push_back({m_options, m_body});
    m_options = from.back().options;
    m_body = from.back().body;
    from.pop_back();
    Q_EMIT changed();
}

void ViewState::goBack() { move(m_back, m_forward); }

void ViewState::goForward() { move(m_forward, m_back); }

void ViewState::reset(const ModuleFolding& modules)
{
    m_options = {};
    m_options.modules = modules;
    m_body.clear();
    m_back.clear();
    m_forward.clear();
    Q_EMIT changed();
}

void ViewState::restore(const ViewOptions& options, const std::string& body,
                        const std::vector<StageKind>& stages)
{
    m_options = options;
    m_body = body;
    if (!stages.empty())
        m_stages = stages;
    m_back.clear();
    m_forward.clear();
    Q_EMIT changed();
}

} // namespace pt2e::ui

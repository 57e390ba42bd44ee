// What the panes show of the graphs: stages, focus, hops and switches, with a history to go back and forward in.
#pragma once

#include "core/view/Scene.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace pt2e::ui {

class ViewState : public QObject
{
    Q_OBJECT
public:
    explicit ViewState(QObject* parent = nullptr);

    const ViewOptions& options() const { return m_options; }
    const std::vector<StageKind>& stages() const { return m_stages; }
    /// The sub-graph that is looked into ("loop/inner"), empty: the graph itself.
    const std::string& body() const { return m_body; }
    bool arePanesInStep() const { return m_inStep; }

    /// Replaces the options and remembers what was shown before.
    void setOptions(const ViewOptions& options);
    /// Looks into a sub-graph, or at the graph itself; the focus of the one left goes, going back brings it again.
    void enter(const std::string& body);
    void setStages(std::vector<StageKind> stages); ///< one per pane, left to right, at least one
    void setPanesInStep(bool inStep);
    bool isMinimapWanted() const { return m_hasMinimap; }
    void setMinimapWanted(bool wanted); ///< in the panes whose graph is larger than they are

    void addFocus(const QString& node);
    void removeFocus(const QString& node);
    void setFocus(const std::vector<std::string>& nodes);
    void showPath(const std::vector<std::string>& nodes); ///< these as the focus, without hops
    void setHops(int hops);
    void reveal(NodeId node); ///< a hidden neighbour, by a click on its stub
    void setModules(const ModuleFolding& modules); ///< which modules are one box
    void expandModules(const std::vector<std::string>& paths);
    void collapseModule(const std::string& path);

    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void goBack();
    void goForward();
    /// Another model: default options, these modules collapsed, and an empty history.
    void reset(const ModuleFolding& modules = {});
    /// What was shown when a project was saved, with an empty history.
    void restore(const ViewOptions& options, const std::string& body,
                 const std::vector<StageKind>& stages);

    static constexpr int kMaxHops = 99;

Q_SIGNALS:
    void changed(); ///< options, stages or sub-graph: the scenes must be made again
    void inStepChanged(bool inStep);
    void minimapWantedChanged(bool wanted);

private:
    /// One place in the history.
    struct Place
    {
        ViewOptions options;
        std::string body;
    };
    void remember();
    void move(std::vector<Place>& from, std::vector<Place>& to);

    ViewOptions m_options;
    std::string m_body;
    std::vector<StageKind> m_stages{StageKind::Exported, StageKind::Prepared, StageKind::Converted};
    std::vector<Place> m_back;
    std::vector<Place> m_forward;
    bool m_inStep = true;
    bool m_hasMinimap = true;
};

} // namespace pt2e::ui

#include "ui/canvas/SceneSource.h"

#include "core/ir/Diff.h"
#include "core/view/BodyView.h"
#include "core/view/TwoRecipeScenes.h"
#include "ui/render/Fonts.h"
#include "ui/session/SecondRecipe.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace pt2e::ui {

const QString SceneSource::kTag = QStringLiteral("scenes");

namespace {

bool isAnnotatedAlike(const Annotation* a, const Annotation* b)
{
    if (!a || !b)
        return a == b;
    return a->inputs == b->inputs && a->output == b->output;
}

void addReannotated(std::vector<NodeId>& nodes, const Snapshot& before, const Snapshot& after,
                    const Graph& graph)
{
    if (!before.annotated || !after.annotated || before.annotated == after.annotated)
        return;
    for (const Node& node : *after.annotated->folded.graph) {
        if (graph.contains(node.id)
            && !isAnnotatedAlike(before.annotated->annotations.find(node.id),
                                 after.annotated->annotations.find(node.id)))
            nodes.push_back(node.id);
    }
}

} // namespace

std::vector<NodeId> changedNodes(const SnapshotPtr& before, const SnapshotPtr& after,
                                 StageKind stage)
{
    std::vector<NodeId> nodes;
    const GraphPtr newGraph = graphOf(after, stage);
    if (!before || !newGraph || stage == StageKind::Exported)
        return nodes;
    addReannotated(nodes, *before, *after, *newGraph);
    const GraphPtr oldGraph = graphOf(before, stage);
    if (!oldGraph || oldGraph == newGraph)
        return nodes;
    for (const GraphDifference& difference : diffGraphs(*oldGraph, *newGraph)) {
        const bool isHere = difference.kind == GraphDifference::Kind::Added
                            || difference.kind == GraphDifference::Kind::Changed;
        const Node* node = isHere ? newGraph->findByName(difference.node) : nullptr;
        if (node && std::find(nodes.begin(), nodes.end(), node->id) == nodes.end())
            nodes.push_back(node->id);
    }
    return nodes;
}

/// What a job makes scenes of.
struct SceneSource::Shown
{
    SnapshotPtr snapshot;
    std::vector<StageKind> stages;
    SnapshotPtr second; ///< null: nothing of a second recipe is shown
    std::vector<StageKind> secondStages;
    std::shared_ptr<const RecipeComparison> differences; ///< of the two
    std::string secondTitle;
    ModuleFolding modules;

    bool hasSameStages(const Shown& other) const
    {
        return snapshot == other.snapshot && stages == other.stages && second == other.second
               && secondStages == other.secondStages;
    }
    /// Stages one after the other, as scenes come.
    std::vector<std::pair<StageKind, bool>> panes() const
    {
        std::vector<std::pair<StageKind, bool>> all;
        for (const StageKind stage : stages)
            all.emplace_back(stage, false);
        for (const StageKind stage : secondStages)
            all.emplace_back(stage, true);
        return all;
    }
    /// Nodes of one of the recipes that are not treated alike.
    std::vector<NodeId> differing(bool isSecond) const
    {
        std::vector<NodeId> nodes;
        for (std::size_t i = 0; differences && i < differences->differences.size(); ++i) {
            if (const NodeId node = differences->differences[i].node[isSecond ? 1 : 0])
                nodes.push_back(node);
        }
        return nodes;
    }
};

/// What another focus needs again; jobs may outlive the source.
struct SceneSource::ModelCache
{
    std::mutex mutex;
    Shown shown;
    std::shared_ptr<const SceneModel> model;

    std::shared_ptr<const SceneModel> get(const Shown& wanted)
    {
        const std::lock_guard lock(mutex);
        if (!model || !shown.hasSameStages(wanted)) {
            model = nullptr;
            model = wanted.second
                        ? makeSceneModel({wanted.snapshot.get(), wanted.stages, wanted.snapshot},
                                         {wanted.second.get(), wanted.secondStages, wanted.second},
                                         wanted.modules)
                        : makeSceneModel(wanted.snapshot, wanted.stages, wanted.modules);
        } else if (shown.modules != wanted.modules) {
            model = makeSceneModel(*model, wanted.modules);
        }
        shown = wanted;
        return model;
    }
};

SceneSource::SceneSource(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_cache(std::make_shared<ModelCache>())
{
    connect(&session, &Session::snapshotChanged, this, &SceneSource::onSnapshot);
    connect(&session, &Session::modelChanged, this, &SceneSource::refresh);
    connect(&session.jobs(), &JobRunner::finished, this,
            [this](const JobState& job, bool wasCancelled) {
                // A replaced job is finished too, before its successor is known.
                if (job.tag == kTag && m_isOutdated && !wasCancelled)
                    refresh();
            });
    connect(&session.view(), &ViewState::changed, this, &SceneSource::refresh);
}

void SceneSource::setSecond(SecondRecipe& second)
{
    m_second = &second;
    connect(&second, &SecondRecipe::panesChanged, this, &SceneSource::refresh);
    connect(&second, &SecondRecipe::changed, this, [this] {
        const bool isAnotherShown =
            m_second->entered() != m_shownSecond || m_second->comparison() != m_shownDifferences;
        if (isAnotherShown && !m_second->panes().empty())
            onSnapshot();
    });
}

PaneContentPtr SceneSource::contentOf(StageKind stage, bool isSecond) const
{
    const auto it = m_contents.find({stage, isSecond});
    return it == m_contents.end() ? nullptr : it->second;
}

std::vector<Scene> SceneSource::scenes() const
{
    std::vector<Scene> scenes;
    const auto add = [&](const std::vector<StageKind>& stages, bool isSecond) {
        for (const StageKind stage : stages) {
            if (const PaneContentPtr content = contentOf(stage, isSecond))
                scenes.push_back(content->scene);
        }
    };
    add(m_session.view().stages(), false);
    if (m_second)
        add(m_second->panes(), true);
    return scenes;
}

void SceneSource::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    if (overlay == m_overlay)
        return;
    m_overlay = std::move(overlay);
    refresh();
}

bool SceneSource::isPending() const { return m_session.jobs().isRunning(kTag); }

void SceneSource::onSnapshot()
{
    if (isPending() && m_session.snapshot())
        m_isOutdated = true;
    else
        refresh();
}

void SceneSource::refresh()
{
    m_isOutdated = false;
    const SnapshotPtr snapshot = m_session.entered();
    if (!snapshot) {
        m_session.jobs().cancel(kTag);
        m_session.jobs().letGo(std::exchange(m_cache, std::make_shared<ModelCache>()));
        setContents({});
        return;
    }
    ViewOptions options = m_session.view().options();
    options.overlay = m_overlay;
    const Shown shown = whatToShow();
    m_shownSecond = shown.second;
    m_shownDifferences = shown.differences;
    m_session.jobs().start(
        Lane::Interactive, kTag, {},
        [this, shown, options, cache = m_cache, body = m_session.view().body(),
         previous = snapshotOfBody(m_session.previous(), m_session.view().body())](
            JobPort& port) -> Delivery {
            const auto model = cache->get(shown);
            auto scenes = buildScenes(*model, options, textMeasurer(), port.context());
            if (!scenes) {
                if (scenes.error().code == ErrorCode::Cancelled)
                    return {};
                const auto message = QString::fromStdString(scenes.error().message());
                return [this, message] { Q_EMIT failed(message); };
            }
            Contents contents;
            const auto panes = shown.panes();
            for (std::size_t i = 0; i < scenes->size(); ++i) {
                const auto& [stage, isSecond] = panes[i];
                Scene& scene = (*scenes)[i];
                if (isSecond)
                    scene.title += " · " + shown.secondTitle;
                // Beside a second recipe what the two make differently, else what the last edit changed.
                const bool isBeside = shown.second && stage != StageKind::Exported;
                contents[panes[i]] =
                    makePaneContent(std::move(scene), body, options.modules,
                                    isBeside ? shown.differing(isSecond)
                                             : changedNodes(previous, shown.snapshot, stage));
            }
            return [this, contents = std::move(contents)]() mutable {
                setContents(std::move(contents));
            };
        });
}

/// Once all have heard of it, nobody has the contents before.
void SceneSource::setContents(Contents contents)
{
    auto before = std::make_shared<Contents>(std::exchange(m_contents, std::move(contents)));
    Q_EMIT changed();
    m_session.jobs().letGo(std::move(before));
}

SceneSource::Shown SceneSource::whatToShow() const
{
    Shown shown;
    shown.snapshot = m_session.entered();
    shown.modules = m_session.view().options().modules;
    for (const StageKind stage : m_session.view().stages()) {
        if (shown.snapshot->graph(stage))
            shown.stages.push_back(stage);
    }
    const SnapshotPtr second = m_second ? m_second->entered() : nullptr;
    for (std::size_t i = 0; second && i < m_second->panes().size(); ++i) {
        const StageKind stage = m_second->panes()[i];
        if (second->graph(stage))
            shown.secondStages.push_back(stage);
    }
    if (!shown.secondStages.empty()) {
        shown.second = second;
        shown.differences = m_second->comparison();
        shown.secondTitle = m_second->title().toStdString();
    }
    return shown;
}

} // namespace pt2e::ui

#include "ui/canvas/SceneSource.h"

#include "core/ir/Diff.h"
#include "core/view/BodyView.h"
#include "ui/render/Fonts.h"

#include <algorithm>
#include <mutex>

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

/// What another focus needs again; jobs may outlive the source.
struct SceneSource::ModelCache
{
    std::mutex mutex;
    SnapshotPtr snapshot;
    std::vector<StageKind> stages;
    ModuleFolding modules;
    std::shared_ptr<const SceneModel> model;

    std::shared_ptr<const SceneModel> get(const SnapshotPtr& of,
                                          const std::vector<StageKind>& shown,
                                          const ModuleFolding& folding)
    {
        const std::lock_guard lock(mutex);
        if (!model || of != snapshot || shown != stages || folding != modules) {
            model = nullptr;
            model = makeSceneModel(of, shown, folding);
            snapshot = of;
            stages = shown;
            modules = folding;
        }
        return model;
    }

    void clear()
    {
        const std::lock_guard lock(mutex);
        model = nullptr;
        snapshot = nullptr;
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

PaneContentPtr SceneSource::contentOf(StageKind stage) const
{
    const auto it = m_contents.find(stage);
    return it == m_contents.end() ? nullptr : it->second;
}

std::vector<Scene> SceneSource::scenes() const
{
    std::vector<Scene> scenes;
    for (const StageKind stage : m_session.view().stages()) {
        if (const PaneContentPtr content = contentOf(stage))
            scenes.push_back(content->scene);
    }
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
        m_contents.clear();
        m_cache->clear();
        Q_EMIT changed();
        return;
    }
    std::vector<StageKind> stages;
    for (const StageKind stage : m_session.view().stages()) {
        if (snapshot->graph(stage))
            stages.push_back(stage);
    }
    ViewOptions options = m_session.view().options();
    options.overlay = m_overlay;
    m_session.jobs().start(
        Lane::Interactive, kTag, {},
        [this, snapshot, stages, options, cache = m_cache, body = m_session.view().body(),
         previous = snapshotOfBody(m_session.previous(), m_session.view().body())](
            JobPort& port) -> Delivery {
            const auto model = cache->get(snapshot, stages, options.modules);
            auto scenes = buildScenes(*model, options, textMeasurer(), port.context());
            if (!scenes) {
                if (scenes.error().code == ErrorCode::Cancelled)
                    return {};
                const auto message = QString::fromStdString(scenes.error().message());
                return [this, message] { Q_EMIT failed(message); };
            }
            std::map<StageKind, PaneContentPtr> contents;
            for (std::size_t i = 0; i < scenes->size(); ++i) {
                const StageKind stage = stages[i];
                contents[stage] = makePaneContent(std::move((*scenes)[i]), body, options.modules,
                                                  changedNodes(previous, snapshot, stage));
            }
            return [this, contents = std::move(contents)]() mutable {
                m_contents = std::move(contents);
                Q_EMIT changed();
            };
        });
}

} // namespace pt2e::ui

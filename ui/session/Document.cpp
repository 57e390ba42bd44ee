#include "ui/session/Document.h"

#include "core/pipeline/NodeNames.h"
#include "ui/session/EditCommand.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr std::pair<const char*, Direction> kDirections[] = {
    {"both", Direction::Both}, {"up", Direction::Up}, {"down", Direction::Down}};
constexpr std::pair<const char*, OverlayKind> kOverlays[] = {{"error", OverlayKind::Error},
                                                             {"engine", OverlayKind::Engine},
                                                             {"bytes", OverlayKind::Bytes},
                                                             {"time", OverlayKind::Time}};

/// The word of a value, empty if it has none.
template<typename T, std::size_t n>
std::string wordOf(const std::pair<const char*, T> (&words)[n], T value)
{
    for (const auto& [word, meaning] : words) {
        if (meaning == value)
            return word;
    }
    return {};
}

template<typename T, std::size_t n>
std::optional<T> meaningOf(const std::pair<const char*, T> (&words)[n], const std::string& word)
{
    for (const auto& [known, meaning] : words) {
        if (word == known)
            return meaning;
    }
    return std::nullopt;
}

constexpr StageKind kStages[] = {StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                                 StageKind::Calibrated, StageKind::Converted};

} // namespace

Document::Document(Session& session, Comparison& comparison, Overlays& overlays, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_comparison(comparison),
      m_overlays(overlays),
      m_hasher(std::make_shared<FileHasher>())
{
    // Behind the comparison, which forgets its data there.
    connect(&session, &Session::modelChanged, this, &Document::replace);
    const auto edit = [this] {
        if (m_session.model() != m_model || !m_model)
            return; // being replaced
        Q_EMIT edited();
        Q_EMIT titleChanged();
    };
    connect(&session.undoStack(), &QUndoStack::indexChanged, this, edit);
    connect(&session.undoStack(), &QUndoStack::cleanChanged, this, &Document::titleChanged);
    connect(&comparison, &Comparison::choiceChanged, this, edit);
    connect(&session.view(), &ViewState::changed, this, &Document::viewed);
    connect(&session.view(), &ViewState::inStepChanged, this, &Document::viewed);
    connect(&overlays, &Overlays::changed, this, &Document::viewed);
    connect(&session, &Session::snapshotChanged, this, &Document::restoreSelection);
    connect(&m_watch, &ModelWatch::changed, this, &Document::checkModelFile);
}

QString Document::name() const
{
    // The model that isModified() speaks of: while another one is being put in its place, both are of the one before.
    return m_path.isEmpty() ? Session::nameOf(m_model) : QFileInfo(m_path).fileName();
}

bool Document::isModified() const
{
    return m_model
           && (!m_session.undoStack().isClean() || m_comparison.choice() != m_savedEvaluation);
}

Project Document::project() const
{
    Project project;
    project.model = m_session.request();
    if (m_model && !m_model->path.empty())
        project.model.what =
            QFileInfo(QString::fromStdString(m_model->path)).absoluteFilePath().toStdString();
    project.recipe = m_session.recipe();
    project.marks = m_session.marks();
    project.evaluation = m_comparison.choice();
    project.hashes = m_hashes;
    const ViewState& view = m_session.view();
    for (const StageKind stage : view.stages())
        project.view.panes.emplace_back(stageName(stage));
    project.view.body = view.body();
    project.view.focus = view.options().focus;
    project.view.hops = view.options().hops;
    project.view.direction = wordOf(kDirections, view.options().direction);
    project.view.weights = view.options().weights;
    project.view.qdqOnEdges = view.options().qdqOnEdges;
    const ModuleFolding& modules = view.options().modules;
    project.view.modules = {modules.depth, modules.collapsed, modules.expanded, modules.repeats};
    project.view.inStep = view.arePanesInStep();
    if (m_overlays.kind())
        project.view.overlay = wordOf(kOverlays, *m_overlays.kind());
    return project;
}

JournalEntry Document::entry() const
{
    const QUndoStack& stack = m_session.undoStack();
    JournalEntry entry;
    entry.index = stack.index();
    entry.text = stack.undoText().toStdString();
    entry.time = QDateTime::currentMSecsSinceEpoch();
    entry.isModified = isModified();
    entry.projectFile = m_path.toStdString();
    entry.project = project();
    return entry;
}

std::vector<JournalStep> Document::history() const
{
    const QUndoStack& stack = m_session.undoStack();
    std::vector<JournalStep> steps;
    for (int i = 0; i < stack.count(); ++i) {
        const auto* command = dynamic_cast<const EditCommand*>(stack.command(i));
        if (!command)
            continue; // nothing else is ever pushed
        if (steps.empty())
            steps.push_back({{}, command->before().recipe, command->before().marks});
        steps.push_back(
            {command->text().toStdString(), command->after().recipe, command->after().marks});
    }
    if (steps.empty())
        steps.push_back({{}, m_session.recipe(), m_session.marks()});
    return steps;
}

/// A model is there, or none: what was said of the one before is no longer true.
void Document::replace()
{
    m_model = m_session.model();
    const Wanted wanted = m_incoming.value_or(Wanted());
    m_comparison.restoreChoice(wanted.project.evaluation);
    m_path = wanted.path;
    m_hashes = wanted.project.hashes;
    const bool wasModified = wanted.isReload && m_comparison.choice() != m_savedEvaluation;
    if (!wasModified)
        m_savedEvaluation = m_comparison.choice();
    if (wanted.isModified)
        m_session.undoStack().resetClean();
    m_watch.watch(m_model && !m_model->path.empty()
                      ? QFileInfo(QString::fromStdString(m_model->path)).absoluteFilePath()
                      : QString());
    if (!wanted.isReload) {
        m_selected.clear();
        Q_EMIT replaced(wanted.isRecovered);
    }
    Q_EMIT titleChanged();
    if (m_model && !m_incoming)
        hashModel();
}

/// `isOtherModel`: what it does not have is not looked for.
void Document::showView(const ProjectView& wanted, bool isOtherModel)
{
    ViewState& view = m_session.view();
    ViewOptions options = view.options();
    options.focus = wanted.focus;
    options.hops = wanted.hops;
    options.direction = meaningOf(kDirections, wanted.direction).value_or(Direction::Both);
    options.weights = wanted.weights;
    options.qdqOnEdges = wanted.qdqOnEdges;
    if (const auto& modules = wanted.modules)
        options.modules = {modules->depth, modules->collapsed, modules->expanded, modules->repeats};
    options.revealed.clear();
    const NodeNames names(*m_model->exported);
    const auto isThere = [&](const std::string& body) {
        return body.empty()
               || std::any_of(
                   names.entries().begin(), names.entries().end(),
                   [&](const NodeNames::Entry& entry) { return entry.prefix == body + "/"; });
    };
    std::string body = wanted.body;
    if (!isThere(body)) {
        body.clear();
        options.focus.clear();
    }
    if (isOtherModel)
        std::erase_if(options.focus, [&](const std::string& node) {
            return !names.find(body.empty() ? node : body + "/" + node);
        });
    std::vector<StageKind> stages;
    for (const std::string& pane : wanted.panes) {
        for (const StageKind stage : kStages) {
            if (stageName(stage) == pane)
                stages.push_back(stage);
        }
    }
    view.restore(options, body, m_session.isQuantizedFile() ? std::vector<StageKind>() : stages);
    view.setPanesInStep(wanted.inStep);
    m_overlays.show(meaningOf(kOverlays, wanted.overlay));
}

/// Before the model is read again: what is selected, by name.
void Document::rememberSelection()
{
    const Selection& selection = m_session.selection();
    const GraphPtr graph = graphOf(m_session.entered(), selection.stage());
    m_selectedStage = selection.stage();
    m_selected.clear();
    for (const NodeId id : selection.nodes()) {
        if (const Node* node = graph ? graph->find(id) : nullptr)
            m_selected.push_back(node->name);
    }
}

/// Once the stage is there. What the user selects meanwhile stays.
void Document::restoreSelection()
{
    if (m_selected.empty())
        return;
    Selection& selection = m_session.selection();
    const GraphPtr graph = graphOf(m_session.entered(), m_selectedStage);
    if (!selection.isEmpty()) {
        m_selected.clear();
    } else if (graph) {
        std::vector<NodeId> nodes;
        for (const std::string& name : std::exchange(m_selected, {})) {
            if (const Node* node = graph->findByName(name))
                nodes.push_back(node->id);
        }
        selection.select(m_selectedStage, std::move(nodes));
    }
}

} // namespace pt2e::ui

#include "ui/session/NodeValues.h"

#include <mutex>
#include <utility>

namespace pt2e::ui {

const QString NodeValues::kTag = QStringLiteral("values");

struct NodeValues::Shared
{
    std::mutex mutex;
    std::unique_ptr<ValueProbe> probe;
    std::shared_ptr<const ConvertedGraph> converted; ///< what the probe is of
    std::shared_ptr<ComparedSamples> samples;

    /// The data of the comparison; before the first one those that it would take.
    Result<void> prepare(const SnapshotPtr& snapshot,
                         const std::shared_ptr<ComparedSamples>& wanted,
                         const EvaluationChoice& choice)
    {
        if (probe && converted == snapshot->converted && samples == wanted)
            return {};
        probe = nullptr;
        constexpr int kThreads = 1; // a few batches: not worth sharing out
        if (wanted) {
            const std::lock_guard lock(wanted->mutex);
            PT2E_ASSIGN(probe, ValueProbe::make(snapshot, wanted->reader.data(), kThreads));
        } else {
            PT2E_ASSIGN(const auto data,
                        evaluationData(*snapshot->model, snapshot->recipe.calibration, choice));
            PT2E_ASSIGN(probe, ValueProbe::make(snapshot, *data, kThreads));
        }
        converted = snapshot->converted;
        samples = wanted;
        return {};
    }
};

NodeValues::NodeValues(Session& session, Comparison& comparison, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_comparison(comparison),
      m_shared(std::make_shared<Shared>())
{
    connect(&session.selection(), &Selection::changed, this, &NodeValues::refresh);
    connect(&session, &Session::snapshotChanged, this, &NodeValues::refresh);
    connect(&comparison, &Comparison::changed, this, &NodeValues::refresh);
    connect(&session, &Session::modelChanged, this, [this] {
        m_session.jobs().cancel(kTag);
        m_isWanted = false;
        m_shared = std::make_shared<Shared>();
        m_report = nullptr;
        m_node = {};
        Q_EMIT changed();
    });
}

NodeValues::~NodeValues() = default;

bool NodeValues::isMeasurable() const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const NodeId node = m_session.selection().current();
    if (!snapshot || !snapshot->converted || !node || m_session.isQuantizedFile())
        return false;
    const Node* found = nullptr;
    for (const StageKind stage :
         {StageKind::Exported, StageKind::Annotated, StageKind::Prepared, StageKind::Converted}) {
        const GraphPtr graph = snapshot->graph(stage);
        found = found ? found : graph ? graph->find(node) : nullptr;
    }
    return found && !found->is(OpKind::GetAttr) && !found->is(OpKind::Output);
}

void NodeValues::measure()
{
    m_isWanted = true;
    m_node = {};
    refresh();
}

void NodeValues::refresh()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const bool couldMeasure = std::exchange(m_couldMeasure, isMeasurable());
    const bool isOn = (m_isWanted || m_comparison.report()) && m_couldMeasure;
    const NodeId node = isOn ? m_session.selection().current() : NodeId{};
    const auto converted = isOn ? snapshot->converted : nullptr;
    if (node == m_node && converted == m_converted && m_comparison.samples() == m_samples) {
        if (couldMeasure != m_couldMeasure)
            Q_EMIT changed();
        return;
    }
    m_node = node;
    m_converted = converted;
    m_samples = m_comparison.samples();
    m_report = nullptr;
    m_problem.clear();
    if (isOn)
        start(node, snapshot);
    else
        m_session.jobs().cancel(kTag);
    Q_EMIT changed();
}

void NodeValues::start(NodeId node, SnapshotPtr snapshot)
{
    m_session.jobs().start(
        Lane::Interactive, kTag, {},
        [this, node, snapshot = std::move(snapshot), shared = m_shared, samples = m_samples,
         choice = m_comparison.choice()](JobPort& port) -> Delivery {
            const std::lock_guard lock(shared->mutex);
            const auto measured = [&]() -> Result<ValueReport> {
                PT2E_TRY(shared->prepare(snapshot, samples, choice));
                PT2E_TRY(port.context().checkpoint());
                return shared->probe->measure(node, port.context());
            }();
            if (!measured && measured.error().code == ErrorCode::Cancelled)
                return {};
            const auto report = measured ? std::make_shared<const ValueReport>(*measured) : nullptr;
            const QString problem =
                measured ? QString() : QString::fromStdString(measured.error().message());
            return [this, report, problem] {
                m_report = report;
                m_problem = problem;
                Q_EMIT changed();
            };
        });
}

} // namespace pt2e::ui

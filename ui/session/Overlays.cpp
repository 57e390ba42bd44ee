#include "ui/session/Overlays.h"

namespace pt2e::ui {

Overlays::Overlays(Session& session, Comparison& comparison, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_comparison(comparison)
{
    connect(&session, &Session::snapshotChanged, this, &Overlays::refresh);
    connect(&comparison, &Comparison::changed, this, &Overlays::refresh);
}

void Overlays::show(std::optional<OverlayKind> kind)
{
    if (kind == m_kind)
        return;
    m_kind = kind;
    m_overlay = make();
    Q_EMIT changed();
}

void Overlays::setQuestion(ErrorQuestion question)
{
    if (question == m_question)
        return;
    m_question = question;
    m_overlay = make();
    Q_EMIT changed();
}

bool Overlays::needsComparison() const
{
    return m_kind && *m_kind != OverlayKind::Bytes && !m_comparison.report();
}

bool Overlays::isStale() const
{
    return m_overlay && *m_kind != OverlayKind::Bytes && m_comparison.isStale();
}

void Overlays::refresh()
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const auto converted = snapshot ? snapshot->converted : nullptr;
    if (m_report != m_comparison.report() || m_converted != converted) {
        m_report = m_comparison.report();
        m_converted = converted;
        m_overlay = make();
    }
    if (m_kind)
        Q_EMIT changed();
}

OverlayPtr Overlays::make() const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    const auto& report = m_comparison.report();
    if (!m_kind || !snapshot || !snapshot->converted) // not run, or covered
        return nullptr;
    switch (*m_kind) {
    case OverlayKind::Error:
        return report ? std::make_shared<const Overlay>(errorOverlay(*report, m_question))
                      : nullptr;
    case OverlayKind::Engine:
        return report ? std::make_shared<const Overlay>(engineOverlay(*report)) : nullptr;
    case OverlayKind::Time:
        return report ? std::make_shared<const Overlay>(timeOverlay(*report)) : nullptr;
    case OverlayKind::Bytes:
        return std::make_shared<const Overlay>(bytesOverlay(*snapshot->converted->graph));
    }
    return nullptr;
}

} // namespace pt2e::ui

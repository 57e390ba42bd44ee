// Which figures are laid over the operators in the panes. Made from the comparison and the converted graph; GUI thread.
#pragma once

#include "core/view/Overlay.h"
#include "ui/session/Comparison.h"

#include <QObject>

#include <optional>

namespace pt2e::ui {

class Overlays : public QObject
{
    Q_OBJECT
public:
    Overlays(Session& session, Comparison& comparison, QObject* parent = nullptr);

    /// Nothing: no overlay is wanted.
    std::optional<OverlayKind> kind() const { return m_kind; }
    ErrorQuestion question() const { return m_question; }
    void show(std::optional<OverlayKind> kind);
    void setQuestion(ErrorQuestion question);

    /// Null where none is wanted or its figures are not known yet.
    const OverlayPtr& overlay() const { return m_overlay; }
    /// It is wanted, and a comparison has to be made for it.
    bool needsComparison() const;
    /// The recipe has changed since its figures were measured.
    bool isStale() const;

Q_SIGNALS:
    void changed(); ///< any of the above

private:
    void refresh();
    OverlayPtr make() const;

    Session& m_session;
    Comparison& m_comparison;
    std::optional<OverlayKind> m_kind;
    ErrorQuestion m_question = ErrorQuestion::Alone;
    OverlayPtr m_overlay;
    /// What m_overlay was made from.
    std::shared_ptr<const CompareReport> m_report;
    std::shared_ptr<const ConvertedGraph> m_converted;
};

} // namespace pt2e::ui

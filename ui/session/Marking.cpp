#include "ui/session/Marking.h"

#include <QCoreApplication>

namespace pt2e::ui {

std::string markableNode(const Session& session)
{
    const Selection& selection = session.selection();
    const GraphPtr exported = graphOf(session.entered(), StageKind::Exported);
    const GraphPtr graph = graphOf(session.entered(), selection.stage());
    if (!exported || !graph || selection.isEmpty())
        return {};
    const Node* chosen = graph->find(selection.current());
    const Node* node = chosen ? exported->findByName(chosen->name) : nullptr;
    const std::vector<NodeId>& origins = selection.nodesIn(StageKind::Exported);
    if (!node && !origins.empty())
        node = exported->find(origins.back());
    if (!node)
        return {};
    const std::string& body = session.view().body();
    return body.empty() ? node->name : body + "/" + node->name;
}

bool toggleBookmark(Session& session)
{
    const std::string node = markableNode(session);
    if (node.empty())
        return false;
    const bool isWanted = !session.marks().isBookmarked(node);
    const QString text = isWanted ? QCoreApplication::translate("Marking", "Bookmark %1")
                                  : QCoreApplication::translate("Marking", "No bookmark on %1");
    session.changeMarks(session.marks().withBookmark(node, isWanted),
                        text.arg(QString::fromStdString(node)));
    return true;
}

} // namespace pt2e::ui

// The annotation of a node as a form: per input and for the output, what is quantized there and how.
#pragma once

#include "ui/models/NodeFacts.h"
#include "ui/session/Session.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace pt2e::ui {

class AnnotationForm : public QWidget
{
    Q_OBJECT
public:
    explicit AnnotationForm(Session& session, QWidget* parent = nullptr);

    void setFacts(const NodeFacts& facts);

    /// Values of the rows' combo boxes (item data).
    enum Choice { AsQuantizerSaid, Keep, None, ObserveInt8, Other };

private:
    void addRow(QGridLayout* grid, int row, const PointFact& fact);
    void addSharing(QGridLayout* grid, int row);
    void choose(const PointFact& fact, Choice choice);
    void applyToAll(const QString& text,
                    const std::function<Recipe(Recipe, const PointFact&)>& change);
    void openDialog(const PointFact& fact);
    void keepInFloat();
    void takeFromOther();
    void applyEdits(const std::vector<Edit>& edits);
    void becomeRule();
    void reset();

    Session& m_session;
    NodeFacts m_facts;
    QWidget* m_rows = nullptr;
    QLabel* m_note = nullptr; ///< of m_rows
};

} // namespace pt2e::ui

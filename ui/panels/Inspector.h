// The selected node, or the model where none is: its call, value and place in the module; its annotation to edit; its values; what it is in the
// other stages; users and metadata.
#pragma once

#include "ui/models/NodeFacts.h"
#include "ui/panels/Section.h"
#include "ui/session/Session.h"

#include <QFrame>

namespace pt2e::ui {

class AnnotationForm;
class ModelPage;
class ObservedPart;

class Inspector : public QFrame
{
    Q_OBJECT
public:
    explicit Inspector(Session& session, QWidget* parent = nullptr);

    const NodeFacts& facts() const { return m_facts; }
    /// Where nodes of the converted graph ran, once a comparison has been made; empty: not known.
    void setEngineSource(std::function<QString(const std::vector<NodeId>&)> source);

    /// A part of the page for a node, behind its values; the inspector owns it from now on.
    void addPart(QWidget* part);

public Q_SLOTS:
    /// Shows the selected node. While a calibration runs only the values are new; nothing else is built again then,
    /// so that a list that is open stays open.
    void refresh();
    /// All of it: language, colours or the engine's answer have changed.
    void rebuild();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void showHead();
    void showAnnotation();
    void showAcross();
    void showUsersAndMeta();
    QWidget* linkRow(const QString& text, StageKind stage, const std::vector<NodeId>& nodes);

    Session& m_session;
    NodeFacts m_facts;
    SnapshotPtr m_built; ///< what the parts other than the values were built from
    std::function<QString(const std::vector<NodeId>&)> m_engineOf;

    QLabel* m_empty;
    ModelPage* m_modelPage;
    QWidget* m_page;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLabel* m_call;
    QLabel* m_value;
    QLabel* m_whyNot;
    Section m_annotation;
    AnnotationForm* m_form;
    ObservedPart* m_observed;
    Section m_across;
    QGridLayout* m_acrossGrid;
    Section m_users;
    QGridLayout* m_usersGrid;
    Section m_meta;
    QGridLayout* m_metaGrid;
};

} // namespace pt2e::ui

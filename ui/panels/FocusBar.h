// What the panes show of the graph: focus nodes as chips, hops, direction, switches, back and forward.
#pragma once

#include "ui/session/Session.h"

#include <QFrame>

#include <span>
#include <string>

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStringListModel;
class QToolButton;

namespace pt2e::ui {

class FocusBar : public QFrame
{
    Q_OBJECT
public:
    explicit FocusBar(Session& session, QWidget* parent = nullptr);

    /// Puts the keyboard where a focus node's name is typed.
    void startTyping();
    /// Puts a further control beside the switches.
    void addTool(QWidget* tool);

    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void arrange();
    int groupWidth(int index) const;
    void refresh();
    void addRest(std::span<const std::string> names);
    void refreshNames();
    void retranslate();
    void changeOptions(const std::function<void(ViewOptions&)>& change);

    Session& m_session;
    QLabel* m_label;
    QBoxLayout* m_groups = nullptr;
    QHBoxLayout* m_what = nullptr; ///< the switches, from m_toolAt on what was added
    int m_toolAt = 0;
    QHBoxLayout* m_chips;
    QLineEdit* m_entry;
    QStringListModel* m_names;
    std::vector<GraphPtr>
        m_namedGraphs; ///< those whose node names m_names has, once a name is typed
    QLabel* m_hopsLabel;
    QSpinBox* m_hops;
    QComboBox* m_direction;
    QCheckBox* m_weights;
    QCheckBox* m_qdqOnEdges;
    QCheckBox* m_inStep;
    QToolButton* m_back;
    QToolButton* m_forward;
};

} // namespace pt2e::ui

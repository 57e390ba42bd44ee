// Part of the inspector: bookmark and note of the selected node.
#pragma once

#include "ui/panels/Section.h"
#include "ui/session/Session.h"

#include <QTimer>
#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace pt2e::ui {

class MarksPart : public QWidget
{
    Q_OBJECT
public:
    explicit MarksPart(Session& session, QWidget* parent = nullptr);
    /// What is typed becomes an edit when typing rests, when the field is left or when another node is selected.
    void commit();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refresh();
    void retranslate();
    void fitNote();

    Session& m_session;
    Section m_section;
    QPushButton* m_bookmark;
    QPlainTextEdit* m_note;
    QTimer m_rest;
    std::string m_node; ///< that is shown
    int m_sitting = 0; ///< edits of one sitting at a note are one step of undo
    bool m_isRefreshing = false;
};

} // namespace pt2e::ui

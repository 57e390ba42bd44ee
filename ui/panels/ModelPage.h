// The inspector's page while no node is selected: the program, what became int8, and its ops.
#pragma once

#include "ui/panels/Section.h"
#include "ui/session/Session.h"

#include <QWidget>

namespace pt2e::ui {

struct ModelFacts;

class ModelPage : public QWidget
{
    Q_OBJECT
public:
    explicit ModelPage(Session& session, QWidget* parent = nullptr);
    /// Builds it again from the session's snapshot, which must be there.
    void refresh();

private:
    void showProgram(const ModelFacts& facts);
    void showQuantized(const ModelFacts& facts);
    void showOps(const ModelFacts& facts);
    void addText(QGridLayout* grid, const QString& name, const QString& text);

    Session& m_session;
    QLabel* m_title;
    QLabel* m_origin;
    QLabel* m_hint;
    Section m_program;
    QGridLayout* m_programGrid;
    Section m_quantized;
    QGridLayout* m_quantizedGrid;
    Section m_ops;
    QGridLayout* m_opsGrid;
};

} // namespace pt2e::ui

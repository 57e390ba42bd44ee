// One arrow of the stage strip: title, detail and a state. Passive: setters in, clicked() out.
#pragma once

#include <QAbstractButton>

namespace pt2e::ui {

class StageArrow : public QAbstractButton
{
    Q_OBJECT
public:
    enum class State : std::uint8_t { Waiting, Running, Done, Covered, Failed, Alarm };

    explicit StageArrow(bool isFirst, QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& detail);
    void setState(State state);
    State state() const { return m_state; }
    QString detail() const { return m_detail; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_isFirst;
    State m_state = State::Waiting;
    QString m_detail;
};

} // namespace pt2e::ui

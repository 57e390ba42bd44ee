// What the window has to tell and offer, above everything else until it is answered: work to recover, a changed file.
#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace pt2e::ui {

struct Notice
{
    struct Answer
    {
        QString id; ///< "recover": the button's object name is "notice.recover"
        std::function<QString()> text;
        std::function<void()> action; ///< the notice goes first
    };
    QString id; ///< another notice of the same id is replaced
    std::function<QString()> text; ///< asked again when the language changes
    std::vector<Answer> answers; ///< the first one is what most people want
};

class NoticeBar : public QWidget
{
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);
    void show(Notice notice);
    void remove(const QString& id);
    /// Null if there is none.
    const Notice* find(const QString& id) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();

    std::vector<Notice> m_notices; ///< oldest first
    QVBoxLayout* m_rows;
};

} // namespace pt2e::ui

// Bookmarks and notes among the tables; a row selects its node.
#pragma once

#include "ui/panels/SingleTablePage.h"

class QLabel;

namespace pt2e::ui {

class MarksPage : public SingleTablePage
{
    Q_OBJECT
public:
    explicit MarksPage(Session& session, QWidget* parent = nullptr);

    QString title() const override;

protected:
    void retranslate() override { refresh(); }

private:
    void refresh();

    QLabel* m_none;
};

} // namespace pt2e::ui

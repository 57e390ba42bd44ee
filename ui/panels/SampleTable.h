// Samples with their pictures. Pictures are read by a job when their rows come into sight.
#pragma once

#include "ui/models/SampleModel.h"
#include "ui/session/Comparison.h"

#include <QTableView>
#include <QTimer>

namespace pt2e::ui {

class SampleTable : public QTableView
{
    Q_OBJECT
public:
    SampleTable(Session& session, Comparison& comparison, QWidget* parent = nullptr);

    const SampleModel& samples() const { return *m_model; }
    /// Pictures are kept while the report is the same.
    void setSamples(std::vector<Flip> samples, std::vector<std::string> classNames);
    void retranslate() { m_model->retranslate(); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void fetchVisible();
    void sizeColumns();

    static constexpr int kSide = 36; ///< of a picture
    Session& m_session;
    Comparison& m_comparison;
    SampleModel* m_model;
    QTimer m_fetch;
    std::shared_ptr<ComparedSamples> m_source; ///< what the pictures are of
};

} // namespace pt2e::ui

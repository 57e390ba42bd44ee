#include "ui/panels/SampleTable.h"

#include "ui/charts/SamplePicture.h"
#include "ui/session/Appearance.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>

namespace pt2e::ui {

namespace {
const QString kTag = QStringLiteral("sample-pictures");
}

SampleTable::SampleTable(Session& session, Comparison& comparison, QWidget* parent)
    : QTableView(parent),
      m_session(session),
      m_comparison(comparison),
      m_model(new SampleModel(this))
{
    setModel(m_model);
    setObjectName(QStringLiteral("sampleTable"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false); // the arrows move; Tab goes on to what is next
    setShowGrid(false);
    setMinimumWidth(310);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setIconSize({kSide, kSide});
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kSide + 6);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_fetch.setSingleShot(true);
    m_fetch.setInterval(0);
    connect(&m_fetch, &QTimer::timeout, this, &SampleTable::fetchVisible);
    connect(&Appearance::instance(), &Appearance::changed, this, [this] {
        m_model->clearPictures(); // lines are drawn in the theme's ink
        m_fetch.start();
    });
}

void SampleTable::setSamples(std::vector<Flip> samples, std::vector<std::string> classNames)
{
    if (m_source != m_comparison.samples())
        m_model->clearPictures();
    m_source = m_comparison.samples();
    m_model->setSamples(std::move(samples), std::move(classNames));
    scrollToTop();
    sizeColumns();
    m_fetch.start();
}

/// As wide as titles and names are; where there is no room for that the table scrolls, and only a very long name is
/// elided. The last column takes what is left.
void SampleTable::sizeColumns()
{
    constexpr int kHeadPadding = 6; // of a title, more than a cell has
    constexpr int kPadding = 20; // the style sheet's and the frame's, both sides
    constexpr int kMostRows = 200;
    const int most = fontMetrics().horizontalAdvance(QLatin1Char('m')) * 14;
    int left = viewport()->width();
    for (int column = 0; column < SampleModel::ColumnCount; ++column) {
        int widest = 0;
        for (int row = 0; row < std::min(m_model->rowCount(), kMostRows); ++row)
            widest = std::max(widest, fontMetrics().horizontalAdvance(
                                          m_model->index(row, column).data().toString()));
        if (column == SampleModel::Sample)
            widest += kSide;
        const int title =
            kHeadPadding
            + fontMetrics().horizontalAdvance(
                m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        const bool isLast = column == SampleModel::ColumnCount - 1;
        const int width = std::max(std::min(widest, most), title) + kPadding;
        setColumnWidth(column, isLast ? std::max(width, left) : width);
        left -= width;
    }
}

void SampleTable::fetchVisible()
{
    if (!m_source || !isVisible() || m_model->rowCount() == 0)
        return;
    const int first = std::max(0, rowAt(0));
    const int last = rowAt(viewport()->height() - 1);
    std::vector<std::int64_t> wanted;
    for (int row = first; row <= (last < 0 ? m_model->rowCount() - 1 : last); ++row) {
        const std::int64_t sample = m_model->samples()[static_cast<std::size_t>(row)].sample;
        if (!m_model->hasPicture(sample))
            wanted.push_back(sample);
    }
    if (wanted.empty())
        return;
    const double ratio = devicePixelRatioF();
    m_session.jobs().start(
        Lane::Interactive, kTag, {},
        [this, wanted, ratio, source = m_source,
         ink = Appearance::instance().color(ColorRole::QuantText)](JobPort& port) -> Delivery {
            for (const std::int64_t sample : wanted) {
                if (port.context().isCancelled())
                    return {};
                QImage image;
                {
                    const std::lock_guard lock(source->mutex);
                    const Result<Tensor> values = source->reader.read(sample);
                    if (values)
                        image = samplePicture(*values, source->format,
                                              static_cast<int>(kSide * ratio), ink);
                }
                image.setDevicePixelRatio(ratio);
                port.publish([this, source, sample, image] {
                    if (source == m_source) // an empty one, too: it is not asked for again
                        m_model->setPicture(sample, QPixmap::fromImage(image));
                });
            }
            return {};
        });
}

void SampleTable::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    if (dy != 0)
        m_fetch.start();
}

void SampleTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    sizeColumns();
    m_fetch.start();
}

void SampleTable::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    m_fetch.start();
}

void SampleTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_model)
        m_model->retranslate();
    if (event->type() == QEvent::FontChange && m_model)
        sizeColumns();
}

} // namespace pt2e::ui

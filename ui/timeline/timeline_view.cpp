#include <olab/ui/timeline_view.h>

#include "timeline/search_bar.h"
#include "timeline/time_strips.h"

#include <QGridLayout>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>

namespace olab {

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent)
    , m_canvas(new TimelineCanvas(this))
    , m_minimap(new Minimap(*m_canvas, this))
    , m_search(new SearchBar(*m_canvas, this))
    , m_legend(new Legend(this))
    , m_bar(new QScrollBar(Qt::Vertical, this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_minimap, 0, 0);
    grid->addWidget(new Ruler(*m_canvas, this), 1, 0);
    grid->addWidget(m_canvas, 2, 0);
    grid->addWidget(m_bar, 2, 1);
    grid->addWidget(m_search, 3, 0, 1, 2);
    grid->addWidget(m_legend, 4, 0, 1, 2);
    grid->setRowStretch(2, 1);
    grid->setColumnStretch(0, 1);
    setFocusProxy(m_canvas);
    connect(m_bar, &QScrollBar::valueChanged, m_canvas, &TimelineCanvas::setScroll);
    connect(m_canvas, &TimelineCanvas::searchRequested, m_search, &SearchBar::open);
    connect(m_canvas, &TimelineCanvas::searchStepRequested, m_search, &SearchBar::step);
    connect(m_canvas, &TimelineCanvas::scrollRangeChanged, this, &TimelineView::syncScrollBar);
}

void TimelineView::setShown(const ShownPtr& shown) {
    m_canvas->setShown(shown);
    m_minimap->forget();
    m_legend->setShown(shown);
    m_search->restart();
}

void TimelineView::syncScrollBar() {
    const QSignalBlocker quiet(m_bar);
    const int hidden = std::max(m_canvas->contentHeight() - m_canvas->height(), 0);
    m_bar->setRange(0, hidden);
    m_bar->setPageStep(m_canvas->height());
    m_bar->setSingleStep(20);
    m_bar->setValue(m_canvas->scroll());
    m_bar->setVisible(hidden > 0);
}

} // namespace olab

#include "timeline/canvas/scroll_bar.h"

#include "timeline/rows/timeline_rows.h"

#include <olab/ui/timeline_canvas.h>

#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>

namespace olab::ui {

QScrollBar* makeScrollBar(TimelineCanvas& canvas, QWidget* parent) {
    auto* bar = new QScrollBar(Qt::Vertical, parent);
    bar->setSingleStep(20);
    QObject::connect(bar, &QScrollBar::valueChanged, &canvas.rows(), &TimelineRows::setScroll);
    QObject::connect(&canvas, &TimelineCanvas::scrollRangeChanged, bar, [bar, &canvas] {
        const QSignalBlocker quiet(bar);
        const int hidden = std::max(canvas.rows().layout().height - canvas.height(), 0);
        bar->setRange(0, hidden);
        bar->setPageStep(canvas.height());
        bar->setValue(canvas.rows().scroll());
        bar->setVisible(hidden > 0);
    });
    return bar;
}

} // namespace olab::ui

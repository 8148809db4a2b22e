#include "timeline/canvas/event_marks.h"

#include <olab/analysis/facts.h>
#include <olab/ui/theme.h>

#include <QPainter>

#include <algorithm>
#include <array>

namespace olab::ui {

namespace {

constexpr std::size_t kMostStreamCalls = 200'000;

/// `area`: of the mark.
void paintDiamond(QPainter& painter, const QRect& area, bool isWait, const Theme& theme) {
    const QPointF middle = QRectF(area).center();
    const double half = area.width() / 2.0;
    painter.setPen(QPen(isWait ? theme.text : theme.base, 1));
    painter.setBrush(isWait ? theme.base : theme.text);
    painter.drawPolygon(QPolygonF({middle - QPointF(half, 0), middle - QPointF(0, half),
                                   middle + QPointF(half, 0), middle + QPointF(0, half)}));
}

} // namespace

std::vector<view::EventMark> eventMarksOf(const analysis::Facts& facts) {
    return facts.trace().streamCalls().size() > kMostStreamCalls ? std::vector<view::EventMark>()
                                                                 : view::eventMarks(facts);
}

std::vector<SeenEvent> seenEvents(std::span<const view::EventMark> marks, const EventRow& row,
                                  const std::function<int(Ns)>& xOf) {
    const std::span ofStream(std::ranges::lower_bound(marks, row.queue, {}, &view::EventMark::queue),
                             std::ranges::upper_bound(marks, row.queue, {}, &view::EventMark::queue));
    const auto inView = [&](const view::EventMark& mark) { return mark.time <= row.visible.end; };
    std::vector<SeenEvent> seen;
    int free = row.left;
    for (auto at = std::ranges::lower_bound(ofStream, row.visible.begin, {}, &view::EventMark::time);;) {
        at = std::partition_point(at, ofStream.end(),
                                  [&](const view::EventMark& mark) { return xOf(mark.time) < free; });
        if (at == ofStream.end() || !inView(*at))
            return seen;
        const int x = xOf(at->time);
        seen.push_back({&*at, QRect(x - row.size / 2, row.foot - row.size / 2 * 2 - 1, row.size, row.size)});
        free = x + row.size;
    }
}

void paintEvents(QPainter& painter, std::span<const SeenEvent> events, const Theme& theme) {
    if (events.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [mark, area] : events)
        paintDiamond(painter, area, mark->isWait, theme);
    painter.restore();
}

void paintEventSwatch(QPainter& painter, const QRect& area, const Theme& theme) {
    const int size = std::min(area.height(), area.width() / 2);
    const view::EventMark recorded{}, waited{.isWait = true};
    const QRect first(area.x(), area.center().y() - size / 2, size, size);
    const std::array<SeenEvent, 2> both{{{&recorded, first}, {&waited, first.translated(size + 1, 0)}}};
    paintEvents(painter, both, theme);
}

} // namespace olab::ui

#include "timeline/canvas/event_marks.h"

#include <olab/analysis/facts.h>
#include <olab/trace/lanes.h>
#include <olab/ui/theme.h>

#include <QPainter>

#include <algorithm>
#include <array>

namespace olab::ui {

namespace {

constexpr int kWidest = 2; // more columns are seen as they are

/// Columns [begin, end) with work too short for a bar.
struct ShortRun {
    int begin, end;
};

std::vector<ShortRun> shortRunsOf(const view::StripView& strip, int count) {
    std::vector<ShortRun> runs;
    for (int x = 0; x < count; ++x) {
        if (!strip.hasTick(x))
            continue;
        if (runs.empty() || runs.back().end < x)
            runs.push_back({x, x});
        runs.back().end = x + 1;
    }
    return runs;
}

} // namespace

std::vector<ShortMark> shortMarks(const view::StripView& strip, const view::ViewColumns& columns, int apart) {
    std::vector<ShortMark> marks;
    if (!isOfDevice(strip.strip().lane->kind) || strip.strip().depth > 0)
        return marks;
    const std::vector<ShortRun> runs = shortRunsOf(strip, columns.count());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool isAlone = (i == 0 || runs[i].begin - runs[i - 1].end >= apart) &&
                             (i + 1 == runs.size() || runs[i + 1].begin - runs[i].end >= apart);
        if (!isAlone || runs[i].end - runs[i].begin > kWidest)
            continue;
        const Interval time{columns[runs[i].begin].begin, columns[runs[i].end - 1].end};
        const auto [first, last] = strip.strip().candidates(time);
        for (std::size_t at = first; at < last; ++at) {
            const Interval own = strip.strip().times[at];
            const bool isBar = own.length() >= std::max<Ns>(columns.view.lengthOf(2), 1);
            if (isBar || own.end < time.begin)
                continue;
            marks.push_back({runs[i].begin, strip.strip().activities[at]});
            break;
        }
    }
    return marks;
}

QPolygon arrowAt(int x, int foot, int height) {
    return QPolygon({{x - height + 1, foot - height}, {x + height, foot - height}, {x + 1, foot}, {x, foot}});
}

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

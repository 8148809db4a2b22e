#include "timeline/canvas/canvas_steps.h"

#include "timeline/rows/timeline_rows.h"

#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>

#include <algorithm>

namespace olab::ui {

namespace {

void fitTime(TimelineCanvas& canvas, Interval time, Ns leastAir) {
    const Ns air = std::max(time.length() / 8, leastAir);
    canvas.showRange({time.begin - air, time.end + air});
}

} // namespace

void fitSelection(TimelineCanvas& canvas) {
    const view::Selection& selection = canvas.selection();
    if (selection.picked() == view::Selection::Picked::Range && selection.range())
        fitTime(canvas, *selection.range(), 10);
    else if (selection.activity())
        canvas.zoomTo(*selection.activity());
    else
        selection.gap() ? fitTime(canvas, selection.gap()->time, 500) : canvas.fit();
}

void followLink(TimelineCanvas& canvas, int direction) {
    if (const auto best = canvas.selection().followed(direction)) {
        canvas.select(best);
        canvas.bringIntoView(*best);
    }
}

void stepGap(TimelineCanvas& canvas, int direction) {
    const view::ViewDataPtr& shown = canvas.shown();
    if (!shown || shown->index.lanes().lanes().empty())
        return;
    const view::Selection& selection = canvas.selection();
    const Ns from = selection.gap()        ? selection.gap()->time.begin
                    : selection.activity() ? shown->trace().time(*selection.activity()).begin
                                           : canvas.viewport().visible().begin;
    const auto next = view::nextGap(*shown, canvas.rows().laneInUse(), from, direction);
    if (!next)
        return;
    canvas.selectGap(next);
    canvas.showTime(next->time);
}

void showIdle(TimelineCanvas& canvas, std::uint8_t device, Interval time) {
    if (const auto gap = view::gapOfIdle(*canvas.shown(), device, time))
        canvas.selectGap(gap);
    const Ns beside = std::max<Ns>(time.length() / 4, 1); // what ends and begins there
    canvas.showRange({time.begin - beside, time.end + beside});
}

void stepActivity(TimelineCanvas& canvas, int direction) {
    if (!canvas.shown() || canvas.shown()->index.lanes().lanes().empty())
        return;
    TimelineRows& rows = canvas.rows();
    const Lane& lane = *rows.drawn().lane(rows.laneInUse());
    rows.use(lane.id);
    if (lane.activities.empty())
        return;
    const auto selected = canvas.selection().activity();
    auto at = selected ? std::ranges::lower_bound(lane.activities, *selected) : lane.activities.begin();
    if (selected && direction > 0 && at != lane.activities.end() && *at == *selected)
        ++at;
    if (selected && direction < 0)
        at = at == lane.activities.begin() ? at : at - 1;
    if (at == lane.activities.end())
        --at;
    const ActivityIndex next = *at;
    canvas.select(next);
    canvas.bringIntoView(next);
}

} // namespace olab::ui

#include "timeline/canvas/short_marks.h"

#include <olab/trace/lanes.h>

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

} // namespace olab::ui

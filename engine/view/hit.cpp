#include <olab/view/hit.h>

#include <algorithm>

namespace olab::view {

namespace {

bool isBar(const Strip& strip, const Viewport& view, std::size_t position) {
    return strip.times[position].length() >= std::max<Ns>(view.lengthOf(2), 1);
}

/// Positions of activities that touch the column.
std::pair<std::size_t, std::size_t> touching(const Strip& strip, Interval column) {
    std::size_t first = strip.table.position(column.begin);
    const std::size_t last = strip.table.position(column.end);
    if (first > 0 && strip.times.end(first - 1) > column.begin) // only the last before may reach in
        --first;
    return {first, last};
}

/// Bars yield to shorter activities. Only the first and the last of those that touch can be bars.
std::size_t shownOf(const Strip& strip, const Viewport& view, int px, std::size_t first, std::size_t last) {
    const std::size_t shortFirst = first + (isBar(strip, view, first) ? 1 : 0);
    const std::size_t shortLast = last - (isBar(strip, view, last - 1) ? 1 : 0);
    if (shortFirst < shortLast)
        return shortFirst + (shortLast - shortFirst) / 2;
    return px < view.edgeAt(strip.times.end(first)) ? first : last - 1;
}

std::optional<std::size_t> nearest(const Strip& strip, const Viewport& view, int px, int reach,
                                   std::size_t at) {
    const Interval column = view.column(px);
    std::optional<std::size_t> best;
    if (at > 0 && strip.times.end(at - 1) >= view.timeAt(px - reach))
        best = at - 1;
    if (at >= strip.times.size() || strip.times.begin(at) >= view.timeAt(px + reach + 1))
        return best;
    const bool later = !best || strip.times.begin(at) - column.end < column.begin - strip.times.end(at - 1);
    return later ? at : *best;
}

} // namespace

std::optional<ActivityIndex> hitIn(const Strip& strip, const Viewport& view, int px, int reach) {
    const auto [first, last] = touching(strip, view.column(px));
    const auto at = first < last ? std::optional(shownOf(strip, view, px, first, last))
                                 : nearest(strip, view, px, reach, first);
    return at ? std::optional(strip.activities[*at]) : std::nullopt;
}

std::optional<DrawnColumns> drawnColumns(const Strip& strip, const Viewport& view, ActivityIndex index) {
    const auto at = std::ranges::lower_bound(strip.activities, index);
    if (at == strip.activities.end() || *at != index)
        return std::nullopt;
    const auto position = static_cast<std::size_t>(at - strip.activities.begin());
    const Interval time = strip.times[position];
    if (isBar(strip, view, position))
        return DrawnColumns{view.edgeAt(time.begin), view.edgeAt(time.end)};
    return DrawnColumns{view.xAt(time.begin), view.xAt(std::max(time.end - 1, time.begin)) + 1};
}

} // namespace olab::view

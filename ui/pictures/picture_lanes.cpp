#include "pictures/picture_lanes.h"

#include <olab/trace/lanes.h>

#include <algorithm>
#include <array>

namespace olab::ui {

namespace {

constexpr int kEngine = laneKindRow(LaneKind::Engine).worth; // of what is left out last
constexpr int kLeastGrowth = 70; // per cent: with less, names of rows and labels no longer fit into them
constexpr int kMostGrowth = 300;
constexpr std::ptrdiff_t kFew = 8; // streams, or threads

bool isSeen(Interval time, Interval visible) {
    return time.length() == 0 ? visible.contains(time.begin)
                              : time.begin < visible.end && time.end > visible.begin;
}

bool isEmpty(const DrawnRows& lanes, const Row& row, Interval visible) {
    if (row.values) // one that is not known says so
        return !row.values->empty() && row.values->in(visible) == 0;
    for (const view::Strip& strip : lanes.strips(row.lane->id)) {
        const auto [first, last] = strip.candidates(visible);
        for (std::size_t i = first; i < last; ++i)
            if (isSeen(strip.times[i], visible))
                return false;
    }
    return true;
}

/// What tells least first: the tool's own work, what threads waited for, then streams, which show again what
/// the engines do, host threads, host callbacks. Engines last, those of the last device first.
int worthOf(const Lane& lane) {
    return laneKindRow(lane.kind).worth;
}

/// In the order in which they are left out.
std::vector<LaneId> byWorth(const RowLayout& layout) {
    std::vector<const Lane*> lanes;
    for (const Row& row : layout.rows)
        if (row.lane)
            lanes.push_back(row.lane);
    std::ranges::reverse(lanes);
    std::ranges::stable_sort(lanes, {}, [](const Lane* lane) { return worthOf(*lane); });
    std::vector<LaneId> ids;
    for (const Lane* lane : lanes)
        ids.push_back(lane->id);
    return ids;
}

DrawnRows without(DrawnRows lanes, std::span<const LaneId> left) {
    for (const LaneId id : left)
        lanes.leaveOut(id);
    return lanes;
}

/// How many of `order` may go together: with several devices all of one kind, so that none is shown without
/// what stands beside the other; and few of a kind, which are taken for all where some are seen.
std::vector<std::size_t> stepsOf(const view::ViewData& shown, const DrawnRows& lanes,
                                 std::span<const LaneId> order) {
    const auto worthAt = [&](std::size_t i) { return worthOf(*lanes.lane(order[i])); };
    const auto goTogether = [&](int worth) {
        const auto isIt = [&](LaneId id) { return worthOf(*lanes.lane(id)) == worth; };
        return worth != kEngine &&
               (shown.trace().devices().size() > 1 || std::ranges::count_if(order, isIt) <= kFew);
    };
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < order.size(); ++i) // one lane stays in any case
        if (i == 0 || worthAt(i) != worthAt(i - 1) || !goTogether(worthAt(i)))
            steps.push_back(i);
    return steps;
}

} // namespace

PictureLanes PictureLanes::of(const view::ViewData& shown, const PictureRequest& request, Interval visible,
                              int wanted, const ViewStyle& style) {
    PictureLanes made{{shown.index, request.opened}, {}};
    for (const Lane& lane : shown.index.valueLanes()) // those that nobody opened have no heading either
        if (!made.lanes.isOpen(lane.id))
            made.lanes.leaveOut(lane.id);
    for (const Row& row : RowLayout::chosen(made.lanes, request.rows, 0, style).rows)
        if (row.lane && isEmpty(made.lanes, row, visible)) {
            made.lanes.leaveOut(row.lane->id);
            ++made.empty;
        }
    made.rows = RowLayout::chosen(made.lanes, request.rows, wanted, style);
    return made;
}

PictureLanes PictureLanes::within(const view::ViewData& shown, const PictureRequest& request,
                                  Interval visible, int height, const ViewStyle& style) {
    PictureLanes made = of(shown, request, visible, height, style);
    const DrawnRows all = made.lanes;
    const std::vector<LaneId> lanes = byWorth(made.rows);
    const std::span order(lanes);
    const auto sizeWithout = [&](std::size_t count, int growth) {
        return RowLayout::withGrowth(without(all, order.first(count)), request.rows, height, growth, style)
            .height;
    };
    const std::vector<std::size_t> steps = stepsOf(shown, all, order);
    const auto fitting = std::ranges::partition_point(
        steps, [&](std::size_t count) { return sizeWithout(count, kLeastGrowth) > height; });
    const std::size_t gone = steps.empty() ? 0 : fitting == steps.end() ? steps.back() : *fitting;
    made.lanes = without(all, order.first(gone));
    made.noRoom = static_cast<int>(gone);
    made.lost = gone > 0 ? worthOf(*all.lane(order[gone - 1])) : -1;
    // The largest that fits: rows are whole pixels, so this is tried rather than computed.
    int growth = kLeastGrowth;
    for (int tooMuch = kMostGrowth + 1; tooMuch - growth > 1;) {
        const int between = growth + (tooMuch - growth) / 2;
        (sizeWithout(gone, between) <= height ? growth : tooMuch) = between;
    }
    made.rows = RowLayout::withGrowth(made.lanes, request.rows, height, growth, style);
    return made;
}

std::vector<ActivityClass> PictureLanes::looksIn(const view::Looks& looks, Interval visible) const {
    std::array<bool, view::kLooks> seen{};
    for (const Row& row : rows.rows)
        if (row.values)
            seen[static_cast<std::size_t>(row.lane->cls)] = true;
        else if (row.lane)
            for (const view::Strip& strip : lanes.strips(row.lane->id)) {
                const auto [first, last] = strip.candidates(visible);
                for (std::size_t i = first; i < last; ++i)
                    if (isSeen(strip.times[i], visible))
                        seen[static_cast<std::size_t>(looks.of(strip.activities[i]))] = true;
            }
    std::vector<ActivityClass> found;
    for (std::size_t i = 0; i < view::kLooks; ++i)
        if (seen[i])
            found.push_back(static_cast<ActivityClass>(i));
    return found;
}

} // namespace olab::ui

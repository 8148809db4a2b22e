#include <olab/view/place.h>

#include <olab/analysis/explained_wait.h>
#include <olab/view/view_data.h>

#include <algorithm>

namespace olab::view {

namespace {

constexpr Ns kMostBeside = 10; // visible part of a long culprit, in multiples of the wait plus op

/// A stream's own order has no culprit, and a wait that no record explains has no known one.
bool isHeld(analysis::LossCause cause, ActivityIndex blocker) {
    return blocker != kNoActivity && cause != analysis::LossCause::None &&
           cause != analysis::LossCause::StreamOrder && cause != analysis::LossCause::Unexplained;
}

Place made(const ViewData& shown, ActivityIndex op, ActivityIndex culprit, Ns ready) {
    const Interval ran = shown.trace().time(op);
    Place place{op, culprit, {std::min(ready, ran.begin), ran.begin}, {std::min(ready, ran.begin), ran.end}};
    if (culprit == kNoActivity)
        return place;
    const Interval other = shown.trace().time(culprit);
    const Ns beside = std::max<Ns>(place.time.length(), 500) * kMostBeside;
    const Ns begin = std::max(other.begin, place.time.begin - beside),
             end = std::min(other.end, place.time.end + beside);
    place.time = {std::min(place.time.begin, begin), std::max(place.time.end, end)};
    return place;
}

/// The longest of the waits that are `isWanted`; the first of equal ones.
template <typename IsWanted>
std::optional<analysis::ExplainedWait> longestHeld(const ViewData& shown, IsWanted isWanted) {
    const analysis::ExplainedWaits waits = shown.waits();
    std::optional<std::size_t> longest;
    for (std::size_t n = 0; n < waits.size(); ++n) {
        const ActivityIndex blocker = waits.blocker(n);
        if (blocker != kNoActivity && isWanted(n, blocker) && isHeld(waits.cause(n), blocker) &&
            (!longest || waits.held(n) > waits.held(*longest)))
            longest = n;
    }
    return longest ? std::optional(waits[*longest]) : std::nullopt;
}

std::optional<analysis::ExplainedWait> longestHeldBy(const ViewData& shown, ActivityIndex culprit) {
    return longestHeld(shown, [&](std::size_t, ActivityIndex blocker) { return blocker == culprit; });
}

Interval longestOf(const IntervalSet& set) {
    Interval longest;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (const Interval time = set.intervals()[i]; time.length() > longest.length())
            longest = time;
    return longest;
}

/// The activity of the class that fills most of `time`.
ActivityIndex mostOf(const ViewData& shown, std::uint8_t device, ActivityClass cls, Interval time) {
    const Trace& trace = shown.trace();
    ActivityIndex most = kNoActivity;
    Ns filled = -1;
    for (ActivityIndex i = 0; i < trace.size() && trace.time(i).begin < time.end; ++i) {
        const Activity a = trace[i];
        const Ns inside = std::min(a.end, time.end) - std::max(a.begin, time.begin);
        if (a.cls == cls && a.device == device && inside > filled) {
            filled = inside;
            most = i;
        }
    }
    return most;
}

std::optional<Place> longestAlone(const ViewData& shown, std::uint8_t device, ActivityClass a,
                                  ActivityClass b) {
    const auto& coverage = shown.facts.perDevice()[device].coverage;
    const IntervalSet &busyA = coverage[static_cast<std::size_t>(a)],
                      &busyB = coverage[static_cast<std::size_t>(b)];
    const Interval onlyA = longestOf(a == b ? busyA : busyA.subtracted(busyB)),
                   onlyB = longestOf(a == b ? busyA : busyB.subtracted(busyA));
    const bool first = onlyA.length() >= onlyB.length();
    const Interval time = first ? onlyA : onlyB;
    if (time.length() <= 0)
        return std::nullopt;
    const ActivityIndex op = mostOf(shown, device, first ? a : b, time);
    return op == kNoActivity ? std::nullopt : std::optional(Place{op, kNoActivity, {}, time});
}

} // namespace

Place placeOf(const ViewData& shown, ActivityIndex op) {
    const auto wait = shown.waitOf(op);
    if (wait && isHeld(wait->cause, wait->blocker))
        return made(shown, op, wait->blocker, wait->time.begin);
    if (const auto held = longestHeldBy(shown, op))
        return made(shown, held->op, op, held->time.begin);
    const Ns ready = wait ? wait->time.begin : shown.trace().time(op).begin;
    return made(shown, op, wait ? shown.facts.stretcherOf(op) : kNoActivity, ready);
}

Place waitPlaceOf(const ViewData& shown, ActivityIndex op, analysis::LossCause cause) {
    const auto wait = shown.waitOf(op);
    return wait && wait->cause == cause ? made(shown, op, wait->blocker, wait->time.begin)
                                        : made(shown, op, kNoActivity, shown.trace().time(op).begin);
}

std::optional<Place> worstPlace(const ViewData& shown, std::uint8_t device, ActivityClass a,
                                ActivityClass b) {
    const analysis::Facts& facts = shown.facts;
    if (device >= facts.perDevice().size() || !isDeviceClass(a) || !isDeviceClass(b))
        return std::nullopt;
    const Trace& trace = shown.trace();
    const auto longest = longestHeld(shown, [&](std::size_t n, ActivityIndex by) {
        const ActivityIndex row = facts.deviceWork().row(n);
        const ActivityClass waiter = trace.cls(row), blocker = trace.cls(by);
        const bool ofPair = (waiter == a && blocker == b) || (waiter == b && blocker == a);
        return ofPair && trace.device(row) == device;
    });
    return longest ? std::optional(made(shown, longest->op, longest->blocker, longest->time.begin))
                   : longestAlone(shown, device, a, b);
}

} // namespace olab::view

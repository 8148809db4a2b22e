#include <olab/view/range_numbers.h>

#include <olab/trace/lanes.h>

namespace olab::view {

namespace {

void addPairs(RangeNumbers& numbers, const analysis::Facts& facts, std::uint8_t device) {
    const RangeOverlap sums = facts.perDevice()[device].overlaps.measure(numbers.range);
    for (std::size_t a = 0; a < kDeviceClassCount; ++a)
        for (std::size_t b = a + 1; b < kDeviceClassCount; ++b)
            if (sums.busy[a] > 0 && sums.busy[b] > 0) {
                const auto first = static_cast<ActivityClass>(a), second = static_cast<ActivityClass>(b);
                numbers.pairs.push_back(
                    {device, first, second, sums.overlap(first, second), sums.busy[a], sums.busy[b]});
            }
}

} // namespace

std::uint64_t countIn(std::span<const Strip> lane, Interval range) {
    std::uint64_t count = 0;
    for (const Strip& strip : lane) {
        const std::size_t first = strip.table.position(range.begin);
        count += strip.table.position(range.end) - first;
        if (first > 0 && strip.times.end(first - 1) > range.begin)
            ++count;
    }
    return count;
}

DeviceNumbers numbersOf(const TimelineIndex& index, std::uint8_t device, Interval range) {
    const auto& sets = index.atOnce(device); // at least one, two, three
    const std::array<Ns, 3> atLeast{sets[0].measure(range), sets[1].measure(range), sets[2].measure(range)};
    return {
        device, range.length() - atLeast[0], {atLeast[0] - atLeast[1], atLeast[1] - atLeast[2], atLeast[2]}};
}

RangeNumbers measureRange(const ViewData& shown, Interval range) {
    const TimelineIndex& index = shown.index;
    RangeNumbers numbers{range, {}, {}, {}, 0};
    for (std::size_t d = 0; d < index.deviceCount(); ++d) {
        const auto device = static_cast<std::uint8_t>(d);
        numbers.devices.push_back(numbersOf(index, device, range));
        addPairs(numbers, shown.facts, device);
    }
    for (const Lane& lane : index.lanes().lanes()) {
        numbers.lanes.push_back({&lane, lane.busy.measure(range), countIn(index.strips(lane.id), range)});
        if (lane.kind == LaneKind::Stream)
            numbers.operations += numbers.lanes.back().count;
    }
    return numbers;
}

std::optional<Ns> nearestEdge(const Strip& strip, Ns t, Ns reach) {
    const std::size_t at = strip.table.position(t); // items do not cross: the two around `t` have the nearest
    std::optional<Ns> best;
    const auto look = [&](Ns edge) {
        const Ns distance = edge > t ? edge - t : t - edge;
        if (distance <= reach && (!best || distance < (*best > t ? *best - t : t - *best)))
            best = edge;
    };
    for (std::size_t i = at > 0 ? at - 1 : 0; i < std::min(at + 1, strip.times.size()); ++i) {
        look(strip.times.begin(i));
        look(strip.times.end(i));
    }
    return best;
}

std::optional<Ns> nextEdge(const Strip& strip, Ns t, int direction) {
    const std::size_t at = strip.table.position(direction > 0 ? t + 1 : t);
    std::optional<Ns> best;
    const auto look = [&](Ns edge) {
        if (direction > 0 ? edge > t && (!best || edge < *best) : edge < t && (!best || edge > *best))
            best = edge;
    };
    for (std::size_t i = at > 0 ? at - 1 : 0; i < std::min(at + 1, strip.times.size()); ++i) {
        look(strip.times.begin(i));
        look(strip.times.end(i));
    }
    return best;
}

} // namespace olab::view

#include "event_lanes.h"

#include <algorithm>
#include <numeric>

namespace olab::io::exported {

std::vector<ActivityIndex> inNestingOrder(const Trace& trace) {
    std::vector<ActivityIndex> order(trace.size());
    std::iota(order.begin(), order.end(), ActivityIndex{0});
    std::ranges::stable_sort(order, [&trace](ActivityIndex a, ActivityIndex b) {
        const Interval x = trace.time(a), y = trace.time(b);
        return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
    });
    return order;
}

std::size_t EventLanes::laneOf(QueueId queue, Interval time) {
    auto& lanes = m_open[queue.value];
    std::size_t lane = 0;
    for (; lane < lanes.size(); ++lane) {
        std::vector<Ns>& open = lanes[lane];
        while (!open.empty() && open.back() <= time.begin)
            open.pop_back();
        if (open.empty() || time.end <= open.back())
            break;
    }
    if (lane == lanes.size())
        lanes.emplace_back();
    lanes[lane].push_back(time.end);
    return lane;
}

} // namespace olab::io::exported

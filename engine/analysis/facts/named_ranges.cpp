#include <olab/analysis/named_ranges.h>

#include <algorithm>

namespace olab::analysis {

std::map<QueueId, std::vector<ActivityIndex>>
rangesByThread(const Trace& trace, const std::function<bool(ActivityIndex)>& isWanted) {
    std::map<QueueId, std::vector<ActivityIndex>> ranges;
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (trace.cls(row) == ActivityClass::Nvtx && isWanted(row))
            ranges[trace.queueOf(row)].push_back(row);
    for (auto& [thread, rows] : ranges)
        std::ranges::stable_sort(rows, [&](ActivityIndex a, ActivityIndex b) {
            const Interval x = trace.time(a), y = trace.time(b);
            return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
        });
    return ranges;
}

} // namespace olab::analysis

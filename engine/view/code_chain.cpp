#include <olab/view/code_chain.h>

#include <algorithm>

namespace olab::view {
namespace {

constexpr std::uint64_t kMostLooked = 100'000;

} // namespace

WorkWithin workWithin(const analysis::Facts& facts, ActivityIndex range) {
    const Trace& trace = facts.trace();
    const Interval time = trace.time(range);
    const auto calls = facts.ofThread(trace.queueOf(range));
    WorkWithin found;
    std::uint64_t looked = 0;
    auto call =
        std::ranges::lower_bound(calls, time.begin, {}, [&](ActivityIndex row) { return trace.begin(row); });
    for (; call != calls.end() && trace.begin(*call) < time.end; ++call) {
        if (++looked > kMostLooked) {
            found.isAll = false;
            break;
        }
        for (const ActivityIndex row : facts.issuedBy(*call)) {
            if (!isDeviceClass(trace.cls(row)))
                continue;
            ++found.count;
            found.time += trace.duration(row);
            if (found.longest == kNoActivity || trace.duration(row) > trace.duration(found.longest))
                found.longest = row;
        }
    }
    return found;
}

} // namespace olab::view

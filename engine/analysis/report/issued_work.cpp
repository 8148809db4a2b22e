#include "report/issued_work.h"

#include "facts/looks.h"
#include "facts/sums.h"

#include <algorithm>

namespace olab::analysis {
namespace {

/// Number of calls made before the time.
std::size_t callsBefore(const std::vector<Ns>& calls, Ns time) {
    return static_cast<std::size_t>(std::ranges::lower_bound(calls, time) - calls.begin());
}

std::int64_t difference(std::uint64_t until, std::uint64_t before) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(until - before, kMost));
}

std::uint64_t sumBefore(const std::vector<std::uint64_t>& sums, std::size_t count) {
    return count == 0 ? 0 : sums[count - 1];
}

} // namespace

void IssuedWork::add(Ns call, const WorkPart& part) {
    Sums sums = m_sums.empty() ? Sums{} : m_sums.back();
    ++sums.count;
    sums.time += static_cast<std::uint64_t>(part.time);
    sums.overlapped += static_cast<std::uint64_t>(part.overlapped);
    sums.bytes += static_cast<std::uint64_t>(part.bytes);
    sums.moving += part.bytes > 0 ? static_cast<std::uint64_t>(part.time) : 0;
    m_calls.push_back(call);
    m_sums.push_back(sums);
    if (part.waited <= 0)
        return;
    Waits& waits = m_waits[part.cause];
    waits.calls.push_back(call);
    waits.sums.push_back(sumBefore(waits.sums, waits.sums.size()) + static_cast<std::uint64_t>(part.waited));
}

void IssuedWork::sumOf(Interval time, WorkSum& sum) const {
    const std::size_t first = callsBefore(m_calls, time.begin), last = callsBefore(m_calls, time.end);
    if (first >= last)
        return;
    const Sums before = first == 0 ? Sums{} : m_sums[first - 1], &until = m_sums[last - 1];
    NamedWork& sums = sum.sums();
    sums.count += until.count - before.count;
    addCapped(sums.time, difference(until.time, before.time));
    addCapped(sums.overlapped, difference(until.overlapped, before.overlapped));
    addCapped(sums.bytes, difference(until.bytes, before.bytes));
    addCapped(sums.moving, difference(until.moving, before.moving));
    for (const auto& [cause, waits] : m_waits)
        sum.addWait(cause, difference(sumBefore(waits.sums, callsBefore(waits.calls, time.end)),
                                      sumBefore(waits.sums, callsBefore(waits.calls, time.begin))));
}

std::map<QueueId, IssuedWork> issuedWork(const TraceFacts& facts, WorkParts& parts,
                                         const RunControl& control) {
    std::map<QueueId, IssuedWork> issued;
    const Trace& trace = facts.trace();
    std::size_t looks = 0;
    for (const ActivityIndex row : facts.byCall()) {
        lookAtCancel(looks++, control);
        if (!isDeviceClass(trace.cls(row)))
            continue;
        const ActivityIndex call = facts.apiOf(row);
        if (const auto part = parts.of(facts.deviceWork().numberOf(row)))
            issued[trace.queueOf(call)].add(trace.begin(call), *part);
    }
    return issued;
}

} // namespace olab::analysis

// The host cannot issue as fast as the device works: its calls follow each other without a pause, the device
// is idle most of the time, and most of that ends with an op that was only just issued.
#include "../sentences.h"
#include "../wait_finder.h"
#include "rule_functions.h"

#include <algorithm>

namespace olab {
namespace {

constexpr double kMost = 0.5;
// A call that encloses an op this long waited for it; that is a blocking copy, not the cost of issuing.
constexpr Ns kBlockingOp = 20'000;

bool isWaiting(std::string_view api) {
    return api.find("Synchronize") != std::string_view::npos || api.find("Query") != std::string_view::npos;
}

bool isBlockingCall(Interval call, Interval op) {
    return op.length() >= kBlockingOp && call.begin <= op.begin && op.end <= call.end;
}

// Share of the time from the first issuing call to the end of the last in which the host was in a call that
// issues.
double issuingShare(const Facts& facts) {
    std::vector<Interval> calls;
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i)
        if (facts.trace.cls(i) == ActivityClass::Api && !isWaiting(facts.trace.text(facts.trace[i].name)))
            calls.push_back(facts.trace.time(i));
    const IntervalSet busy = IntervalSet::unionOfSorted(calls);
    if (busy.empty())
        return 0;
    const Ns span = busy.intervals().back().end - busy.intervals().front().begin;
    return static_cast<double>(busy.total()) / static_cast<double>(span);
}

// The idle times of one device that ended with an op the host had just issued.
struct Late {
    std::vector<Cost> ops;
    Ns idle = 0;
};

// Just issued: nothing was queued up for it to wait behind.
bool isLate(const Facts& facts, const Wait& w) {
    const ActivityIndex call = facts.apiOf[w.activity];
    if (call == kNoActivity)
        return false;
    const Interval issued = facts.trace.time(call), time = facts.trace.time(w.activity);
    return time.begin - issued.end <= kSubmitLatency && !isBlockingCall(issued, time);
}

std::vector<Late> lateOps(const Facts& facts) {
    std::vector<Late> late(facts.perDevice.size());
    std::vector<std::optional<Ns>> busyUntil(facts.perDevice.size());
    for (const Wait& w : facts.waits) {
        const Interval time = facts.trace.time(w.activity);
        const std::uint8_t device = facts.trace[w.activity].device;
        std::optional<Ns>& until = busyUntil[device];
        if (until && *until < time.begin && isLate(facts, w)) {
            late[device].ops.push_back({time.begin - *until, w.activity});
            late[device].idle += time.begin - *until;
        }
        until = std::max(until.value_or(time.end), time.end);
    }
    return late;
}

bool isMost(Ns part, Ns whole) {
    return static_cast<double>(part) > kMost * static_cast<double>(whole);
}

} // namespace

RuleResult judgeLaunchBound(const Facts& facts) {
    if (!facts.hasApi)
        return facts.waits.empty() ? RuleResult() : RuleResult(abstentionOf("launch-bound", "API records"));
    if (issuingShare(facts) < kMost)
        return {};
    std::vector<Late> late = lateOps(facts);
    const DeviceReport* worst = nullptr;
    for (const DeviceReport& d : facts.devices)
        if (isMost(d.idle, d.span) && isMost(late[d.index].idle, d.idle) && (!worst || d.idle > worst->idle))
            worst = &d;
    if (!worst)
        return {};
    Finding finding = findingOf("launch-bound");
    finding.status = FindingStatus::Proved;
    Late& l = late[worst->index];
    finding.lost = l.idle;
    addEvidence(finding, l.ops);
    finding.text =
        "The device was idle for " + timeText(worst->idle) + " of " + timeText(worst->span) + ", and " +
        std::to_string(l.ops.size()) + " times, " + timeText(l.idle) +
        " in all, only until the host issued the next operation; its calls follow each other without "
        "a pause.";
    return Diagnosis{std::move(finding), {}};
}

} // namespace olab

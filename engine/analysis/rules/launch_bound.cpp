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

bool isBlockingCall(Interval call, Interval op) {
    return op.length() >= kBlockingOp && call.begin <= op.begin && op.end <= call.end;
}

// Share of the time from the first issuing call to the end of the last in which the host was in a call that
// issues.
double issuingShare(const Facts& facts) {
    const HostFacts& host = facts.host();
    return host.issuing == 0 ? 0 : static_cast<double>(host.issuing) / static_cast<double>(host.issuingSpan);
}

// The idle times of one device that ended with an op the host had just issued.
struct Late {
    Evidence ops;
    Ns idle = 0;
};

// Just issued: nothing was queued up for it to wait behind.
bool isLate(const Facts& facts, ActivityIndex op) {
    const ActivityIndex call = facts.apiOf(op);
    if (call == kNoActivity)
        return false;
    const Interval issued = facts.trace().time(call), time = facts.trace().time(op);
    return time.begin - issued.end <= kSubmitLatency && !isBlockingCall(issued, time);
}

std::vector<Late> lateOps(const Facts& facts) {
    const Trace& trace = facts.trace();
    std::vector<Late> late(facts.perDevice().size());
    std::vector<std::optional<Ns>> busyUntil(late.size());
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex op = facts.deviceWork().row(n);
        const Interval time = trace.time(op);
        std::optional<Ns>& until = busyUntil[trace.device(op)];
        if (until && *until < time.begin && isLate(facts, op)) {
            late[trace.device(op)].ops.add(time.begin - *until, op);
            late[trace.device(op)].idle += time.begin - *until;
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
    if (!facts.hasApi())
        return facts.waits().empty() ? RuleResult() : RuleResult(abstentionOf("launch-bound", "API records"));
    if (issuingShare(facts) < kMost)
        return {};
    std::vector<Late> late = lateOps(facts);
    const DeviceReport* worst = nullptr;
    for (const DeviceReport& d : facts.devices())
        if (isMost(d.idle, d.span) && isMost(late[d.index].idle, d.idle) && (!worst || d.idle > worst->idle))
            worst = &d;
    if (!worst)
        return {};
    Finding finding = findingOf("launch-bound");
    finding.status = FindingStatus::Proved;
    Late& l = late[worst->index];
    finding.lost = l.idle;
    l.ops.giveTo(finding);
    finding.text =
        "The device was idle for " + timeText(worst->idle) + " of " + timeText(worst->span) + ", and " +
        std::to_string(l.ops.count()) + " times, " + timeText(l.idle) +
        " in all, only until the host issued the next operation; its calls follow each other without "
        "a pause.";
    return Diagnosis{std::move(finding), {}};
}

} // namespace olab

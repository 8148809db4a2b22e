// The host cannot issue as fast as the device works: its calls follow each other without a pause, the device
// is idle most of the time, and most of that ends with an op that was only just issued.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::launch_bound {
namespace {

constexpr double kMost = 0.5;
// A call that encloses an op this long waited for it; that is a blocking copy, not the cost of issuing.
constexpr Ns kBlockingOp = 20'000;

bool isMost(Ns part, Ns whole) {
    return static_cast<double>(part) > kMost * static_cast<double>(whole);
}

bool isIdleMostly(const DeviceReport& device) {
    return isMost(device.idle, device.span);
}

// Between the first issuing call and the end of the last one, the host was mostly inside issuing calls.
bool issuesMostly(const HostFacts& host) {
    return host.issuing > 0 &&
           static_cast<double>(host.issuing) >= kMost * static_cast<double>(host.issuingSpan);
}

bool isBlockingCall(Interval call, Interval op) {
    return op.length() >= kBlockingOp && call.begin <= op.begin && op.end <= call.end;
}

// Just issued: no earlier work was queued for it to wait behind.
bool isLate(const TraceFacts& facts, ActivityIndex op) {
    const ActivityIndex call = facts.apiOf(op);
    if (call == kNoActivity)
        return false;
    const Interval issued = facts.trace().time(call), time = facts.trace().time(op);
    return time.begin - issued.end <= usualLatency(LossCause::HostLate) && !isBlockingCall(issued, time);
}

// The idle times of one device that ended with an op the host had just issued.
struct Late {
    Evidence ops;
    Ns idle = 0;
    std::optional<Ns> busyUntil{};
};

/// Per device.
std::vector<Late> lateOps(const TraceFacts& facts) {
    const Trace& trace = facts.trace();
    std::vector<Late> all(facts.perDevice().size());
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n);
        const Interval time = trace.time(row);
        Late& late = all[trace.device(row)];
        if (late.busyUntil && *late.busyUntil < time.begin && isLate(facts, row)) {
            late.ops.add(time.begin - *late.busyUntil, row, trace.cls(row));
            late.idle += time.begin - *late.busyUntil;
        }
        late.busyUntil = std::max(late.busyUntil.value_or(time.end), time.end);
    }
    return all;
}

RuleResult resultOf(const DeviceReport& device, Late& late) {
    RuleResult result{FindingStatus::Proved, late.idle, std::move(late.ops), {}};
    result.text = "The device was idle for " + timeText(device.idle) + " of " + timeText(device.span) +
                  ", and " + std::to_string(result.evidence.count()) + " times, " + timeText(late.idle) +
                  " in all, only until the host issued the next operation; its calls follow each other "
                  "without a pause.";
    return result;
}

std::optional<RuleResult> judge(const TraceFacts& facts) {
    if (!facts.hasApi() || !issuesMostly(facts.host()) || std::ranges::none_of(facts.devices(), isIdleMostly))
        return {};
    std::vector<Late> late = lateOps(facts);
    const DeviceReport* worst = nullptr;
    for (const DeviceReport& d : facts.devices())
        if (isIdleMostly(d) && isMost(late[d.index].idle, d.idle) && (!worst || d.idle > worst->idle))
            worst = &d;
    return worst ? std::optional(resultOf(*worst, late[worst->index])) : std::nullopt;
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {apiCalls};
    return {.id = "launch-bound", .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::launch_bound

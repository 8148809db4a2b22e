// The host cannot issue as fast as the device works: calls follow each other without a pause, most ops begin
// right after their call, and the engines idle between them.
#include "../sentences.h"
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

struct Late {
    std::vector<Cost> ops; // begun right after the host issued them
    std::uint64_t all = 0;
};

std::vector<Late> lateOps(const Facts& facts) {
    std::vector<Late> late(facts.perDevice.size());
    for (const Wait& w : facts.waits) {
        Late& l = late[facts.trace[w.activity].device];
        ++l.all;
        const ActivityIndex call = facts.apiOf[w.activity];
        if (w.cause != WaitCause::HostLate || call == kNoActivity)
            continue;
        const Interval time = facts.trace.time(call);
        if (!isBlockingCall(time, facts.trace.time(w.activity)))
            l.ops.push_back({time.length(), w.activity});
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
    for (const DeviceReport& d : facts.devices) {
        const Late& l = late[d.index];
        if (isMost(d.idle, d.span) && isMost(static_cast<Ns>(l.ops.size()), static_cast<Ns>(l.all)) &&
            (!worst || d.idle > worst->idle))
            worst = &d;
    }
    if (!worst)
        return {};
    Finding finding = findingOf("launch-bound");
    finding.status = FindingStatus::Proved;
    finding.lost = worst->idle;
    Late& l = late[worst->index];
    addEvidence(finding, l.ops);
    finding.text =
        std::to_string(l.ops.size()) + " of " + std::to_string(l.all) +
        " operations began right after the host had issued them, its calls follow each other without a "
        "pause, and the device was idle for " +
        timeText(worst->idle) + " of " + timeText(worst->span) + ".";
    return finding;
}

} // namespace olab

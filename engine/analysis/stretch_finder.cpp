#include "stretch_finder.h"

#include "solo_times.h"

#include <algorithm>

namespace olab {
namespace {

// Activities that begin inside the op are looked at up to this many: evidence for a person, not a number.
constexpr ActivityIndex kMaxLookAhead = 64;

Ns shared(Interval a, Interval b) {
    return std::min(a.end, b.end) - std::max(a.begin, b.begin);
}

bool runsOnSms(const Facts& facts, std::uint8_t device, ActivityClass cls) {
    const Lane* compute = facts.lanes.engine(device, EngineKind::Compute);
    return compute && !compute->coverage[static_cast<std::size_t>(cls)].empty();
}

} // namespace

StretchFinder::StretchFinder(const Facts& facts)
    : m_facts(facts)
    , m_reaching(facts.perDevice.size()) {
    for (auto& device : m_reaching)
        device.fill(kNoActivity);
}

ActivityIndex StretchFinder::longestBeside(ActivityIndex activity) const {
    const Trace& trace = m_facts.trace;
    const Activity self = trace[activity];
    ActivityIndex best = kNoActivity;
    Ns longest = 0;
    const auto consider = [&](ActivityIndex other) {
        if (const Ns time = shared(self.time(), trace.time(other)); time > longest) {
            longest = time;
            best = other;
        }
    };
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        if (const ActivityIndex o = m_reaching[self.device][c];
            o != kNoActivity && static_cast<ActivityClass>(c) != self.cls)
            consider(o);
    for (ActivityIndex i = activity + 1; i < trace.size() && i - activity <= kMaxLookAhead; ++i) {
        if (trace.time(i).begin >= self.end)
            break;
        if (isDeviceClass(trace.cls(i)) && trace.cls(i) != self.cls && trace[i].device == self.device)
            consider(i);
    }
    return best;
}

void StretchFinder::find(Wait& wait) {
    const Activity a = m_facts.trace[wait.activity];
    const Ns solo = m_facts.solo[wait.activity];
    if (solo > 0 && a.duration() > solo && soloIsTrusted(m_facts, wait.activity)) {
        wait.stretched = a.duration() - solo;
        wait.stretcher = longestBeside(wait.activity);
    }
    ActivityIndex& reaching = m_reaching[a.device][static_cast<std::size_t>(a.cls)];
    if (reaching == kNoActivity || m_facts.trace.time(reaching).end <= a.end)
        reaching = wait.activity;
}

Ns stretchBy(const Facts& facts, const Wait& wait, ActivityClass other) {
    if (wait.stretched == 0)
        return 0;
    const Activity a = facts.trace[wait.activity];
    const DeviceFacts& device = facts.perDevice[a.device];
    const Ns resident = device.coverage[static_cast<std::size_t>(other)].measure(a.time());
    const bool onSms = a.engine == EngineKind::Compute;
    if (resident == 0 || onSms == runsOnSms(facts, a.device, other))
        return std::min(wait.stretched, resident);
    const Ns ownHardware = (onSms ? device.crowdedCompute : device.crowdedCopies).measure(a.time());
    return std::clamp<Ns>(wait.stretched - ownHardware, 0, resident);
}

} // namespace olab

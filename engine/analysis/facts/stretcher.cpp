#include "facts/stretcher.h"

namespace olab::analysis {
namespace {

// Activities that begin inside the op are looked at up to this many: evidence for a person, not a number.
constexpr ActivityIndex kMaxLookAhead = 64;

using Reaching = std::array<Last, kDeviceClassCount>;

/// Per class on the device of `activity`: the earlier activity that ends last.
Reaching reachingInto(const TraceFacts& facts, const std::vector<ActivityIndex>& checkpoints,
                      ActivityIndex activity) {
    const Trace& trace = facts.trace();
    const std::size_t number = facts.deviceWork().numberOf(activity);
    const std::size_t from = number / StretcherFinder::kEvery;
    const std::uint8_t device = trace.device(activity);
    const std::size_t first = (from * trace.devices().size() + device) * kDeviceClassCount;
    Reaching reaching;
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        if (const ActivityIndex i = checkpoints[first + c]; i != kNoActivity)
            reaching[c].keep(trace.time(i).end, i);
    for (std::size_t n = from * StretcherFinder::kEvery; n < number; ++n)
        if (const ActivityIndex i = facts.deviceWork().row(n); trace.device(i) == device)
            reaching[static_cast<std::size_t>(trace.cls(i))].keep(trace.time(i).end, i);
    return reaching;
}

} // namespace

void StretcherFinder::keep(std::vector<ActivityIndex>& reaching, std::size_t number, const LastEnds& before) {
    const auto& classes = before.ofClasses();
    for (std::size_t i = 0; i < classes.size(); ++i)
        reaching[number / kEvery * classes.size() + i] = classes[i].activity;
}

ActivityIndex StretcherFinder::find(const TraceFacts& facts, const std::vector<ActivityIndex>& reaching,
                                    ActivityIndex activity) {
    const Trace& trace = facts.trace();
    const Interval self = trace.time(activity);
    const ActivityClass cls = trace.cls(activity);
    ActivityIndex best = kNoActivity;
    Ns longest = 0;
    const auto consider = [&](ActivityIndex other) {
        const Interval time = trace.time(other);
        if (const Ns shared = std::min(self.end, time.end) - std::max(self.begin, time.begin);
            shared > longest) {
            longest = shared;
            best = other;
        }
    };
    const Reaching before = reachingInto(facts, reaching, activity);
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        if (before[c].activity != kNoActivity && static_cast<ActivityClass>(c) != cls)
            consider(before[c].activity);
    for (ActivityIndex i = activity + 1; i < trace.size() && i - activity <= kMaxLookAhead; ++i) {
        if (trace.time(i).begin >= self.end)
            break;
        if (isDeviceClass(trace.cls(i)) && trace.cls(i) != cls && trace.device(i) == trace.device(activity))
            consider(i);
    }
    return best;
}

ActivityIndex TraceFacts::stretcherOf(ActivityIndex row) const {
    const bool isStretched = OpRow::of(*this, m_deviceWork.numberOf(row)).stretched() > 0;
    return isStretched ? StretcherFinder::find(*this, m_reaching, row) : kNoActivity;
}

} // namespace olab::analysis

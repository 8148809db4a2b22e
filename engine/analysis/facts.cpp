#include <olab/analysis/facts.h>

#include "bounds.h"
#include "full_grid.h"
#include "measure.h"
#include "planned_needs.h"
#include "solo_times.h"
#include "wait_finder.h"

#include <algorithm>

namespace olab {
namespace {

/// Often enough for 200 ms, seldom enough to cost nothing.
void lookAtCancel(ActivityIndex i, const RunControl& control) {
    constexpr ActivityIndex kEvery = 1 << 16;
    if (i % kEvery == 0)
        control.throwIfCancelled();
}

// Finds the API call of an activity. Of several records with one correlation the first is the outermost call.
class CallFinder {
public:
    CallFinder(const Trace& trace, const RunControl& control) {
        for (ActivityIndex i = 0; i < trace.size(); ++i) {
            lookAtCancel(i, control);
            if (trace.cls(i) != ActivityClass::Api)
                continue;
            const Activity a = trace[i];
            if (a.flags & kFlagFailed)
                continue;
            if (a.correlation != 0)
                m_byCorrelation.emplace_back(a.correlation, i);
            else if (a.op != kNoOp)
                m_byOp.emplace_back(a.op.value, i);
        }
        control.throwIfCancelled();
        std::sort(m_byCorrelation.begin(), m_byCorrelation.end());
        std::sort(m_byOp.begin(), m_byOp.end());
    }
    ActivityIndex find(const Activity& a) const {
        if (a.correlation != 0)
            if (const ActivityIndex call = first(m_byCorrelation, a.correlation); call != kNoActivity)
                return call;
        return a.op == kNoOp ? kNoActivity : first(m_byOp, a.op.value);
    }

private:
    using Calls = std::vector<std::pair<std::uint32_t, ActivityIndex>>;
    static ActivityIndex first(const Calls& calls, std::uint32_t key) {
        const auto at = std::lower_bound(calls.begin(), calls.end(), std::pair{key, ActivityIndex{0}});
        return at != calls.end() && at->first == key ? at->second : kNoActivity;
    }
    Calls m_byCorrelation, m_byOp; // sorted
};

void linkCalls(Facts& facts, const RunControl& control) {
    const CallFinder calls(facts.trace, control);
    facts.apiOf.assign(facts.trace.size(), kNoActivity);
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i) {
        lookAtCancel(i, control);
        const ActivityClass cls = facts.trace.cls(i);
        if (!isDeviceClass(cls) && cls != ActivityClass::HostFn)
            continue;
        facts.apiOf[i] = calls.find(facts.trace[i]);
        facts.hasApi |= isDeviceClass(cls) && facts.apiOf[i] != kNoActivity;
    }
}

void measureDevices(Facts& facts, const RunControl& control) {
    std::vector<DeviceRows> rows = gatherRows(facts.trace);
    facts.perDevice.resize(rows.size());
    for (std::size_t d = 0; d < rows.size(); ++d) {
        control.throwIfCancelled();
        if (!rows[d].any())
            continue;
        const auto device = static_cast<std::uint8_t>(d);
        facts.perDevice[d].coverage = classCoverage(facts.lanes, device);
        facts.devices.push_back(
            measureDevice(facts.trace, facts.lanes, device, rows[d], facts.perDevice[d].coverage));
    }
    // The contract's order: by number; a device nobody numbered has the largest and comes last.
    std::sort(facts.devices.begin(), facts.devices.end(), [&](const DeviceReport& a, const DeviceReport& b) {
        return facts.trace.devices()[a.index].device < facts.trace.devices()[b.index].device;
    });
}

bool knowsStreamKinds(const Trace& trace) {
    const auto queues = trace.queues();
    return std::any_of(queues.begin(), queues.end(), [](const Queue& q) {
        return q.kind == Queue::Kind::Stream && q.streamKind != StreamKind::Unknown;
    });
}

} // namespace

Facts gatherFacts(const AnalysisInput& input, const RunControl& control) {
    Facts facts{input.trace, input.lanes, input.schedule};
    control.report(0.0, "measuring");
    measureDevices(facts, control);
    control.throwIfCancelled();
    control.report(0.3, "reading solo runs");
    linkCalls(facts, control);
    control.throwIfCancelled();
    findSoloTimes(facts);
    control.throwIfCancelled();
    facts.hasStreamKinds = knowsStreamKinds(facts.trace);
    facts.resolution = timeStampResolution(facts.trace);
    findResidency(facts);
    control.throwIfCancelled();
    control.report(0.5, "explaining waits");
    facts.needs = plannedNeeds(facts);
    control.throwIfCancelled();
    findWaits(facts, control);
    control.throwIfCancelled();
    control.report(0.8, "computing bounds");
    computeBounds(facts);
    return facts;
}

} // namespace olab

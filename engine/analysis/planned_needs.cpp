#include "planned_needs.h"

#include <algorithm>

namespace olab {
namespace {

/// The activity of each op; of several (a staged copy) the one that ended last.
std::vector<ActivityIndex> activityOfOp(const Facts& facts) {
    std::vector<ActivityIndex> of(facts.schedule->ops.size(), kNoActivity);
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i) {
        const ActivityClass cls = facts.trace.cls(i);
        if (!isDeviceClass(cls) && cls != ActivityClass::HostFn)
            continue;
        const std::uint32_t op = facts.trace[i].op.value;
        if (op >= of.size())
            continue;
        if (of[op] == kNoActivity || facts.trace.time(i).end > facts.trace.time(of[op]).end)
            of[op] = i;
    }
    return of;
}

/// Follows each stream in issue order: what it did last, and what its next op has to wait for.
class EventFollower {
public:
    EventFollower(const Schedule& schedule, const std::vector<ActivityIndex>& activityOf, PlannedNeeds& needs)
        : m_schedule(schedule)
        , m_activityOf(activityOf)
        , m_needs(needs)
        , m_streams(streamPlaces(schedule))
        , m_recorded(schedule.events, kNoActivity) {}

    void visit(const Op& op) {
        if (op.stream == kAllStreams)
            return;
        Stream& stream = m_streams[streamPlace(m_schedule, op)];
        if (op.kind == OpKind::EventRecord)
            m_recorded[op.event] = stream.last;
        else if (op.kind == OpKind::EventWait)
            stream.awaited.push_back(m_recorded[op.event]);
        else if (const ActivityIndex activity = m_activityOf[op.id.value]; activity != kNoActivity)
            enter(stream, op, activity);
    }

private:
    struct Stream {
        ActivityIndex last = kNoActivity;
        std::vector<ActivityIndex> awaited;
    };
    void enter(Stream& stream, const Op& op, ActivityIndex activity) {
        for (const ActivityIndex awaited : stream.awaited)
            if (awaited != kNoActivity)
                m_needs.events[op.id.value].push_back(awaited);
        stream.awaited.clear();
        if (op.kind != OpKind::HostFn || !watchesEvent(m_schedule.experiment.callbackMethod))
            stream.last = activity;
    }

    const Schedule& m_schedule;
    const std::vector<ActivityIndex>& m_activityOf;
    PlannedNeeds& m_needs;
    std::vector<Stream> m_streams; ///< then one NULL stream per device
    std::vector<ActivityIndex> m_recorded;
};

} // namespace

PlannedNeeds plannedNeeds(const Facts& facts) {
    PlannedNeeds needs;
    if (!facts.schedule)
        return needs;
    const Schedule& schedule = *facts.schedule;
    const std::vector<ActivityIndex> activityOf = activityOfOp(facts);
    needs.events.resize(schedule.ops.size());
    needs.callback.assign(schedule.ops.size(), kNoActivity);
    EventFollower follower(schedule, activityOf, needs);
    for (const Op& op : schedule.ops)
        follower.visit(op);
    for (const IssueUnit& unit : schedule.units)
        if (unit.awaits != kNoOp)
            std::fill_n(needs.callback.begin() + unit.first, unit.count, activityOf[unit.awaits.value]);
    return needs;
}

} // namespace olab

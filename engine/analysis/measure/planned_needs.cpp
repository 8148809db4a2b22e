#include "measure/planned_needs.h"

#include <numeric>

namespace olab::analysis {
namespace {

/// The activity of an op; if it has several (a staged copy), the one that ended last.
ActivityIndex activityOf(const Facts& facts, OpId op) {
    const Trace& trace = facts.trace();
    ActivityIndex last = kNoActivity;
    for (const ActivityIndex i : facts.ofOp(op)) {
        const ActivityClass cls = trace.cls(i);
        const bool stands = isDeviceClass(cls) || cls == ActivityClass::HostFn;
        if (stands && (last == kNoActivity || trace.time(i).end > trace.time(last).end))
            last = i;
    }
    return last;
}

/// Follows each stream in issue order: its last op, and what its next op has to wait for.
class EventFollower {
public:
    EventFollower(const experiment::Schedule& schedule, const std::vector<ActivityIndex>& activityOf)
        : m_schedule(schedule)
        , m_activityOf(activityOf)
        , m_streams(experiment::streamPlaces(schedule))
        , m_recorded(schedule.events, kNoActivity) {}

    void visit(const experiment::Op& op) {
        if (op.stream == experiment::kAllStreams)
            return;
        Stream& stream = m_streams[experiment::streamPlace(m_schedule, op)];
        if (op.kind == experiment::OpKind::EventRecord)
            m_recorded[op.event] = stream.last;
        else if (op.kind == experiment::OpKind::EventWait)
            stream.awaited.push_back(m_recorded[op.event]);
        else if (const ActivityIndex activity = m_activityOf[op.id.value]; activity != kNoActivity)
            enter(stream, op, activity);
    }
    /// By op, in the order in which they were awaited.
    std::vector<std::pair<OpId, ActivityIndex>> take() {
        std::ranges::stable_sort(m_needs, {}, [](const auto& need) { return need.first; });
        return std::move(m_needs);
    }

private:
    struct Stream {
        ActivityIndex last = kNoActivity;
        std::vector<ActivityIndex> awaited;
    };
    void enter(Stream& stream, const experiment::Op& op, ActivityIndex activity) {
        for (const ActivityIndex awaited : stream.awaited)
            if (awaited != kNoActivity)
                m_needs.emplace_back(op.id, awaited);
        stream.awaited.clear();
        if (!experiment::leavesStreamFree(op))
            stream.last = activity;
    }

    const experiment::Schedule& m_schedule;
    const std::vector<ActivityIndex>& m_activityOf;
    std::vector<Stream> m_streams; ///< then one NULL stream per device
    std::vector<ActivityIndex> m_recorded;
    std::vector<std::pair<OpId, ActivityIndex>> m_needs;
};

} // namespace

PlannedNeeds plannedNeeds(const Facts& facts) {
    PlannedNeeds needs;
    if (!facts.schedule())
        return needs;
    const experiment::Schedule& schedule = *facts.schedule();
    std::vector<ActivityIndex> activities(schedule.ops.size());
    for (std::uint32_t op = 0; op < activities.size(); ++op)
        activities[op] = activityOf(facts, OpId{op});
    EventFollower follower(schedule, activities);
    for (const experiment::Op& op : schedule.ops)
        follower.visit(op);
    needs.m_firstEvent.assign(activities.size() + 1, 0);
    for (const auto& [op, awaited] : follower.take()) {
        ++needs.m_firstEvent[op.value + 1];
        needs.m_events.push_back(awaited);
    }
    std::partial_sum(needs.m_firstEvent.begin(), needs.m_firstEvent.end(), needs.m_firstEvent.begin());
    needs.m_callback.assign(activities.size(), kNoActivity);
    for (const experiment::IssueUnit& unit : schedule.units)
        if (unit.awaits != kNoOp)
            std::fill_n(needs.m_callback.begin() + unit.first, unit.count, activities[unit.awaits.value]);
    return needs;
}

} // namespace olab::analysis

#include <olab/experiment/schedule.h>

#include <algorithm>

namespace olab::experiment {
namespace {

/// Walks the ops in nominal issue order and remembers the last op of every stream. If threads or callbacks
/// determine the order of issue, dependencies on the order between streams (the NULL stream) are left out.
class EdgeFinder {
public:
    explicit EdgeFinder(const Schedule& schedule)
        : m_schedule(schedule)
        , m_last(streamPlaces(schedule), kNoOp)
        , m_recorded(schedule.events, kNoOp)
        , m_lastSync(static_cast<std::size_t>(schedule.threads), kNoOp)
        , m_nullSeen(m_last.size(), kNoOp)
        , m_unwaited(static_cast<std::size_t>(schedule.devices))
        , m_beforeNull(static_cast<std::size_t>(schedule.devices)) {
        m_fixedOrder =
            schedule.threads == 1 && std::none_of(schedule.units.begin(), schedule.units.end(),
                                                  [](const IssueUnit& u) { return u.awaits != kNoOp; });
    }

    std::vector<Edge> find() {
        // A thread that serves callbacks takes its units in an order unknown to the plan.
        const bool unitsMove = !m_fixedOrder && m_schedule.threads == 1;
        for (const IssueUnit& unit : m_schedule.units) {
            if (unitsMove)
                m_lastSync.front() = kNoOp;
            for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i)
                visit(m_schedule.ops[i], unit);
        }
        return std::move(m_edges);
    }

private:
    std::size_t nullPlace(std::int32_t device) const {
        return m_schedule.streams.size() + static_cast<std::size_t>(device);
    }
    /// Streams that wait for the legacy NULL stream of `device`, and vice versa.
    bool heedsNull(std::size_t stream, std::int32_t device) const {
        const PlannedStream& s = m_schedule.streams[stream];
        return s.device == device &&
               (s.kind == PlannedStreamKind::Blocking || s.kind == PlannedStreamKind::PerThread);
    }

    void visit(const Op& op, const IssueUnit& unit) {
        auto& synced = m_lastSync[static_cast<std::size_t>(unit.thread)];
        add(synced, op, EdgeKind::HostSync);
        add(unit.awaits, op, EdgeKind::Callback);
        if (op.kind == OpKind::HostSync) {
            awaitStreams(op);
            synced = op.id;
            return;
        }
        if (op.kind == OpKind::InterfereCall || op.kind == OpKind::HostWork)
            return; // concerns the host: the effect of a call on streams is what is observed
        enterStream(op);
        if (op.kind == OpKind::EventWait)
            add(m_recorded[op.event], op, EdgeKind::Event);
        if (op.kind == OpKind::EventRecord)
            m_recorded[op.event] = op.id;
    }

    void enterStream(const Op& op) {
        const std::size_t place = streamPlace(m_schedule, op);
        const bool null = place >= m_schedule.streams.size();
        if (null && !m_fixedOrder)
            return;
        add(m_last[place], op, EdgeKind::Stream);
        if (m_fixedOrder)
            nullBarrier(op, place);
        if (!leavesStreamFree(op))
            becomeLast(op, place);
    }

    void becomeLast(const Op& op, std::size_t place) {
        const auto device = static_cast<std::size_t>(op.device);
        if (place == nullPlace(op.device))
            m_beforeNull[device].clear(); // later work in the NULL stream depends on these through it
        else if (heedsNull(place, op.device))
            m_beforeNull[device].add(place);
        m_unwaited[device].add(place);
        m_last[place] = op.id;
    }

    void nullBarrier(const Op& op, std::size_t place) {
        if (place < m_schedule.streams.size()) {
            const OpId null = m_last[nullPlace(op.device)];
            if (heedsNull(place, op.device) && null != m_nullSeen[place])
                add(null, op, EdgeKind::NullStream);
            m_nullSeen[place] = null;
            return;
        }
        for (const std::size_t s : m_beforeNull[static_cast<std::size_t>(op.device)].sorted())
            add(m_last[s], op, EdgeKind::NullStream);
    }

    void awaitStreams(const Op& op) {
        if (op.stream != kAllStreams)
            return add(m_last[streamPlace(m_schedule, op)], op, EdgeKind::HostSync);
        if (!m_fixedOrder) // of the other streams it awaits whatever has been issued by then
            return add(m_last[static_cast<std::size_t>(op.pipeline)], op, EdgeKind::HostSync);
        Places& unwaited = m_unwaited[static_cast<std::size_t>(op.device)];
        for (const std::size_t place : unwaited.sorted())
            add(m_last[place], op, EdgeKind::HostSync);
        unwaited.clear(); // the next wait of this thread depends on them through this one
    }

    void add(OpId before, const Op& after, EdgeKind kind) {
        if (before != kNoOp)
            m_edges.push_back({before, after.id, kind});
    }

    /// Streams with work issued since the last barrier: using only these, a barrier has no more edges than
    /// there are ops before it.
    class Places {
    public:
        void add(std::size_t place) {
            if (place >= m_holds.size())
                m_holds.resize(place + 1);
            if (!m_holds[place])
                m_places.push_back(place);
            m_holds[place] = true;
        }
        const std::vector<std::size_t>& sorted() {
            std::ranges::sort(m_places);
            return m_places;
        }
        void clear() {
            for (const std::size_t place : m_places)
                m_holds[place] = false;
            m_places.clear();
        }

    private:
        std::vector<std::size_t> m_places;
        std::vector<bool> m_holds;
    };

    const Schedule& m_schedule;
    std::vector<OpId> m_last; ///< per stream, then per device the NULL stream
    std::vector<OpId> m_recorded;
    std::vector<OpId> m_lastSync;     ///< per thread
    std::vector<OpId> m_nullSeen;     ///< per stream: the NULL-stream op that its last one already depends on
    std::vector<Places> m_unwaited;   ///< per device: since the host last waited for all of it
    std::vector<Places> m_beforeNull; ///< per device: blocking streams, since its last NULL-stream op
    bool m_fixedOrder = true;
    std::vector<Edge> m_edges;
};

} // namespace

std::size_t streamPlace(const Schedule& schedule, const Op& op) {
    const bool null = op.stream == kNullStream ||
                      schedule.streams[static_cast<std::size_t>(op.stream)].kind == PlannedStreamKind::Legacy;
    return null ? schedule.streams.size() + static_cast<std::size_t>(op.device)
                : static_cast<std::size_t>(op.stream);
}

std::size_t streamPlaces(const Schedule& schedule) {
    return schedule.streams.size() + static_cast<std::size_t>(schedule.devices);
}

std::vector<Edge> dependencies(const Schedule& schedule) {
    return EdgeFinder(schedule).find();
}

} // namespace olab::experiment

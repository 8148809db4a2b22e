// All facts that rules, pages and links may use, computed once when a recording is made
// (recording/recording.h) and shared by all readers: TraceFacts for rules, which judge what happened, and
// Facts, which adds the plan, for everything else. Only gatherFacts() makes them, and they never change
// afterwards; any thread. They refer to the trace, the lanes and the schedule that they were made from, which
// must outlive them and stay in place. Data per activity is in columns of at most 4 bytes each; look-ups by
// op, stream, engine, thread or call use an index. Times are ns.
#pragma once

#include <olab/analysis/device_work.h>
#include <olab/analysis/recorded_needs.h>
#include <olab/analysis/report.h>
#include <olab/analysis/wait_table.h>
#include <olab/analysis/work.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/overlap_index.h>

#include <memory>

namespace olab {
class LaneSet;
} // namespace olab

namespace olab::experiment {
struct Plan;
} // namespace olab::experiment

namespace olab::analysis {

class Facts;

/// The input of gatherFacts(). It must outlive the facts.
struct AnalysisInput {
    const Trace& trace;
    const LaneSet& lanes;
    const experiment::Plan* plan = nullptr; ///< null: imported trace, the plan is unknown
    std::optional<ToolEffect> toolEffect{};
    JobRuns runs{}; ///< of the job; the analysed run is `shown`
};

/// A time in which the resident kernels left no room for one more block, and the kernel that took most of it.
struct FullGrid {
    Interval time;
    ActivityIndex kernel = kNoActivity;
};

/// How long ops of one class were delayed by ops of another.
struct BlockedTimes {
    /// [waiting class][class that held or slowed it]. A wait counts for the class of its blocker; an op held
    /// by the NULL stream is blocked by each class for the time that class ran meanwhile, because it had to
    /// wait for that work; a stretch counts for each class that was resident meanwhile.
    std::array<std::array<Ns, kDeviceClassCount>, kDeviceClassCount> by{};
    /// The part of `by` in which ops ran longer than solo. DeviceFacts has only this part: blockedTimes()
    /// adds the waits.
    std::array<std::array<Ns, kDeviceClassCount>, kDeviceClassCount> stretchedBy{};
    std::array<Ns, kDeviceClassCount> soloSum{};
    std::array<Ns, kDeviceClassCount> median{}; ///< of the durations
    Ns blocked(ActivityClass waiting, ActivityClass holder) const {
        return by[static_cast<std::size_t>(waiting)][static_cast<std::size_t>(holder)];
    }
    Ns stretched(ActivityClass slowed, ActivityClass slower) const {
        return stretchedBy[static_cast<std::size_t>(slowed)][static_cast<std::size_t>(slower)];
    }
    Ns solo(ActivityClass c) const { return soloSum[static_cast<std::size_t>(c)]; }
};

/// Facts per device of the trace (same index as Trace::devices()).
struct DeviceFacts {
    std::array<IntervalSet, kDeviceClassCount> coverage; ///< the basis of the overlap numbers
    OverlapIndex overlaps;           ///< the same numbers for any range, fast enough to follow the mouse
    std::vector<FullGrid> fullGrids; ///< sorted, disjoint; empty when no kernel's residency is known
    IntervalSet full;                ///< their union
    bool knowsResidency = false;     ///< for every kernel the number of resident blocks is known
    Ns computeLoad =
        0; ///< the need of the SMs for all work: solo times, kernels by their share of the device
    BlockedTimes blocked;
};

/// What an op waits for by plan, beyond the order of its stream. Empty without a schedule.
class PlannedNeeds {
public:
    bool empty() const { return m_callback.empty(); }
    /// Activities whose end an event makes the op wait for: of each waited-for event the last op before its
    /// record in the recording stream.
    std::span<const ActivityIndex> events(OpId op) const {
        if (op.value >= m_callback.size())
            return {};
        const std::uint32_t first = m_firstEvent[op.value];
        return {m_events.data() + first, m_firstEvent[op.value + 1] - first};
    }
    bool hasEvents() const { return !m_events.empty(); }
    /// The host function whose end lets the host issue the op; kNoActivity: none.
    ActivityIndex callback(OpId op) const {
        return op.value < m_callback.size() ? m_callback[op.value] : kNoActivity;
    }

private:
    friend PlannedNeeds plannedNeeds(const Facts& facts);
    std::vector<std::uint32_t> m_firstEvent; ///< per op, and one past the end: index into ...
    std::vector<ActivityIndex> m_events;
    std::vector<ActivityIndex> m_callback; ///< per op
};

/// A host function and its stream: from its call; in an older recording or a graph, the stream of the work
/// planned for the same pipeline.
struct HostFunction {
    ActivityIndex row = kNoActivity;
    QueueId stream = kNoQueue; ///< kNoQueue: unknown
    bool holdsStream = false;  ///< later work of the stream waits for it; otherwise it only watches an event
};

/// What the host did.
struct HostFacts {
    HostNumbers numbers;
    /// API calls that issue work, without those that wait or query: the time in them, and from the first
    /// begin to the last end.
    Ns issuing = 0, issuingSpan = 0;
};

/// What the records say. A plan, option or preset cannot be reached from here: a rule that used one would
/// only find what is known already, and nothing in recordings of other programs.
class TraceFacts {
public:
    TraceFacts(const TraceFacts&) = delete;
    TraceFacts& operator=(const TraceFacts&) = delete;

    const Trace& trace() const { return m_trace; }
    const LaneSet& lanes() const { return m_lanes; }
    std::uint64_t count(ActivityClass c) const { return m_counts[static_cast<std::size_t>(c)]; }

    // --- device work
    const DeviceWork& deviceWork() const { return m_deviceWork; }
    /// The kind of work of a device activity.
    const Work& work(ActivityIndex row) const { return m_works[workAt(m_deviceWork.numberOf(row)).value]; }
    WorkId workAt(std::size_t number) const {
        return WorkId{m_workOf.empty() ? m_workOfKind[m_trace.kindOf(m_deviceWork.row(number))]
                                       : m_workOf[number]};
    }
    std::span<const Work> works() const { return {m_works.data(), m_works.size()}; }
    const Work& operator[](WorkId id) const { return m_works[id.value]; }
    /// How long it takes alone; 0 for host activities.
    Ns solo(ActivityIndex row) const { return isDeviceClass(m_trace.cls(row)) ? work(row).solo : 0; }
    /// Why it started when it did, as far as the records of neighbouring activities show; nothing for host
    /// activities. For rules; people are shown ExplainedWait.
    std::optional<ExplainedWait> waitOf(ActivityIndex row) const;
    /// Only the cause of waitOf(), for passes over many rows of device work.
    LossCause causeOf(ActivityIndex row) const { return m_waits.cause(m_deviceWork.numberOf(row)); }
    /// For device work: the largest op of another class that was resident while it was stretched;
    /// kNoActivity: none.
    ActivityIndex stretcherOf(ActivityIndex row) const;

    /// One wait per device activity, in begin order, assembled on access.
    class Waits;
    Waits waits() const;
    const WaitTable& waitTable() const { return m_waits; }

    // --- the host
    /// Its API call, or kNoActivity.
    ActivityIndex apiOf(ActivityIndex row) const { return m_apiOf.empty() ? kNoActivity : m_apiOf[row]; }
    bool hasApi() const { return m_hasApi; } ///< of at least one device activity
    const HostFacts& host() const { return m_host; }

    // --- what a row had to wait for by its records; empty in recordings without stream calls
    /// The activities whose end an event makes the row wait for. Also for host functions.
    std::span<const ActivityIndex> eventNeeds(ActivityIndex row) const { return m_recordedNeeds.events(row); }
    bool hasRecordedEvents() const { return m_recordedNeeds.hasEvents(); }
    /// The host function directly before it in its stream; kNoActivity: none.
    ActivityIndex hostFnBefore(ActivityIndex row) const { return m_recordedNeeds.hostFnBefore(row); }

    // --- indices; activities in begin order
    NearNumbers ofStream(QueueId stream) const; ///< its device work
    NearNumbers ofEngine(std::uint8_t device, EngineKind engine) const;
    NearNumbers ofThread(QueueId thread) const;     ///< its API calls
    NearNumbers issuedBy(ActivityIndex call) const; ///< all activities that an API call issued; O(log n)
    NearNumbers byCall() const { return m_byCall.numbers(); } ///< all issued activities, by their call

    // --- devices and the whole
    std::span<const DeviceFacts> perDevice() const;
    std::span<const DeviceReport> devices() const;    ///< the measured numbers
    const Bounds& bounds() const { return m_bounds; } ///< estimates: without the account
    /// The run: for a run of the lab the measured window; for any other from the first call that led to
    /// device work (the begin of that work if calls were not recorded) to the end of the last work.
    Interval runSpan() const { return m_runSpan; }
    bool hasSolos() const { return m_hasSolos; }
    /// Who waited for whom in the collectives of several devices; null: there are none.
    const std::shared_ptr<const Collectives>& collectives() const { return m_collectives; }
    /// Null: no communication.
    const std::shared_ptr<const Communication>& communication() const { return m_communication; }
    /// The kind of at least one stream (blocking, non-blocking, NULL) is known.
    bool hasStreamKinds() const { return m_hasStreamKinds; }
    Ns resolution() const { return m_resolution; } ///< step of the device's time stamps

protected:
    TraceFacts(const Trace& trace, const LaneSet& lanes);
    ~TraceFacts(); // only as part of Facts
    std::size_t columnBytes() const;

private:
    friend class FactsBuilder;
    ExplainedWait waitAt(std::size_t number) const;

    const Trace& m_trace;
    const LaneSet& m_lanes;
    std::array<std::uint64_t, kClassCount> m_counts{};
    DeviceWork m_deviceWork;
    std::vector<Work> m_works;
    std::vector<std::uint32_t> m_workOfKind; ///< by kind of activity, if the kind determines it
    Column<std::uint32_t> m_workOf;          ///< by number of device work; empty if the kind determines it
    WaitTable m_waits;
    NearColumn m_apiOf;  ///< by row; empty without API calls
    NearColumn m_byCall; ///< all rows with an API call, by that call
    RecordedNeeds m_recordedNeeds;
    std::vector<DeviceFacts> m_perDevice;
    std::vector<DeviceReport> m_devices;
    HostFacts m_host;
    Bounds m_bounds;
    Interval m_runSpan;
    std::shared_ptr<const Collectives> m_collectives;
    std::shared_ptr<const Communication> m_communication;
    bool m_hasApi = false, m_hasSolos = false, m_hasStreamKinds = false;
    Ns m_resolution = 1;
    /// Checkpoints per device and class: the earlier activity that ends last (StretcherFinder).
    std::vector<ActivityIndex> m_reaching;
};

/// TraceFacts and the plan.
class Facts : public TraceFacts {
public:
    ~Facts();
    const experiment::Schedule* schedule() const {
        return m_schedule;
    } ///< null: nothing is known of what was planned
    /// The schedule with the chosen options; used to offer remedies.
    const experiment::Plan* plan() const { return m_plan; }
    /// The planned op; null if unknown.
    const experiment::Op* opOf(ActivityIndex row) const {
        const std::uint32_t op = trace().opOf(row).value;
        return m_schedule && op < m_schedule->ops.size() ? &m_schedule->ops[op] : nullptr;
    }
    std::span<const ActivityIndex> ofOp(OpId op) const; ///< `op`: of the schedule; all its records, by begin
    const PlannedNeeds& needs() const { return m_needs; }
    /// The activities whose end an event makes a row wait for: from the records; from the plan if the
    /// recording has none, and in a graph, whose events leave no records.
    std::span<const ActivityIndex> awaitedEvents(ActivityIndex row) const {
        const auto recorded = eventNeeds(row);
        return m_plansEvents && recorded.empty() ? m_needs.events(trace().opOf(row)) : recorded;
    }
    std::span<const HostFunction> hostFunctions() const { return m_hostFunctions; } ///< by begin
    bool hasEvents() const { return hasRecordedEvents() || (m_plansEvents && m_needs.hasEvents()); }
    std::size_t memoryBytes() const;

private:
    friend class FactsBuilder;
    explicit Facts(const AnalysisInput& input);

    const experiment::Plan* m_plan;
    const experiment::Schedule* m_schedule; ///< the same
    std::vector<std::uint32_t> m_firstOfOp; ///< per op, and one past the end: index into ...
    Column<ActivityIndex> m_byOp;           ///< ... all rows with an op of the schedule
    PlannedNeeds m_needs;
    std::vector<HostFunction> m_hostFunctions;
    bool m_plansEvents = false;
};

using FactsPtr = std::unique_ptr<const Facts>;

class TraceFacts::Waits {
public:
    class Iterator {
    public:
        using value_type = ExplainedWait;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(const TraceFacts* facts, std::size_t at)
            : m_facts(facts)
            , m_at(at) {}
        ExplainedWait operator*() const { return m_facts->waitAt(m_at); }
        Iterator& operator++() {
            ++m_at;
            return *this;
        }
        Iterator operator++(int) { return {m_facts, m_at++}; }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const TraceFacts* m_facts = nullptr;
        std::size_t m_at = 0;
    };
    explicit Waits(const TraceFacts& facts)
        : m_facts(facts) {}
    std::size_t size() const { return m_facts.m_waits.size(); }
    bool empty() const { return size() == 0; }
    ExplainedWait operator[](std::size_t number) const { return m_facts.waitAt(number); }
    Iterator begin() const { return {&m_facts, 0}; }
    Iterator end() const { return {&m_facts, size()}; }

private:
    const TraceFacts& m_facts;
};

inline TraceFacts::Waits TraceFacts::waits() const {
    return Waits(*this);
}

} // namespace olab::analysis

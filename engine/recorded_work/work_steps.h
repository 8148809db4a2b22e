// The steps of a window of a trace in the order of issue: device work, and what the host and events did
// between. Private to the module.
#pragma once

#include "work_rows.h"

#include <olab/analysis/facts.h>
#include <olab/experiment/recorded_work.h>

#include <map>
#include <span>

namespace olab::recorded_work::detail {

struct WorkStep {
    Ns at = 0;               ///< begin of its call; without a call, its own begin
    Ns called = 0;           ///< return of its call; without a call, `at`
    std::uint32_t row = 0;   ///< device work: index into WorkRows::rows; kNoNumber: none
    std::uint32_t order = 0; ///< order among steps at the same time
    experiment::RecordedOp op;
};

/// Counts for the messages.
struct WorkGaps {
    std::size_t calls = 0, withoutCall = 0, unknownMemory = 0, knownMemory = 0, unknownStreams = 0,
                unknownGrids = 0, unknownBytes = 0, otherCopies = 0, peerCopies = 0, apart = 0,
                waitsForWhom = 0, mergedStreams = 0, threads = 0, grouped = 0, looseFunctions = 0;
    bool events = false;
};

/// Streams, events, host functions and waits of the window, in the order of issue; `amount` and `number` of
/// copies and kernels are filled in elsewhere.
class WorkSteps {
public:
    WorkSteps(const analysis::TraceFacts& facts, const WorkRows& rows, WorkGaps& gaps);
    std::vector<WorkStep> steps() { return std::move(m_steps); }
    std::vector<experiment::RecordedStream> streams() { return std::move(m_streams); }
    std::uint32_t events() const { return m_events; }
    bool queued() const { return m_queued; }
    experiment::Api api() const {
        return m_driverCalls > m_runtimeCalls ? experiment::Api::Driver : experiment::Api::Runtime;
    }

private:
    void addStreams();
    void addWork();
    void addCalls();
    void addCall(ActivityIndex call);
    void addStreamCall(ActivityIndex call, const StreamCall& made);
    void addEventWait(ActivityIndex call, const StreamCall& made);
    void addNamedWait(ActivityIndex call);
    void addLooseHostFns();
    void addHostFn(ActivityIndex call, std::int32_t stream);
    std::int32_t streamBefore(Ns time) const;
    void add(ActivityIndex call, experiment::RecordedOp op);
    std::int32_t streamOf(QueueId queue);
    std::int32_t knownStream(QueueId queue) const;
    std::int32_t laneFor(std::uint32_t number, std::int32_t stream);
    void orderBehind(std::int32_t lane, std::int32_t other, std::uint32_t number);
    void keepStreamOrder();
    void addHostWork();
    void addIdle();
    Ns waitedIn(const WorkStep& step) const;

    const analysis::TraceFacts& m_facts;
    const Trace& m_trace;
    const WorkRows& m_rows;
    WorkGaps& m_gaps;
    Interval m_issued; ///< calls in this time belong to the window
    Ns m_firstBegin = 0;
    std::vector<WorkStep> m_steps;
    std::vector<experiment::RecordedStream> m_streams;
    std::map<std::uint16_t, std::int32_t> m_streamOf; ///< by queue
    struct Lane {
        std::int32_t stream = 0;
        Ns end = 0;
        std::vector<std::pair<std::int32_t, Ns>> behind; ///< other lanes, with the end up to which
    };
    std::map<std::int32_t, std::vector<Lane>> m_lanes; ///< by stream: work that overlapped others of it
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<std::uint32_t, std::int32_t>>
        m_recordings; ///< (event, which recording) -> (number, stream)
    std::uint32_t m_events = 0;
    std::size_t m_driverCalls = 0, m_runtimeCalls = 0;
    bool m_queued = false;
};

} // namespace olab::recorded_work::detail

// The work of a recording, to be run again as an experiment: the operations of a window in order of issue,
// with everything the records say about them. It replaces the pipeline that options describe. plan() makes a
// schedule from it and from the options that can change it: while such an option has the recording's value,
// every operation stays as recorded; any other value applies to all of them. A plain value; sizes in bytes,
// times in ns. Made by recordWork() (run), kept in an experiment's JSON.
#pragma once

#include <olab/experiment/option_choices.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace olab::experiment {

struct Experiment;
class HeldExperiment;

/// More operations of a device than this would take too long to run: choose a shorter window.
inline constexpr std::size_t kMostRecordedOps = 20'000;
/// With events, waits and host work between them.
inline constexpr std::size_t kMostRecordedSteps = 100'000;
/// Distinct kernels: each is calibrated and run alone.
inline constexpr std::size_t kMostRecordedGrids = 64;
inline constexpr std::size_t kMostRecordedStreams = 128;

struct RecordedOp {
    OpKind kind{};            ///< CopyH2D, CopyD2H, FillCopy (D2D), Memset, Kernel, HostFn, EventRecord,
                              ///< EventWait, HostSync or HostWork
    HostMemory memory{};      ///< copies between host and device
    SyncMode sync{};          ///< HostSync; Device: for all streams
    std::int32_t stream = 0;  ///< into RecordedWork::streams; HostSync by Device, HostWork: 0
    std::int64_t amount = 0;  ///< bytes; HostFn and HostWork: ns
    std::uint32_t number = 0; ///< Kernel: index into RecordedWork::grids; EventRecord, EventWait: which event
    friend bool operator==(const RecordedOp&, const RecordedOp&) = default;
};

struct RecordedStream {
    PlannedStreamKind kind{}; ///< Legacy: the NULL stream, one at most
    std::uint32_t priorityRank = kNoNumber;
    friend bool operator==(const RecordedStream&, const RecordedStream&) = default;
};

struct RecordedWork {
    std::string title; ///< of the recording, and the window if it is not all of it
    std::vector<RecordedStream> streams;
    std::vector<PlannedGrid> grids;
    std::vector<RecordedOp> ops; ///< in the order of issue
    std::uint32_t events = 0;
    Ns makespan = 0; ///< the duration of the window by its records, first begin to last end of device work
    /// The most frequent setting: the value of an option that leaves everything as recorded.
    HostMemory source{}, target{};
    PlannedStreamKind streamKind{};
    SyncMode sync{};
    Api api{};
    bool waits = false;  ///< the host waited before the end of the window
    bool queued = false; ///< everything was issued before the first operation began
    HostRates rates;     ///< of the recorded machine, for the simulator; 0: not known
    /// What was assumed because the records do not say it, one sentence each, with the option that changes
    /// it.
    std::vector<std::string> assumed;
    friend bool operator==(const RecordedWork&, const RecordedWork&) = default;
};

/// Shared by all copies of an experiment; equal where the work is.
class RecordedWorkPtr {
public:
    RecordedWorkPtr() = default;
    explicit RecordedWorkPtr(RecordedWork work)
        : m_work(std::make_shared<const RecordedWork>(std::move(work))) {}
    explicit operator bool() const { return m_work != nullptr; }
    const RecordedWork& operator*() const { return *m_work; }
    const RecordedWork* operator->() const { return m_work.get(); }
    friend bool operator==(const RecordedWorkPtr& a, const RecordedWorkPtr& b) {
        return a.m_work == b.m_work || (a.m_work && b.m_work && *a.m_work == *b.m_work);
    }

private:
    std::shared_ptr<const RecordedWork> m_work;
};

/// The experiment that runs it as recorded.
HeldExperiment experimentOf(RecordedWork work);
/// What runs instead of the pipeline that options describe; null: the pipeline.
const RecordedWork* recordedWorkOf(const Experiment& experiment);
/// Why an option does nothing to recorded work; empty: it can be changed.
std::string_view idleForRecordedWork(std::string_view key);
/// One line of description: "412 operations in 4 streams of demo.olab".
std::string recordedWorkText(const RecordedWork& work);

} // namespace olab::experiment

// A CUPTI activity capture: one per process, for the life of the process (CUPTI cannot be detached safely).
// Construct it before the first CUDA call. All members are called from one thread, the engine's; pushOp/popOp
// from any issuing thread.
//
// Its own thread consumes the records, within a memory cap: during the run as soon as a quarter of the cap
// waits, else when drain() asks for them. Records that arrive faster than they can be consumed are discarded
// and counted: records produced = read + refused + dropped, always.
//
// It may run in another program. Only the members below throw, nothing ends the process, and in a forked
// child all members do nothing. Links only trace and CUPTI's headers.
#pragma once

#include <olab/cupti/decode.h>
#include <olab/cupti/host_process.h>
#include <olab/trace/records.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

struct CUgraphNode_st; // CUDA's cudaGraphNode_t is a pointer to it
struct CUctx_st;
struct CUstream_st;

namespace olab::cupti {

struct CollectorConfig {
    std::filesystem::path rawCuptiFile; ///< also keep the raw buffers here; empty: do not
    /// Cap for records that wait to be consumed. In addition CUPTI holds one or two buffers per thread.
    std::size_t memoryCap = std::size_t{1} << 30;
    HostProgram host = HostProgram::Ours;
    /// In other people's programs: record calls that only ask, too.
    bool allCalls = false;
    /// Start with devices, contexts and streams only, until record(true).
    bool asleep = false;
    /// Told when the program begins (true) and ends a part that it marks; on its own threads, within a call
    /// of CUPTI, which may be answered by record(). Empty: marks are not followed.
    std::function<void(bool begins)> partMarked;
    /// Told once when marks cannot be followed any more (or never could), because another client, whose name
    /// it gets, stays subscribed: then nothing is recorded from then on. By the consuming thread.
    std::function<void(const std::string& name)> partLost;
    /// The NVTX range that marks parts; empty: cudaProfilerStart() and cudaProfilerStop() do.
    std::string partRange;
    /// In other people's programs: while records are off CUPTI is taken out, so that the program is as fast
    /// as without it; marks are not followed then.
    bool restsWhenOff = false;
    /// Told when another client of CUPTI in the program takes over (its name), and when it has ended (empty);
    /// in between nothing is recorded.
    std::function<void(const std::string& name)> yields;
    /// Use the record kind that serialises kernels: this distorts the measurement on purpose, to show what
    /// that looks like.
    bool serialKernels = false;
    /// Consume complete buffers at least this often; 0: only when enough are waiting, so that no thread wakes
    /// up while a short run is measured.
    std::chrono::milliseconds takeInEvery{0};
    /// Called by the consuming thread when all waiting records are in the sink; may throw.
    std::function<void()> takenIn;
};

/// The ids of a stream and its context in records; kNoNumber: not known.
struct StreamNumbers {
    std::uint32_t context = kNoNumber, stream = kNoNumber;
    friend auto operator<=>(const StreamNumbers&, const StreamNumbers&) = default;
};

class Collector {
public:
    /// Loads libcupti, tests its record strides, subscribes, and enables the kinds in the table.
    /// @throws Error kind NoDevice: no-cupti, wrong-cupti, cupti-busy (names the other profiler),
    /// no-permission, cupti-failed; Internal: no-thread, second-collector
    explicit Collector(CollectorConfig config = {});
    ~Collector();
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    /// Calls of the runtime that are not recorded, in other people's programs: those that only ask. Their
    /// names, with ", " between them; empty: none.
    const std::string& notRecorded() const;
    /// Switches all records on or off, except those of devices, contexts and streams. Any thread; each change
    /// is noted in the environment. @returns false: CUPTI refused
    bool record(bool on) noexcept;
    std::uint32_t version() const; ///< as cuptiGetVersion: 130001 ...

    /// Work issued by this thread until popOp() belongs to `op`.
    void pushOp(OpId op);
    void popOp();
    /// The work of this node of a captured graph, in any graph instantiated from it later, belongs to `op`;
    /// this is needed because all nodes of a launch share the launch's correlation. discard() forgets it.
    void tagNode(CUgraphNode_st* node, OpId op);
    /// `context` must be current and that of the stream.
    StreamNumbers numbersOf(CUctx_st* context, CUstream_st* stream) const;
    /// Whether driver API calls are recorded. Initially off, because the runtime makes such calls too. In
    /// other people's programs those that matter are recorded at first, and given up once records show that
    /// the program works by the runtime alone; the environment says from and until when.
    void recordDriverCalls(bool on);

    /// Flushes and discards all records except devices, contexts and streams, which go to `out`. Call with
    /// the device idle.
    void discard(RecordSink& out);

    enum class KeepRaw : bool { No, Yes }; ///< whether the raw buffers go to the raw file, if there is one

    /// While one exists, records go to `out` as they arrive, on another thread: nobody else may use `out`.
    /// Ends with drain(), which delivers the rest, or without drain() if the run failed.
    class Following {
    public:
        Following(Collector& collector, RecordSink& out, KeepRaw keep = KeepRaw::Yes);
        ~Following();
        Following(const Following&) = delete;
        Following& operator=(const Following&) = delete;

    private:
        Collector& m_collector;
    };

    /// Flushes and decodes all records into `out`, with the counts of dropped and refused ones; if `out` is
    /// being followed, only those it does not have yet. Call with the device idle. @throws Error, and what
    /// `out` throws
    void drain(RecordSink& out, KeepRaw keep = KeepRaw::Yes);

private:
    void follow(RecordSink& out, KeepRaw keep);
    void tellLosses(RecordSink& out);
    struct State;
    std::unique_ptr<State> m_state;
};

/// Environment: names of calls that are not recorded; and from and until when driver calls are.
inline constexpr std::string_view kNotRecordedKey = "calls.not_recorded",
                                  kDriverCallsFromKey = "calls.driver_from",
                                  kDriverCallsUntilKey = "calls.driver_until";
/// Environment, where another client of CUPTI recorded instead: "FROM-UNTIL NAME", with "; " between them.
inline constexpr std::string_view kYieldedKey = "recorded.yielded";
/// Environment, where recording was switched: "FROM-UNTIL FROM-", in nanoseconds of the wall clock.
inline constexpr std::string_view kRecordedSpansKey = "recorded.spans";

/// For other people's programs in which a Collector may be created later: starts observing other clients of
/// CUPTI. Loads CUPTI without calling it.
void expectCollector() noexcept;

/// Version of the libcupti that would be used, or why there is none: for `olab devices`.
struct CuptiProbe {
    std::uint32_t version = 0; ///< 0: none
    std::string file, why;
};
CuptiProbe probeCupti();

} // namespace olab::cupti

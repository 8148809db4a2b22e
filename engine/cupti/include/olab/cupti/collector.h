// A CUPTI activity capture, one per process and for its whole life (CUPTI cannot be detached safely).
// Construct it before the first CUDA call. All members are called from one thread, the engine's; pushOp/popOp
// from any issuing thread.
//
// Records are taken in by a thread of its own, within a cap of memory: while work goes on once a quarter of
// the cap waits, else when drain() asks for them. What comes faster than it can be taken in is discarded and
// counted: records produced = read + refused + dropped, always.
//
// It may sit in somebody else's program. Nothing but the members below throws, nothing ends the process, and
// a forked child of it neither takes records in nor gives any out: all members do nothing there. Links trace
// and CUPTI's headers alone.
#pragma once

#include <olab/cupti/decode.h>
#include <olab/cupti/host_program.h>
#include <olab/trace/records.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

struct CUgraphNode_st; // CUDA's cudaGraphNode_t is a pointer to it
struct CUctx_st;
struct CUstream_st;

namespace olab {

struct CollectorConfig {
    std::filesystem::path rawCuptiFile; ///< also keep the raw buffers here; empty: do not
    /// Of records that wait to be taken in. Besides these CUPTI holds a buffer or two for each thread.
    std::size_t memoryCap = std::size_t{1} << 30;
    HostProgram host = HostProgram::Ours;
    /// Record kernels by the kind that runs one after the other: the capture spoils what it measures, on
    /// purpose, to show what that looks like.
    bool serialKernels = false;
    /// Take in what is complete at least so often; 0: only when enough waits, so that nothing wakes up while
    /// a short run is measured.
    std::chrono::milliseconds takeInEvery{0};
    /// Called by the thread that takes records in, when all that waited is in the sink; may throw.
    std::function<void()> takenIn;
};

/// What records call a stream and its context; kNoNumber: not known.
struct StreamNumbers {
    std::uint32_t context = kNoNumber, stream = kNoNumber;
    friend auto operator<=>(const StreamNumbers&, const StreamNumbers&) = default;
};

class Collector {
public:
    /// Loads libcupti, tests its record strides, subscribes, enables the kinds of the table.
    /// @throws Error kind NoDevice: no-cupti, wrong-cupti, cupti-busy (names the other profiler),
    /// no-permission, cupti-failed; Internal: no-thread, second-collector
    explicit Collector(CollectorConfig config = {});
    ~Collector();
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    std::uint32_t version() const; ///< as cuptiGetVersion: 130001 ...

    /// Work issued by this thread until popOp() belongs to `op`.
    void pushOp(OpId op);
    void popOp();
    /// What this node of a captured graph does, in any graph instantiated from it later, belongs to `op`:
    /// all nodes of a launch share the launch's correlation. Forgotten by discard().
    void tagNode(CUgraphNode_st* node, OpId op);
    /// `context` must be current, and the stream's.
    StreamNumbers numbersOf(CUctx_st* context, CUstream_st* stream) const;
    /// Whether calls of the driver API are recorded. Off at first: the runtime calls them too.
    void recordDriverCalls(bool on);

    /// Flushes and throws the records away, but for devices, contexts and streams, which go to `out`. Call
    /// with the device idle.
    void discard(RecordSink& out);

    enum class KeepRaw : bool { No, Yes }; ///< whether the raw buffers go to the raw file, if there is one

    /// While one lives, records go to `out` as they come, on another thread: nobody else may use `out`. Ends
    /// with drain(), which gives it the rest, or without it when what was measured has failed.
    class Following {
    public:
        Following(Collector& collector, RecordSink& out, KeepRaw keep = KeepRaw::Yes);
        ~Following();
        Following(const Following&) = delete;
        Following& operator=(const Following&) = delete;

    private:
        Collector& m_collector;
    };

    /// Flushes and decodes all records into `out`, with what was dropped or refused; where `out` is being
    /// followed, those that it has not got yet. Call with the device idle. @throws Error, and what `out`
    /// throws
    void drain(RecordSink& out, KeepRaw keep = KeepRaw::Yes);

private:
    void follow(RecordSink& out, KeepRaw keep);
    void tellLosses(RecordSink& out);
    struct State;
    std::unique_ptr<State> m_state;
};

/// Version of the libcupti that would be used, or why there is none: for `olab devices`.
struct CuptiProbe {
    std::uint32_t version = 0; ///< 0: none
    std::string file, why;
};
CuptiProbe probeCupti();

} // namespace olab

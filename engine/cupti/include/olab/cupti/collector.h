// A CUPTI activity capture, one per process and for its whole life (CUPTI cannot be detached safely).
// Construct it before the first CUDA call. All members are called from the engine thread; pushOp/popOp from
// any issuing thread.
#pragma once

#include <olab/cupti/buffer_pool.h>
#include <olab/cupti/decode.h>
#include <olab/trace/records.h>

#include <filesystem>
#include <memory>
#include <string>

struct CUgraphNode_st; // CUDA's cudaGraphNode_t is a pointer to it

namespace olab {

struct CollectorConfig {
    std::filesystem::path rawCuptiFile; ///< also keep the raw buffers here; empty: do not
};

class Collector {
public:
    /// Loads libcupti, tests its record strides, subscribes, enables the kinds of the table.
    /// @throws Error kind NoDevice: no-cupti, wrong-cupti, cupti-busy (names the other profiler),
    /// no-permission, cupti-failed
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
    /// Whether calls of the driver API are recorded. Off at first: the runtime calls them too.
    void recordDriverCalls(bool on);

    /// Flushes and throws the records away, but for devices, contexts and streams, which go to `out`. Call
    /// with the device idle.
    void discard(RecordSink& out);
    /// Flushes and decodes all records into `out`, with what was dropped or refused. Call with the device
    /// idle. `keep`: whether the raw buffers go to the raw file, if there is one.
    enum class KeepRaw : bool { No, Yes };
    void drain(RecordSink& out, KeepRaw keep = KeepRaw::Yes);

private:
    void startCapture();
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

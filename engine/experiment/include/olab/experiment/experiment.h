// An experiment: the validated value of every option. A plain value; the option table (option_table.h) is the
// only thing that knows keys, texts, ranges and defaults, and the form, command line, JSON and help all come
// from it. Only for code that implements options: a new member rebuilds everything that includes this. All
// other code holds an experiment and queries it by key (held_experiment.h).
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_choices.h>
#include <olab/experiment/recorded_work.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment {

// Choices that only plan() and the exported code use.
enum class CopyTarget : std::uint8_t { Global, Constant };
enum class MemsetMethod : std::uint8_t { Api, Kernel, Copy };
enum class KernelStream : std::uint8_t { Own, Null, Other };
enum class BufferUse : std::uint8_t { Own, Shared };
enum class IssueMode : std::uint8_t { Ahead, OnCallback };
enum class IssueThreads : std::uint8_t { One, PerStream };
enum class Submit : std::uint8_t { Stream, Graph };
enum class StreamPriority : std::uint8_t { Equal, Descending, FirstHigh };
/// NoFreeEvent: as On, but nothing says that a buffer may be used again.
enum class StreamRoles : std::uint8_t { Off, On, NoFreeEvent };
enum class NullOp : std::uint8_t { Off, Memset, Kernel, Event };
enum class IssueOrder : std::uint8_t { Depth, Breadth };
enum class SyncEvery : std::uint8_t { End, Iteration, Op };
enum class SyncAt : std::uint8_t { End, BeforeD2h };
enum class Deps : std::uint8_t { None, EventChain, CopyToKernel, SameStream };
enum class DeviceUse : std::uint8_t { One, All };
enum class TraceMode : std::uint8_t { Both, On, Off };

struct Experiment {
    int streams = 4, iterations = 24, warmup = 1, repeat = 1;
    bool h2d = true, memset = true, kernel = true, d2h = true, callback = true;
    std::int64_t h2dBytes = 16 << 20, d2hBytes = 16 << 20, memsetBytes = 16 << 20;
    HostMemory h2dMemory = HostMemory::Pinned, d2hMemory = HostMemory::Pinned;
    std::int64_t h2dFirstBytes = 0; ///< of the first stream's H2D copies; 0: h2dBytes
    bool h2dPortable = false;
    CopyTarget h2dTarget = CopyTarget::Global;
    MemsetMethod memsetMethod = MemsetMethod::Api;
    KernelKind kernelKind = KernelKind::Compute;
    std::int64_t kernelUs = 400;
    BlockCount kernelBlocks;
    int kernelThreads = 256;
    std::int64_t kernelSmem = 0; ///< dynamic shared memory per block, bytes
    KernelStream kernelStream = KernelStream::Own;
    BufferUse buffers = BufferUse::Own;
    CallbackMethod callbackMethod = CallbackMethod::HostFn;
    std::int64_t callbackUs = 0;
    IssueMode issue = IssueMode::Ahead;
    IssueThreads issueThreads = IssueThreads::One;
    Api api = Api::Runtime;
    Submit submit = Submit::Stream;
    PlannedStreamKind streamKind = PlannedStreamKind::NonBlocking;
    StreamPriority streamPriority = StreamPriority::Equal;
    StreamRoles streamRoles = StreamRoles::Off;
    NullOp nullOp = NullOp::Off;
    IssueOrder order = IssueOrder::Depth;
    bool gate = true;
    SyncMode sync = SyncMode::Device;
    SyncEvery syncEvery = SyncEvery::End;
    SyncAt syncAt = SyncAt::End;
    Deps deps = Deps::None;
    Interfere interfere = Interfere::None;
    int device = 0;
    DeviceUse devices = DeviceUse::One;
    bool p2p = false;
    int maxConnections = 0; ///< CUDA_DEVICE_MAX_CONNECTIONS; 0: not set
    bool launchBlocking = false;
    ModuleLoading moduleLoading = ModuleLoading::Default;
    LaunchQueues launchQueues = LaunchQueues::Default;
    TraceMode trace = TraceMode::Both;
    std::int64_t seed = 1;
    /// The device that the simulator models: the name of a built-in model, or "file:PATH" of one that `olab
    /// calibrate` wrote. Ignored on a GPU.
    std::string simDevice = "h200";
    Submission simSubmission = Submission::Linux;
    /// Not empty: this runs instead of the pipeline that the options describe (recorded_work.h).
    RecordedWorkPtr work{};
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// With stream.roles: one for copies to the device, one for its work, one for copies back.
inline constexpr int kStreamRoles = 3;
constexpr bool hasRoles(const Experiment& e) {
    return e.streamRoles != StreamRoles::Off;
}
/// The streams of a device: a pipeline has its own, or all of them share one for each role.
constexpr int streamsOf(const Experiment& e) {
    return hasRoles(e) ? kStreamRoles : e.streams;
}

/// Size of the H2D copies of a stream (0-based within its device).
constexpr std::int64_t h2dBytesOf(const Experiment& e, int stream) {
    return stream == 0 && e.h2dFirstBytes > 0 ? e.h2dFirstBytes : e.h2dBytes;
}

} // namespace olab::experiment

// An experiment: the validated value of every option a person can choose. A plain value; the option table
// (option_table.h) is the only thing that knows keys, texts, ranges and defaults, and the form, command line,
// JSON and help all come from it.
#pragma once

#include <olab/experiment/option_choices.h>
#include <olab/experiment/recorded_work.h>
#include <olab/trace/error.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace olab {

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
    /// The device the simulator plays: a built-in model's name, or "file:PATH" of one that `olab calibrate`
    /// wrote. The GPU does not look at it.
    std::string simDevice = "h200";
    Submission simSubmission = Submission::Linux;
    /// Not empty: this runs in place of the pipeline that the options describe (recorded_work.h).
    RecordedWorkPtr work{};
    friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// Size of the H2D copies of a stream (0-based within its device).
constexpr std::int64_t h2dBytesOf(const Experiment& e, int stream) {
    return stream == 0 && e.h2dFirstBytes > 0 ? e.h2dFirstBytes : e.h2dBytes;
}
/// Environment variables ("NAME=value") that the process which runs the experiment must be started with. CUDA
/// reads them when it starts, so another set needs another process.
std::vector<std::string> environmentOf(const Experiment& experiment);
/// "key=value" of what only the simulator can play; empty: the experiment can run on a GPU.
std::vector<std::string> simulatorOnly(const Experiment& experiment);
/// The effect shows only in a process that has done nothing yet (the first launch of a kernel).
bool needsFreshProcess(const Experiment& experiment);

/// The value of `key` as text, as `set` reads it. @throws Error (bad-key) for an unknown key.
std::string optionText(const Experiment& experiment, std::string_view key);
/// Sets one option from text. @throws Error kind Usage: bad-key (names the nearest key) or bad-value (names
/// key, value, allowed).
void setOption(Experiment& experiment, std::string_view key, std::string_view value);
/// Sets options from "key=value". @throws as setOption
void setOption(Experiment& experiment, std::string_view assignment);

/// Why this combination cannot be, one sentence each; empty when it can. plan() refuses the same ones.
std::vector<std::string> conflicts(const Experiment& experiment);
/// The sentence of a conflict that setting `key` to `value` would add; empty when it adds none. @throws as
/// setOption
std::string conflictOf(const Experiment& experiment, std::string_view key, std::string_view value);
/// Why `key` has no effect or cannot be changed with the other options as they are (the form disables the
/// control and shows this sentence); empty when it is free. E.g. h2d.bytes while h2d=off.
std::string disabledBecause(const Experiment& experiment, std::string_view key);

/// Flat JSON object with dotted keys, every key present, numbers and booleans-as-"on"/"off" as the table
/// types them.
std::string experimentToJson(const Experiment& experiment);
/// Reads such an object (missing keys keep their default). @throws Error kind Usage.
Experiment experimentFromJson(std::string_view json);
/// "key=value" of every option that differs from the default, in table order.
std::vector<std::string> differsFromDefault(const Experiment& experiment);

} // namespace olab

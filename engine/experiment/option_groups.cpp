#include "built_in.h"
#include "option_rows.h"
#include "option_values.h"

#include <algorithm>
#include <cctype>

namespace olab::experiment::detail {
namespace {

constexpr Range kBufferSize{1, std::int64_t{64} << 30};
constexpr std::int64_t kMaxInt = 2147483647; // also CUDA's limit of grid.x, and what a spin box can hold

/// CUDA_DEVICE_MAX_CONNECTIONS takes 1 to 32.
std::vector<std::string_view> connectionChoices() {
    return {"default", "1",  "2",  "3",  "4",  "5",  "6",  "7",  "8",  "9",  "10",
            "11",      "12", "13", "14", "15", "16", "17", "18", "19", "20", "21",
            "22",      "23", "24", "25", "26", "27", "28", "29", "30", "31", "32"};
}

std::string switchedOn(std::string_view) {
    return "1";
}

std::string inCapitals(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
    return out;
}

std::vector<OptionRow> stepRows() {
    return {
        switchRow({"h2d", "Steps", "H2D copy",
                   "Copies the input from host to device (cudaMemcpyAsync). With pinned memory a copy engine "
                   "does it, without any SM, so that it can run beside the kernels of other streams.",
                   kWork},
                  &Experiment::h2d),
        switchRow({"memset", "Steps", "Memset",
                   "Clears a device buffer (cudaMemsetAsync). On device memory it usually runs as a small "
                   "kernel: it needs room on the SMs and waits, or starves, when another grid fills them.",
                   kWork},
                  &Experiment::memset),
        switchRow({"kernel", "Steps", "Kernel",
                   "Launches a kernel of fixed work on the SMs. Without it only copies, memsets and "
                   "callbacks are left to overlap.",
                   kWork},
                  &Experiment::kernel),
        switchRow(
            {"d2h", "Steps", "D2H copy",
             "Copies the output from device to host (cudaMemcpyAsync). Where the device has a copy engine "
             "for each direction it can run beside H2D copies as well as beside kernels of other streams.",
             kWork},
            &Experiment::d2h),
        switchRow({"callback", "Steps", "Host callback",
                   "Ends each pass with a host function (cudaLaunchHostFunc) on a thread of the CUDA driver. "
                   "The stream does not go on before it has returned, and functions of several streams may "
                   "run one after the other. They may not call CUDA.",
                   kWork},
                  &Experiment::callback),
    };
}

std::vector<OptionRow> sizeRows() {
    return {
        idleWhile(
            {{withoutH2d, kNoH2d}},
            bytesRow({"h2d.bytes", "Sizes", "H2D bytes per copy",
                      "Size of each H2D copy. Copies of one direction share an engine and run one after the "
                      "other, so a large one delays whatever is queued behind it; a tiny one is all latency.",
                      kWork, kRecordedSizes},
                     &Experiment::h2dBytes, kBufferSize)),
        idleWhile({{withoutH2d, kNoH2d}},
                  bytesRow({"h2d.first_bytes", "Sizes", "H2D bytes, first stream",
                            "Size of the first stream's H2D copies when it should differ from the others'; "
                            "0B: the same. A small copy after a big one waits for all of it.",
                            kWork, kRecordedSizes},
                           &Experiment::h2dFirstBytes, {0, kBufferSize.max})),
        idleWhile(
            {{withoutD2h, kNoD2h}},
            bytesRow({"d2h.bytes", "Sizes", "D2H bytes per copy",
                      "Size of each D2H copy. Copies of one direction share an engine and run one after the "
                      "other, so a large one delays whatever is queued behind it; a tiny one is all latency.",
                      kWork, kRecordedSizes},
                     &Experiment::d2hBytes, kBufferSize)),
        idleWhile({{withoutMemset, kNoMemset}},
                  bytesRow({"memset.bytes", "Sizes", "Memset bytes",
                            "Size of each memset. It is written at the speed of device memory, so that even "
                            "a large one is short beside a copy over the bus.",
                            kWork, kRecordedSizes},
                           &Experiment::memsetBytes, kBufferSize)),
    };
}

std::vector<OptionRow> memoryRows() {
    return {
        idleWhile(
            {{withoutH2d, kNoH2d}},
            choiceRow({"h2d.memory", "Memory", "H2D source memory",
                       "Host memory the input comes from. A copy engine reads pinned, registered and wc "
                       "(write-combined) memory by itself; pageable memory is staged by the driver: it is "
                       "slower, the issuing call waits, and most of the overlap is lost. mapped and managed: "
                       "no copy, the kernel reads the memory in place; managed pages move to the device when "
                       "they are first touched and stay there until the host touches them.",
                       otherSources},
                      &Experiment::h2dMemory,
                      {"pinned", "pageable", "registered", "mapped", "managed", "wc"})),
        idleWhile(
            {{withoutH2d, kNoH2d},
             {notPageLocked, "Only page-locked memory can be portable: h2d.memory is not."}},
            switchRow({"h2d.portable", "Memory", "Portable source memory",
                       "Allocates or registers the H2D source as portable, that is page-locked for every "
                       "context. One process with one context per device should see no difference.",
                       everyChoice, kUnknownData},
                      &Experiment::h2dPortable)),
        idleWhile({{withoutH2d, kNoH2d}},
                  choiceRow({"h2d.target", "Memory", "H2D target",
                             "Where the H2D copy goes: a buffer in global memory, or a slice of one "
                             "__constant__ array that all streams share, each with a part of its own.",
                             "the kernel would have to read its input elsewhere", kUnknownData},
                            &Experiment::h2dTarget, {"global", "constant"})),
        idleWhile({{withoutD2h, kNoD2h}},
                  choiceRow({"d2h.memory", "Memory", "D2H target memory",
                             "Host memory the output goes to. A copy engine writes pinned and registered "
                             "memory by itself; into pageable memory the call may wait until the copy is "
                             "complete (on an H200 it did), so that the host can queue nothing meanwhile. "
                             "mapped and managed: no copy, the kernel writes the memory in place.",
                             otherTargets},
                            &Experiment::d2hMemory,
                            {"pinned", "pageable", "registered", "mapped", "managed"})),
        idleWhile(
            {{withoutMemset, kNoMemset}},
            choiceRow(
                {"memset.method", "Memory", "Memset by",
                 "What clears the buffer: cudaMemsetAsync (api), a kernel of our own, or a device to device "
                 "copy from a zeroed buffer. A kernel counts as a kernel, the copy as a D2D copy.",
                 everyChoice, "Memsets are calls of the API, as they were recorded."},
                &Experiment::memsetMethod, {"api", "kernel", "copy"})),
        idleWhile(
            {{oneStream, "With one stream there is no other stream to share with."}},
            choiceRow({"buffers", "Memory", "Device buffers",
                       "own: every stream has its buffers. shared: all streams of a device work on one set, "
                       "which nothing orders: a race on purpose, and the check of the data shows it.",
                       kMeaning, kUnknownData},
                      &Experiment::buffers, {"own", "shared"})),
    };
}

std::vector<OptionRow> kernelRows() {
    return {
        idleWhile({{withoutKernel, kNoKernel}},
                  choiceRow({"kernel.kind", "Kernel", "Kernel kind",
                             "What bounds the kernel. compute: a chain of multiply-adds in registers, which "
                             "leaves memory bandwidth to the copies; memory: it streams bytes through device "
                             "memory and competes with the copies for bandwidth.",
                             kKernel},
                            &Experiment::kernelKind, {"compute", "memory"})),
        idleWhile({{withoutKernel, kNoKernel}},
                  integerRow({"kernel.us", "Kernel", "Kernel duration",
                              "How long the whole grid takes when it runs alone. The work is fixed (a loop "
                              "count calibrated on the device), so a kernel that shares the SMs takes longer "
                              "instead of doing less.",
                              kKernel, kRecordedKernels},
                             &Experiment::kernelUs, {1, 1'000'000}, "us")),
        idleWhile({{withoutKernel, kNoKernel}},
                  blocksRow({"kernel.blocks", "Kernel", "Blocks in the grid",
                             "Size of the grid. fill:F is F times what the device holds at once: from fill:1 "
                             "on the grid takes every place on the SMs, and kernels and memsets of other "
                             "streams have to wait; copies to and from the host do not.",
                             kKernel, kRecordedKernels},
                            &Experiment::kernelBlocks, {1, kMaxInt})),
        idleWhile({{withoutKernel, kNoKernel}},
                  integerRow(
                      {"kernel.threads", "Kernel", "Threads per block",
                       "Threads of each block, in whole warps of 32. Together with registers it decides how "
                       "many blocks an SM holds at once, and so how large a grid must be to fill the device.",
                       kKernel, kRecordedKernels},
                      &Experiment::kernelThreads, {32, 1024, 32})),
        idleWhile(
            {{withoutKernel, kNoKernel}},
            bytesRow({"kernel.smem", "Kernel", "Shared memory per block",
                      "Dynamic shared memory of each block. It takes room on the SM like threads do: the "
                      "more, the fewer blocks the device holds at once, and the sooner others have to wait.",
                      kKernel, kRecordedKernels},
                     &Experiment::kernelSmem, {0, 227 << 10})),
        idleWhile(
            {{withoutKernel, kNoKernel}},
            choiceRow(
                {"kernel.stream", "Kernel", "Stream of the kernel",
                 "own: the stream of its copies. null: the legacy NULL stream, which blocking streams wait "
                 "for. other: the next stream; nothing orders it after its copy then unless deps does.",
                 everyChoice, kRecordedOrder},
                &Experiment::kernelStream, {"own", "null", "other"})),
    };
}

std::vector<OptionRow> streamRows() {
    return {
        integerRow({"streams", "Streams", "Streams",
                    "How many CUDA streams run the pipeline side by side, each with its own buffers. Ops of "
                    "one stream run in issue order and never overlap each other, so that with a single "
                    "stream nothing overlaps. With stream.roles: how many sets of buffers its three streams "
                    "take in turn, 1 to 3.",
                    otherStreamCounts},
                   &Experiment::streams, {1, 128}),
        lowered([](const Experiment& e, Schedule& s) { s.iterations = e.iterations; },
                integerRow({"iterations", "Streams", "Iterations",
                            "How often each stream runs its whole pipeline. More of them keep the engines "
                            "fed for longer and make the numbers steadier.",
                            kWork, "The recording is run once; repeat runs all of it again."},
                           &Experiment::iterations, {1, 100'000})),
        choiceRow({"stream.kind", "Streams", "Stream kind",
                   "nonblocking streams ignore the legacy NULL stream; blocking ones wait for its earlier "
                   "work, and it waits for theirs. legacy runs the first pipeline in the NULL stream itself "
                   "and the others in blocking streams. per-thread uses the default stream of each issuing "
                   "thread, a blocking one.",
                   everyChoice},
                  &Experiment::streamKind, {"nonblocking", "blocking", "legacy", "per-thread"}),
        choiceRow({"stream.roles", "Streams", "Streams by role",
                   "off: all steps of a pass are in one stream. on: a stream for H2D copies, one for memsets "
                   "and kernels, one for D2H copies and callbacks, as in a data loader: each engine has a "
                   "queue of its own. Events keep the order: a kernel waits until its buffer is filled, a "
                   "copy until the buffer is free. With streams=1, one set of buffers, no copy can run "
                   "beside a kernel; with 2 or 3 they can. no-free-event: nothing waits until a buffer is "
                   "free, a race on purpose, and the check of the data shows it.",
                   rolesOrNot, kRecordedOrder},
                  &Experiment::streamRoles, {"off", "on", "no-free-event"}),
        idleWhile({{perThreadStreams, "Per-thread default streams come without a choice of priority."},
                   {oneStreamOnDevice, "With one stream there is nothing to be put first."}},
                  choiceRow({"stream.priority", "Streams", "Stream priorities",
                             "Blocks of a stream of higher priority are placed first when SMs become free; "
                             "running blocks are not interrupted. descending: each stream below the one "
                             "before; first-high: the first stream above all others.",
                             everyChoice, "Priorities are those of the recording."},
                            &Experiment::streamPriority, {"equal", "descending", "first-high"})),
        idleWhile({{onePass, "The op goes between passes, and there is only one pass."}},
                  choiceRow({"null_op", "Streams", "Op on the NULL stream",
                             "Puts one small op on the legacy NULL stream between passes. For blocking "
                             "streams it is a barrier: it waits for all that was issued before, and all that "
                             "is issued after waits for it.",
                             kWork, kNoPasses},
                            &Experiment::nullOp, {"off", "memset", "kernel", "event"})),
    };
}

std::vector<OptionRow> orderRows() {
    return {
        idleWhile({{oneStream, "With one stream both orders issue the same ops."},
                   {wholePasses, "A stream's pass is issued as a whole: issue or issue.threads says so."}},
                  choiceRow({"order", "Issue", "Issue order",
                             "depth issues all steps of one stream before those of the next; breadth issues "
                             "one step for every stream, then the next step. With a hardware queue for each "
                             "stream the order hardly matters; where streams share one, work that waits for "
                             "another engine holds up what was issued behind it.",
                             everyChoice, kRecordedOrder},
                            &Experiment::order, {"depth", "breadth"})),
        switchRow({"gate", "Issue", "Start gate",
                   "Holds all streams until everything is queued, so that the device sets the pace and not "
                   "the host's launches. It opens early, and the trace says so, when an issuing call has not "
                   "returned for 2 ms.",
                   kMeasuring},
                  &Experiment::gate),
        choiceRow(
            {"issue", "Issue", "Issue",
             "ahead: all iterations are queued at once. on-callback: a stream's next iteration is issued "
             "when the host has learned that its last one is done, so the host's latency is in every round.",
             everyChoice, kRecordedOrder},
            &Experiment::issue, {"ahead", "on-callback"}),
        choiceRow({"issue.threads", "Issue", "Issuing threads",
                   "1: one host thread issues for all streams. per-stream: each stream has a thread of its "
                   "own; their calls compete for the driver's locks.",
                   everyChoice, "One thread issues all of it, in the recorded order."},
                  &Experiment::issueThreads, {"1", "per-stream"}),
        lowered([](const Experiment& e, Schedule& s) { s.api = e.api; },
                choiceRow({"api", "Issue", "API",
                           "The CUDA runtime, or the driver API (cuMemcpyHtoDAsync, cuMemsetD8Async, "
                           "cuLaunchKernel, ...) with the primary context pushed and popped around each "
                           "call. Both reach the same queues.",
                           everyChoice},
                          &Experiment::api, {"runtime", "driver"})),
        lowered(
            [](const Experiment& e, Schedule& s) { s.graph = e.submit == Submit::Graph; },
            choiceRow({"submit", "Issue", "Submission",
                       "stream: every op by a call of its own. graph: the whole window is captured into one "
                       "CUDA graph, forked and joined over all streams, and launched by a single call.",
                       everyChoice, "Recorded work is issued call by call."},
                      &Experiment::submit, {"stream", "graph"}))};
}

std::vector<OptionRow> waitRows() {
    return {
        lowered([](const Experiment& e, Schedule& s) { s.waitsByEvent = waitsByEvent(e.sync); },
                choiceRow({"sync", "Waits and events", "Wait by",
                           "How the issuing thread waits: for the whole device (cudaDeviceSynchronize), for "
                           "one stream after the other, for an event in each stream, or by asking an event "
                           "again and again (poll).",
                           everyChoice},
                          &Experiment::sync, {"device", "stream", "event", "poll"})),
        choiceRow({"sync.every", "Waits and events", "Wait after",
                   "end: once, when everything is issued. iteration and op: also after each round or each "
                   "op; nothing is queued meanwhile, and the engines run dry.",
                   everyChoice},
                  &Experiment::syncEvery, {"end", "iteration", "op"}),
        idleWhile({{withoutD2h, kNoD2h}, {noCopyOut, "There is no D2H copy: d2h.memory is used in place."}},
                  choiceRow({"sync.at", "Waits and events", "Wait before D2H",
                             "before-d2h: the host also waits before it issues each D2H copy, a round trip "
                             "that stream order makes unnecessary.",
                             everyChoice, kRecordedOrder},
                            &Experiment::syncAt, {"end", "before-d2h"})),
        choiceRow({"deps", "Waits and events", "Event dependencies",
                   "event-chain: an iteration waits for the one before it in another stream. copy-to-kernel: "
                   "events order the kernel of another stream after its copy and the D2H copy after the "
                   "kernel. same-stream: an event wait that stream order makes redundant.",
                   withoutIdleWaits, kRecordedWaits},
                  &Experiment::deps, {"none", "event-chain", "copy-to-kernel", "same-stream"}),
        idleWhile(
            {{onePass, "The call goes between passes, and there is only one pass."}},
            lowered(
                [](const Experiment& e, Schedule& s) { s.interfere = e.interfere; },
                choiceRow(
                    {"interfere", "Waits and events", "Call between iterations",
                     "An API call between iterations that is said to disturb the streams. Some wait for the "
                     "device or for the legacy NULL stream, others do nothing to it: the run shows which.",
                     withoutCalls, kNoPasses},
                    &Experiment::interfere,
                    {"none", "getlasterror", "streamquery", "malloc", "free", "mallochost", "freehost",
                     "hostregister", "mallocasync", "memset-sync", "d2d", "first-launch"}))),
        idleWhile({{withoutCallback, kNoCallback}},
                  choiceRow({"callback.method", "Callback", "Callback by",
                             "How the host learns that a pass is done. hostfn and streamcallback run on a "
                             "driver thread and hold the stream until they return; poll and blocking-event "
                             "watch an event from a thread of ours while the stream continues, which may "
                             "then overwrite what the host still reads.",
                             everyChoice, "Callbacks are host functions in their streams."},
                            &Experiment::callbackMethod,
                            {"hostfn", "streamcallback", "poll", "blocking-event"})),
        idleWhile({{withoutCallback, kNoCallback}},
                  lowered([](const Experiment& e, Schedule& s) { s.hostWork = e.callbackUs * 1000; },
                          integerRow(
                              {"callback.us", "Callback", "Host work per callback",
                               "Host work done in the callback, or after the event. Callbacks of all streams "
                               "may share one thread, so long ones delay each other. The run ends with the "
                               "work of the device: what the host does after an event may end later.",
                               kWork, "Each callback works as long as it did in the recording."},
                              &Experiment::callbackUs, {0, 1'000'000}, "us"))),
    };
}

std::vector<OptionRow> deviceRows() {
    return {
        lowered(
            [](const Experiment& e, Schedule& s) { s.firstDevice = e.device; },
            integerRow({"device", "Devices", "Device",
                        "Number of the GPU that runs the experiment, as CUDA counts them from 0.", kMachine},
                       &Experiment::device, {0, 63})),
        choiceRow({"devices", "Devices", "Devices used",
                   "one, or all: every GPU of this machine runs the whole set of streams at once. Each has "
                   "its own engines; what they share is the way to the host.",
                   kMachine, "Recorded work runs on one device."},
                  &Experiment::devices, {"one", "all"}),
        switchRow({"p2p", "Devices", "Peer copies",
                   "Each pass also copies its output to the next GPU (cudaMemcpyPeerAsync, with peer access "
                   "where the machine allows it).",
                   kWork, "Recorded work runs on one device."},
                  &Experiment::p2p),
        variable(
            {"CUDA_DEVICE_MAX_CONNECTIONS"},
            lowered(
                [](const Experiment& e, Schedule& s) { s.process.maxConnections = e.maxConnections; },
                choiceRow({"env.max_connections", "Environment", "Hardware connections",
                           "CUDA_DEVICE_MAX_CONNECTIONS: how many hardware queues the streams share (8 by "
                           "default), for kernels and for copies. Where streams share one, work that waits "
                           "for another engine holds up what was issued behind it in that queue, as if the "
                           "streams depended on each other.",
                           moreConnections},
                          &Experiment::maxConnections, connectionChoices()))),
        variable(
            {"CUDA_LAUNCH_BLOCKING", switchedOn},
            lowered([](const Experiment& e, Schedule& s) { s.process.launchBlocking = e.launchBlocking; },
                    switchRow({"env.launch_blocking", "Environment", "Blocking launches",
                               "CUDA_LAUNCH_BLOCKING=1: the call of every kernel and memset returns only "
                               "when it is done, for debugging. Copies of pinned memory are not waited for.",
                               off},
                              &Experiment::launchBlocking))),
        variable({"CUDA_MODULE_LOADING", inCapitals},
                 lowered([](const Experiment& e, Schedule& s) { s.process.moduleLoading = e.moduleLoading; },
                         choiceRow({"env.module_loading", "Environment", "Module loading",
                                    "CUDA_MODULE_LOADING: lazy loads a kernel at its first launch, which may "
                                    "wait for the device; eager loads all when the process starts.",
                                    everyChoice},
                                   &Experiment::moduleLoading, {"default", "lazy", "eager"}))),
        variable({"CUDA_SCALE_LAUNCH_QUEUES"},
                 lowered([](const Experiment& e, Schedule& s) { s.process.launchQueues = e.launchQueues; },
                         choiceRow({"env.launch_queues", "Environment", "Launch queue size",
                                    "CUDA_SCALE_LAUNCH_QUEUES: scales how much work can be queued before an "
                                    "issuing call has to wait for room.",
                                    longerQueues},
                                   &Experiment::launchQueues, {"default", "0.25x", "0.5x", "2x", "4x"}))),
    };
}

std::vector<OptionRow> recordingRows() {
    return {
        lowered([](const Experiment& e, Schedule& s) { s.warmups = e.warmup; },
                integerRow({"warmup", "Recording", "Warm-up passes",
                            "Passes before the measured window. They load the kernels, touch the buffers and "
                            "raise the clocks, and are in no count.",
                            kMeasuring},
                           &Experiment::warmup, {0, 100})),
        integerRow({"repeat", "Recording", "Repeats",
                    "Runs the whole experiment again. The report is of the median run by makespan; all runs "
                    "are kept.",
                    kMeasuring},
                   &Experiment::repeat, {1, 100}),
        notInCode("nothing records it; run it under nsys or open it in the lab",
                  lowered([](const Experiment& e, Schedule& s) { s.traced = e.trace != TraceMode::Off; },
                          choiceRow({"trace", "Recording", "Tracing",
                                     "Whether CUPTI records the run. both: alternately with CUPTI and "
                                     "without, in processes of their own, which shows how much the recording "
                                     "itself slows the run; off: no activity is recorded, only the makespan.",
                                     kMeasuring},
                                    &Experiment::trace, {"both", "on", "off"}))),
        lowered([](const Experiment& e, Schedule& s) { s.seed = e.seed; },
                integerRow({"seed", "Recording", "Seed",
                            "Start of everything pseudo-random: the same seed gives the same simulated run "
                            "to the nanosecond. The timing of a real device does not depend on it.",
                            kMeasuring},
                           &Experiment::seed, {0, kMaxInt})),
    };
}

std::vector<OptionRow> simulatorRows() {
    return {
        notInCode(
            "the simulator alone plays another device",
            lowered(
                [](const Experiment& e, Schedule& s) { s.simulator.device = e.simDevice; },
                modelRow(
                    {"sim.device", kSimulatorGroup, "Simulated device",
                     "The device model that the simulator plays: a built-in one, or file:PATH for one that "
                     "'olab calibrate' measured on a device of yours. A run on the GPU does not look at it.",
                     kMachine},
                    &Experiment::simDevice, {deviceModelNames().begin(), deviceModelNames().end()}))),
        notInCode("the simulator alone plays another system",
                  lowered([](const Experiment& e, Schedule& s) { s.simulator.submission = e.simSubmission; },
                          choiceRow({"sim.submission", kSimulatorGroup, "Simulated submission",
                                     "How the simulated system hands work to the device: linux at once; wddm "
                                     "in batches through the operating system's one queue; wddm-hags through "
                                     "the scheduler on the GPU. A run on a GPU does not look at it.",
                                     kMachine},
                                    &Experiment::simSubmission, {"linux", "wddm", "wddm-hags"}))),
    };
}

} // namespace

const std::array<std::vector<OptionRow> (*)(), 10> kOptionGroups{
    stepRows,  sizeRows, memoryRows, kernelRows,    streamRows,
    orderRows, waitRows, deviceRows, recordingRows, simulatorRows};

} // namespace olab::experiment::detail

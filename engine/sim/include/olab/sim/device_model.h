// What the simulator knows about a device: rates, latencies, capacities. A measured device is a JSON file
// (resources/models, or what `olab calibrate` writes); the values here are used for what was not measured.
// They are an H200 on Linux: those marked [m] were read off traced runs of the presets on one (driver
// 580.159, CUDA 13.0, 2026-11), the rest are estimates. Bandwidths are in bytes per microsecond (= MB/s),
// latencies in ns.
#pragma once

#include <olab/sim/model_check.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::sim {

struct DeviceModel {
    std::string name = "NVIDIA H200 (simulated)";
    std::uint32_t smCount = 132, maxThreadsPerSm = 2048, maxBlocksPerSm = 32, copyEngines = 3;
    std::uint32_t registersPerSm = 65'536, computeMajor = 9, computeMinor = 0;
    std::uint64_t sharedPerSm = 233'472, memoryBytes = 150'000'000'000;

    std::int64_t h2dPinnedRate = 55'200, d2hPinnedRate = 55'400; ///< [m] 16 MiB alone: 305 and 304 us
    std::int64_t h2dPageableRate = 15'000,
                 d2hPageableRate = 14'500; ///< [m] 12 to 17 GB/s, differs between processes
    /// Of each direction while the other is busy too: they share the bandwidth of the host's memory.
    std::int64_t h2dBothRate = 50'000, d2hBothRate = 50'000;
    std::int64_t deviceMemoryRate = 4'000'000;  ///< what memory-bound kernels share
    std::uint32_t blocksToSaturateMemory = 264; ///< resident blocks that reach deviceMemoryRate
    std::int64_t memsetRate = 5'100'000;        ///< [m] 16 MiB alone: 4.6 us
    Ns copyLatency = 1'200, memsetFloor = 1'350,
       nullKernel = 1'600; ///< [m] 4 KiB alone: 0.9 us in, 1.5 us out, memset 1.4 us

    /// A memset shares its SMs like a grid: at full rate it takes the slots of one block on every
    /// `1/memsetRoom`-th of the device.
    std::uint32_t memsetRoom = 8;
    /// A memset that starts while every slot is taken still makes a little progress between the resident
    /// blocks.
    Ns memsetStarvedFloor = 275'000;
    std::int64_t memsetStarvedRate = 100'000;

    std::int64_t pageableInlineBytes =
        64 << 10; ///< up to this size an H2D copy is staged inside the call, which then returns
    std::int64_t pageableChunk =
        1 << 20; ///< staging uses chunks of this size: an H2D call returns one chunk before the copy ends

    /// Host time of one API call, and between two calls.
    Ns issueKernel = 3'900, issueCopy = 1'900, issueMemset = 4'100, issueHostFn = 1'250,
       issueEvent = 700, // [m] but event
        issueSync = 1'500;
    Ns hostGap = 150;
    Ns submitLatency = 4'000; ///< API end to start on an idle device
    Ns hopSameEngine = 3'800,
       hopOtherEngine = 6'800;  ///< [m] end of an op to start of its successor in the stream
    Ns barrierLatency = 28'000; ///< NULL-stream barrier: last end before it to first start after it
    Ns gateLatency = 5'800;     ///< opening of the gate to the first start
    Ns callbackIn = 80'000, callbackOut = 6'500, callbackWork = 700; ///< [m]
    Ns syncWake = 90'000;       ///< from the end of the last op to the return of the call that waits for it
    Ns pageableSetup = 60'000;  ///< [m] a pageable H2D call: from its start to that of its copy
    Ns pageableReturn = 90'000; ///< [m] a pageable D2H copy: from its end to the return of its call
    // The following belongs to options that have not been measured yet: all are estimates unless marked
    // otherwise.
    std::int64_t d2dRate = 1'800'000;      ///< device to device, one device: bytes copied
    std::int64_t p2pRate = 370'000;        ///< to the next device, over NVLink
    std::int64_t hostMemoryRate = 250'000; ///< bandwidth of the host's memory for all devices together
    std::int64_t managedRate = 12'000;     ///< managed memory moves to the device at first use, by faults
    std::uint32_t d2dOnSms = 0;            ///< 1: D2D copies run on the SMs, 0: on a copy engine
    std::uint32_t inOrderQueues = 0;       ///< 1: one queue per engine, served in issue order (no Hyper-Q)
    std::uint32_t delayedSignals = 0;      ///< 1: kernels issued back to back are all signalled with the last
    std::uint32_t priorityLevels = 6;      ///< of streams
    Ns eventLatency = 1'000;               ///< from an event to what waits for it in another stream
    Ns graphNode = 600;                    ///< from a node of a graph to its successor
    Ns graphLaunch = 2'500, graphLaunchPerNode = 2'600; ///< [m] the launching call hands over node by node
    Ns dispatchWake = 8'000;  ///< from a callback's report to the thread that it wakes
    Ns pollInterval = 20'000; ///< between two checks of the thread that polls events
    Ns blockingWake = 30'000; ///< to wake a thread from cudaEventBlockingSync
    Ns driverCall = 200;      ///< what api=driver adds to a call: context pushed and popped
    /// Calls that may disturb the streams: their host time and whether they wait for the device (1) or not.
    /// Older programming guides list all of these as waiting, the current one none; the documentation of
    /// cudaFree says that it may.
    Ns callMalloc = 8'000, callFree = 3'000, callMallocHost = 60'000, callFreeHost = 10'000,
       callHostRegister = 30'000, callMallocAsync = 2'000, callQuery = 700, callGetLastError = 100;
    std::uint32_t mallocWaits = 0, freeWaits = 1, mallocHostWaits = 0, freeHostWaits = 1,
                  hostRegisterWaits = 0;
    Ns lazyLoad = 60'000; ///< to load a kernel at its first launch, after the device has become idle
    /// WDDM submits work in batches: at this many ops, when the first has waited this long, when the host
    /// waits or queries, or when the device is idle.
    std::uint32_t wddmBatchOps = 8;
    Ns wddmBatchAge = 200'000, wddmSubmit = 25'000; ///< submit: host time to submit a batch

    std::uint32_t channels = 8;       ///< [m] hardware channels of compute work
    std::uint32_t copyChannels = 4;   ///< [m] ... and of each direction of copies
    std::uint32_t queueDepth = 1'022; ///< ops that a stream's ring holds
    /// [m] Resident threads with which an SM reaches its full rate: more threads share it. 0: no limit.
    std::uint32_t threadsToSaturateSm = 490;
    /// [m] Pageable copies whose buffers all together fit into the host's caches run at these rates, those
    /// beyond at h2dPageableRate and d2hPageableRate.
    std::int64_t hostCacheBytes = 16 << 20, h2dCachedRate = 18'000, d2hCachedRate = 28'000;
    /// [m] Host time: extra cost of a call for a different stream than the call before it; a memset of up to
    /// 64 KiB.
    Ns streamSwitch = 1'500, issueSmallMemset = 1'700;

    /// Variation from op to op, in permille around the value.
    std::uint32_t latencyJitter = 80, durationJitter = 4;

    /// How well it predicts; nothing if the model was never checked.
    std::optional<ModelCheck> checked;
    friend bool operator==(const DeviceModel&, const DeviceModel&) = default;
};

/// Larger memsets cost the host as much as a launch. (Measured: 4 KiB and 1 MiB, nothing between.)
inline constexpr std::int64_t kSmallMemset = 64 << 10;
/// Blocks of `threads` threads and `shared` bytes that the device holds at once; 0 when not even one fits.
std::uint32_t residentBlocks(const DeviceModel& model, std::uint32_t threads, std::uint64_t shared = 0);
/// Bytes per microsecond of a host copy that has its direction to itself.
std::int64_t copyRate(const DeviceModel& model, bool toDevice, bool pageable);
/// From the end of the work before a host function to its start, if the thread that runs them has been idle
/// for `idle`: a recently active thread responds immediately, one that has slept for long must be woken, and
/// so must its processor. callbackIn is the value for about 0.2 ms. Means on an H200: 55 us up to 50 us of
/// idleness, 109 up to 0.5 ms, 137 up to 1 ms, 232 up to 5 ms, 282 beyond.
Ns callbackDelay(const DeviceModel& model, Ns idle);
/// Time to move `bytes` at `rate`, without any fixed cost.
Ns transferTime(std::int64_t bytes, std::int64_t rate);

/// 2: adds the fields of the later options; 3: adds fields that held-out runs showed to be missing
inline constexpr int kDeviceModelVersion = 3;
/// One JSON object with every field, and how the model was checked or null; the keys name the units.
std::string deviceModelToJson(const DeviceModel& model);
/// `where` names the text in messages. @throws Error kind Usage (bad-model) for a field that is missing,
/// unknown, of the wrong type or out of range, and for a newer version
DeviceModel deviceModelFromJson(std::string_view json, std::string_view where);
/// What a report says about a run on this model: {"model", "checked" or null, "for_this_run"}, one line of
/// JSON.
std::string simulatorToJson(const DeviceModel& model, const experiment::Experiment& experiment);
/// The model that the option sim.device means: a built-in one (resources/models), or "file:PATH". @throws
/// Error kind Usage
DeviceModel deviceModelNamed(std::string_view simDevice);
/// Key of each field in the JSON, in its order; for tables.
struct DeviceModelField {
    std::string_view key;
    std::int64_t value = 0;
};
std::vector<DeviceModelField> fieldsOf(const DeviceModel& model);

} // namespace olab::sim

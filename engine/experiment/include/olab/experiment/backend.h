// Executes a schedule: CUDA, simulator, or a child engine process.
#pragma once

#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>
#include <olab/trace/run_control.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace olab::experiment {

// A failure that the environment variable OLAB_FAULT requests from an engine process, to test how the program
// handles failures of the machine. Each is as real as possible: a kernel that writes to an invalid address,
// an allocation larger than the device, a limit on file sizes.

enum class Fault : std::uint8_t {
    None,
    IllegalAddress, ///< a kernel writes through a bad pointer
    Hang,           ///< a kernel never ends
    DeviceMemory,   ///< more device memory is requested than available
    PinnedMemory,   ///< more pinned host memory is requested than available
    Die,            ///< the process is aborted
    Silent,         ///< the process stops responding
    DiskFull        ///< the recording file reaches a size limit
};

struct FaultName {
    Fault fault;
    std::string_view name;
};
inline constexpr std::array<FaultName, 7> kFaultNames{{{Fault::IllegalAddress, "illegal-address"},
                                                       {Fault::Hang, "hang"},
                                                       {Fault::DeviceMemory, "device-memory"},
                                                       {Fault::PinnedMemory, "pinned-memory"},
                                                       {Fault::Die, "die"},
                                                       {Fault::Silent, "silent"},
                                                       {Fault::DiskFull, "disk-full"}}};

/// "" for None.
constexpr std::string_view faultName(Fault fault) {
    for (const FaultName& row : kFaultNames)
        if (row.fault == fault)
            return row.name;
    return {};
}
/// None for ""; nullopt for an unknown name.
constexpr std::optional<Fault> faultNamed(std::string_view name) {
    for (const FaultName& row : kFaultNames)
        if (row.name == name)
            return row.fault;
    return name.empty() ? std::optional(Fault::None) : std::nullopt;
}

struct Plan;

/// Probes report their measurements as environment entries: "number.NAME" = a number, or "MEDIAN MIN MAX" of
/// several rounds; times in ns.
inline constexpr std::string_view kNumberKey = "number.";

/// What the caller wants of one execution, beyond the schedule.
struct RunOptions {
    bool solos = true; ///< also run each distinct op alone and add SoloRecords
    std::int64_t calibratedLoops =
        0; ///< kernel loop count to use unchanged; 0: calibrate. Gives the same work in every child of a job.
    Fault fault = Fault::None; ///< a failure to simulate, if the backend supports it
    /// Not empty: instead of the plan, the probe with this name runs (cuda/probes). It reports its
    /// measurements as environment entries (kNumberKey). @throws Error "no-probe" if the backend has none
    std::string probe{};
    /// Streams and buffers may stay for the next run, which starts sooner if its plan is the same.
    bool keepPrepared = false;
};

class Backend {
public:
    virtual ~Backend() = default;
    /// Executes warm-up, window and solo runs of `planned` and passes all records to `out` (including
    /// provenance and environment; "calibration.loops" in the environment is the loop count used). Releases
    /// everything: streams, buffers, threads. May throw Error; checks control.stop between ops.
    virtual void run(const Plan& planned, const RunOptions& options, RecordSink& out,
                     const RunControl& control) = 0;
    /// Initializes what every run needs (device, capture), so that the next one starts sooner. Launches
    /// nothing.
    /// @throws Error
    virtual void prepare(const Plan&) {}
    /// How many devices devices=all means here. @throws Error if this cannot be determined
    virtual int deviceCount() { return 1; }
};

} // namespace olab::experiment

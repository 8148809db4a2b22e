// Executes a schedule: CUDA, simulator, or a child engine process.
#pragma once

#include <olab/experiment/fault.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>
#include <olab/trace/run_control.h>

#include <string>

namespace olab::experiment {

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

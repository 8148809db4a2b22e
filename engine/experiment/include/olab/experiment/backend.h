// Executes a schedule: CUDA, simulator, or a child engine process.
#pragma once

#include <olab/experiment/fault.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>
#include <olab/trace/run_control.h>

#include <string>

namespace olab {

struct Plan;

/// What a probe measured is told in lines of the environment: "number.NAME" = a number, or "MEDIAN MIN MAX"
/// of several rounds; times in ns.
inline constexpr std::string_view kNumberKey = "number.";

/// What the caller wants of one execution, beyond the schedule.
struct RunOptions {
    bool solos = true; ///< also run each distinct op alone and add SoloRecords
    std::int64_t calibratedLoops =
        0; ///< kernel loop count to use as it is; 0: calibrate. Same work in every child of a job.
    Fault fault = Fault::None; ///< a failure to rehearse, if the backend knows how
    /// Not empty: not the plan but the probe of this name runs (cuda/probes), which hands over what it
    /// measured as lines of the environment (kNumberKey). @throws Error "no-probe" where the backend has none
    std::string probe{};
};

class Backend {
public:
    virtual ~Backend() = default;
    /// Executes warm-up, window and solo runs of `planned` and hands all records to `out` (provenance and
    /// environment included; "calibration.loops" in the environment says the loop count used). Leaves nothing
    /// behind: streams, buffers, threads are gone. May throw Error; looks at control.stop between ops.
    virtual void run(const Plan& planned, const RunOptions& options, RecordSink& out,
                     const RunControl& control) = 0;
    /// Brings up what every run needs (device, capture), so that the next one starts sooner. Launches
    /// nothing.
    /// @throws Error
    virtual void prepare(const Plan&) {}
    /// How many devices devices=all means here. @throws Error when that cannot be told
    virtual int deviceCount() { return 1; }
};

} // namespace olab

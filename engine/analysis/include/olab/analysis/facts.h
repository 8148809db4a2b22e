// Everything rules may look at, computed once per analysis.
#pragma once

#include <olab/analysis/analyze.h>
#include <olab/analysis/waits.h>

namespace olab {

inline constexpr ActivityIndex kNoActivity = 0xffffffffu;

/// Time in which the resident kernels left no room for one more block, and the kernel that took most of it.
struct FullGrid {
    Interval time;
    ActivityIndex kernel = kNoActivity;
};

/// What is known per device of the trace (same index as Trace::devices()).
struct DeviceFacts {
    std::array<IntervalSet, kDeviceClassCount> coverage; ///< what the overlap numbers are made of
    std::vector<FullGrid> fullGrids; ///< sorted, disjoint; empty when no kernel's residency is known
    IntervalSet full;                ///< their union
    IntervalSet crowdedCompute, crowdedCopies; ///< two or more at once on the SMs; on the copy engines
    bool knowsResidency = false;               ///< how many blocks it holds at once is known of every kernel
    Ns computeLoad =
        0; ///< what the SMs need for all their work: solo times, kernels by their share of the device
};

/// Per planned op (index of Schedule::ops); empty without a schedule.
struct PlannedNeeds {
    /// Activities whose end an event makes the op wait for: of each waited-for event the last op before its
    /// record in the recording stream.
    std::vector<std::vector<ActivityIndex>> events;
    /// The host function whose end lets the host issue the op; kNoActivity: none.
    std::vector<ActivityIndex> callback;
    bool empty() const { return events.empty(); }
};

struct Facts {
    const Trace& trace;
    const LaneSet& lanes;
    const Schedule* schedule = nullptr;
    std::vector<ActivityIndex> apiOf{}; ///< per activity: its API call, or kNoActivity
    std::vector<Ns>
        solo{}; ///< per activity: its solo duration (or the shortest of its kind), 0 for host classes
    std::vector<Wait> waits{};           ///< one per device activity, in begin order
    std::vector<std::uint32_t> waitOf{}; ///< per activity: index into waits, or kNoNumber
    std::vector<std::uint64_t>
        residentBlocks{}; ///< per activity: blocks the device holds at once for this kernel; 0 unknown
    std::vector<std::uint32_t>
        soloOf{}; ///< per activity: index into Trace::solos(), or kNoNumber: `solo` is a stand-in
    std::vector<DeviceFacts> perDevice{};
    PlannedNeeds needs{};
    bool hasApi = false, hasSolos = false;
    bool hasStreamKinds = false; ///< the kind of at least one stream (blocking, non-blocking, NULL) is known
    Ns resolution = 1;           ///< step of the device's time stamps, see timeStampResolution()
    std::vector<DeviceReport> devices{}; ///< the measured numbers
    Bounds bounds{};
};

/// @throws Error only when cancelled
Facts gatherFacts(const AnalysisInput& input, const RunControl& control = {});

} // namespace olab

// Everything rules may look at, computed once per analysis.
#pragma once

#include <olab/analysis/analyze.h>
#include <olab/analysis/waits.h>

namespace olab {

struct Facts {
    const Trace& trace;
    const LaneSet& lanes;
    const Schedule* schedule = nullptr;
    std::vector<ActivityIndex> apiOf;    ///< per activity: its API call, or kNoActivity
    std::vector<Ns> solo;                ///< per activity: its solo duration (or the shortest of its kind), 0 for host classes
    std::vector<Wait> waits;             ///< one per device activity, in begin order
    std::vector<std::uint32_t> waitOf;   ///< per activity: index into waits, or kNoNumber
    std::vector<std::uint64_t> residentBlocks; ///< per activity: blocks the device holds at once for this kernel; 0 unknown
    bool hasApi = false, hasSolos = false;
    std::vector<DeviceReport> devices;   ///< the measured numbers
    Bounds bounds;
};
inline constexpr ActivityIndex kNoActivity = 0xffffffffu;

Facts gatherFacts(const AnalysisInput& input);

} // namespace olab

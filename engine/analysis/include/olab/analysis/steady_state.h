// The repeating iteration of a recording: its period, its variation, a typical one and the worst one. Found
// from names (steps of a profiler, NVTX ranges), else from the pattern of operations. What comes before the
// repetition (loading, warming up) and after it is excluded and reported. Times are ns of the trace. Pure
// functions, any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/trace/run_control.h>

#include <memory>
#include <string>
#include <vector>

namespace olab::analysis {

/// How the begins of iterations were found.
enum class IterationMark : std::uint8_t {
    None,
    Steps,  ///< ProfilerStep#12
    Ranges, ///< a repeated NVTX range
    Pattern ///< the same operations in the same order
};
std::string_view iterationMarkName(IterationMark mark); ///< "none", "steps", "ranges", "pattern"

/// One iteration, judged like a recording of its own: whatever touches its time is included as a whole.
struct JudgedIteration {
    std::size_t number = 0; ///< index into SteadyState::iterations
    Interval time;
    std::vector<DeviceReport> devices;
    std::vector<Verdict> verdicts;
    Bounds bounds;
};

struct SteadyState {
    std::string missing; ///< why no iteration was found; empty: there are some
    IterationMark mark = IterationMark::None;
    std::string name; ///< of the range ("ProfilerStep#"), or of the operation that begins each iteration
    std::uint64_t operations = 0;     ///< operations of its stream per iteration, if found by pattern; else 0
    std::vector<Interval> iterations; ///< the steady part, in order; each lasts until the next begins
    std::uint64_t before = 0;         ///< iterations left out as ramp-up
    Interval time;                    ///< from the first of them to the end of the last
    Ns rampUp = 0, rampDown = 0;      ///< device work before and after
    Ns period = 0;                    ///< median
    Ns jitter = 0;                    ///< half of the iterations lie within this around the median
    Ns shortest = 0, longest = 0;
    std::size_t typical = 0, worst = 0;  ///< into iterations
    std::vector<JudgedIteration> judged; ///< the typical one, then the worst; empty: not judged
    std::string text;                    ///< a sentence or two
};

inline constexpr std::size_t kFewestIterations = 4;
inline constexpr std::size_t kFewestSteps = 2; ///< steps of a profiler

/// Does not set `judged`. O(n log n). @throws Error only when cancelled
SteadyState findSteadyState(const TraceFacts& facts, const RunControl& control = {});

} // namespace olab::analysis

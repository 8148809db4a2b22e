// The repeating iteration of a recording: its period, how much it varies, a typical one and the worst one.
// Found by what the program named (steps of a profiler, NVTX ranges), else by the pattern of its operations.
// What comes before the repetition (loading, warming up) and after it is left out and told. Times are ns of
// the trace. Pure functions, any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/trace/run_control.h>

#include <memory>
#include <string>
#include <vector>

namespace olab::analysis {

/// What told where one begins.
enum class IterationMark : std::uint8_t {
    None,
    Steps,  ///< ProfilerStep#12
    Ranges, ///< an NVTX range that comes again and again
    Pattern ///< the same operations in the same order
};
std::string_view iterationMarkName(IterationMark mark); ///< "none", "steps", "ranges", "pattern"

/// One of them, judged like a recording of its own: what touches its time is in it, whole.
struct JudgedIteration {
    std::size_t number = 0; ///< into SteadyState::iterations
    Interval time;
    std::vector<DeviceReport> devices;
    std::vector<Verdict> verdicts;
    Bounds bounds;
};

struct SteadyState {
    std::string missing; ///< why no iteration was found; empty: there are some
    IterationMark mark = IterationMark::None;
    std::string name; ///< of the range ("ProfilerStep#"), or of the operation that each begins with
    std::uint64_t operations = 0; ///< of the pattern: how many of its stream are in each; 0: not by pattern
    std::vector<Interval> iterations; ///< of the steady part, in order, each until the next begins
    std::uint64_t before = 0;         ///< iterations that were left out: of the ramp-up
    Interval time;                    ///< from the first of them to the end of the last
    Ns rampUp = 0, rampDown = 0;      ///< of the device work before and after
    Ns period = 0;                    ///< median
    Ns jitter = 0;                    ///< half of them lie within this around the median
    Ns shortest = 0, longest = 0;
    std::size_t typical = 0, worst = 0;  ///< into iterations
    std::vector<JudgedIteration> judged; ///< the typical one, then the worst; empty: nobody judged them
    std::string text;                    ///< a sentence or two
};

inline constexpr std::size_t kFewestIterations = 4;
inline constexpr std::size_t kFewestSteps = 2; ///< steps of a profiler

/// Without `judged`. O(n log n). @throws Error only when cancelled
SteadyState findSteadyState(const TraceFacts& facts, const RunControl& control = {});

} // namespace olab::analysis

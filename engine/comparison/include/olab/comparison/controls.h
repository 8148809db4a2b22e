// Two runs with a known answer: a copy from pinned memory and a small kernel in two non-blocking streams,
// which must overlap, and the same in one stream, which must not. If either result differs, the device, its
// driver or the recording violates the assumptions of the verdicts. Plain data and pure functions, any
// thread.
#pragma once

#include <olab/analysis/report.h>

#include <optional>
#include <string>

namespace olab::comparison {

struct ControlRun {
    Ns makespan = 0, overlap = 0;
    std::optional<double> ofAttainable; ///< overlap / the shorter of both; empty: no such pair was recorded
    bool holds = false;
};
struct Controls {
    ControlRun together; ///< two streams: must overlap
    ControlRun apart;    ///< one stream: must not
    bool simulated = false;
    std::string text; ///< a sentence: the result, or why nothing can be trusted
    bool hold() const { return together.holds && apart.holds; }
};
inline constexpr double kMustOverlap = 0.5;  ///< of_attainable; a pipeline of this kind reaches 0.9
inline constexpr double kMustNotOverlap = 0; ///< nanoseconds: work of one stream never meets

/// From the reports of the two runs.
Controls judgeControls(const analysis::Report& together, const analysis::Report& apart, bool simulated);

/// If they failed, every verdict becomes inconclusive with that reason, the efficiency unknown, and findings
/// at most consistent.
void applyControls(const Controls& controls, analysis::Report& report);

} // namespace olab::comparison

// The runs of one job: repeats, and the pairs (traced, untraced) behind them. One of them is shown and
// judged; problems of any run belong to its recording, because a pipeline that raced in another run is only
// right by luck in this one. Plain data and pure functions, any thread; they never throw on data.
#pragma once

#include <olab/experiment/schedule.h>
#include <olab/trace/trace.h>

#include <cstdint>
#include <string>
#include <vector>

namespace olab::analysis {

struct Report;

/// A run that had a problem.
struct RunTrouble {
    int run = 0; ///< from 1, in the order in which the runs of the job began
    bool traced = false;
    std::vector<Defect> defects; ///< never empty, no notices
    friend bool operator==(const RunTrouble&, const RunTrouble&) = default;
};

/// Empty for a single run, or if no run had a problem.
struct JobRuns {
    int traced = 0, untraced = 0; ///< number of runs so far, including the shown one
    int shown = 0;                ///< which run is shown
    bool shownTraced = true;
    std::vector<RunTrouble> troubled; ///< in order, including the shown run
    int count() const { return traced + untraced; }
    bool empty() const { return troubled.empty(); }
    friend bool operator==(const JobRuns&, const JobRuns&) = default;
};

/// How many runs produced wrong data, and the largest number of wrong values.
struct RacedRuns {
    int traced = 0, untraced = 0;
    bool shown = false; ///< the shown run is one of them
    std::uint64_t mostValues = 0;
    int count() const { return traced + untraced; }
};
RacedRuns racedRuns(const JobRuns& runs);

/// "run 3 of 10, untraced".
std::string runName(const JobRuns& runs, const RunTrouble& run);

/// Sets Report::runs and adds the problems of the other runs as defects, one per code. `report` must contain
/// only the defects of the shown run; the entry of that run in `runs` is ignored. Data lost by another run
/// invalidates no verdict: the shown run is complete.
void addOtherRuns(JobRuns runs, Report& report);

} // namespace olab::analysis

// The runs of one job: repeats, and the pairs (traced, untraced) behind them. One of them is shown and
// judged; what went wrong in any of them belongs to its recording, because a pipeline that raced in another
// run is right by luck in this one. Plain data and pure functions, any thread; they never throw on data.
#pragma once

#include <olab/experiment/schedule.h>
#include <olab/trace/trace.h>

#include <cstdint>
#include <string>
#include <vector>

namespace olab::analysis {

struct Report;

/// A run in which something went wrong.
struct RunTrouble {
    int run = 0; ///< from 1, in the order in which the runs of the job began
    bool traced = false;
    std::vector<Defect> defects; ///< never empty, no notices
    friend bool operator==(const RunTrouble&, const RunTrouble&) = default;
};

/// Empty where there was one run, or nothing went wrong in any: then there is nothing to say of the others.
struct JobRuns {
    int traced = 0, untraced = 0; ///< how many were made so far, the one that is shown included
    int shown = 0;                ///< which one is shown
    bool shownTraced = true;
    std::vector<RunTrouble> troubled; ///< in order, the one that is shown included
    int count() const { return traced + untraced; }
    bool empty() const { return troubled.empty(); }
    friend bool operator==(const JobRuns&, const JobRuns&) = default;
};

/// How many runs left wrong data, and how many values at the most.
struct RacedRuns {
    int traced = 0, untraced = 0;
    bool shown = false; ///< the one that is shown is one of them
    std::uint64_t mostValues = 0;
    int count() const { return traced + untraced; }
};
RacedRuns racedRuns(const JobRuns& runs);

/// "run 3 of 10, untraced".
std::string runName(const JobRuns& runs, const RunTrouble& run);

/// Report::runs, and what went wrong in the others as defects of the report, one of each code. `report` has
/// the defects of the run that is shown, and only those; what `runs` says of that one is not looked at. Data
/// that another run lost takes no verdict back: the one that is shown is whole.
void addOtherRuns(JobRuns runs, Report& report);

} // namespace olab::analysis

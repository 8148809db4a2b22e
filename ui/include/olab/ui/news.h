// What the jobs of the window ask and tell. Plain values, shared and const; any thread.
#pragma once

#include <olab/claims/claim_runs.h>
#include <olab/recording/last_seconds.h>
#include <olab/recording/live_run.h>
#include <olab/sweep/sweep.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace olab::comparison {
struct Fix;
} // namespace olab::comparison

namespace olab::ui {

/// What the search for a fix found.
using FixPtr = std::shared_ptr<const comparison::Fix>;

/// The cells of a sweep that have new numbers.
struct SweepNews {
    std::vector<std::pair<std::size_t, sweep::Cell>> cells; ///< by their numbers
    bool untraced = false, simulated = false;
    std::string machine, basis;
};
using SweepNewsPtr = std::shared_ptr<const SweepNews>;

/// What came of claims that were judged in the window: their results, and the recordings they rest on.
struct ClaimsNews {
    claims::ClaimsResults results;
    /// A recording of each run that there was ("E01.h2d").
    std::map<std::string, view::ViewDataPtr, std::less<>> runs;
};
using ClaimsNewsPtr = std::shared_ptr<const ClaimsNews>;

/// A pass of the experiment that runs over and over, as the window shows it.
struct LiveNews {
    recording::LivePass pass;
    view::ViewDataPtr shown;
};
using LiveNewsPtr = std::shared_ptr<const LiveNews>;

/// What a program that is being recorded did in the last seconds, as the window shows it.
struct TraceNews {
    recording::LastLook look;
    view::ViewDataPtr shown;  ///< null: nothing was recorded since the news before
    view::ViewDataPtr judged; ///< what headline and verdicts are of: LastLook::judged
};
using TraceNewsPtr = std::shared_ptr<const TraceNews>;

} // namespace olab::ui

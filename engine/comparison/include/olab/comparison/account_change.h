// Two accounts of lost time held against each other: what each cause costs more or less, and what of the
// difference no cause explains. It adds up to the nanosecond: the changes of the ideal run, of all causes and
// of the unexplained rest are that of the run time. Pure functions, any thread; times in nanoseconds.
#pragma once

#include <olab/analysis/report.h>

#include <optional>
#include <string>
#include <vector>

namespace olab::comparison {

struct AccountRow {
    analysis::LossCause cause = analysis::LossCause::None;
    std::optional<Ns> before, after; ///< its cost; empty: the account of that run has no such line
    /// It cost nothing worth a finding before (after), and does now (did).
    bool isNew = false, isGone = false;
    Ns change() const { return after.value_or(0) - before.value_or(0); }
};

/// Of the two numbers of a line that each account has.
struct AccountLine {
    Ns before = 0, after = 0;
    Ns change() const { return after - before; }
};

struct AccountChange {
    std::string missing; ///< why there is none; then all of the rest is empty
    /// The numbers are those of one iteration: both accounts are of the iterations that a program repeats.
    bool perIteration = false;
    AccountLine measured, ideal, unexplained;
    std::vector<AccountRow> rows; ///< the largest change first
};
AccountChange accountChange(const analysis::Report& before, const analysis::Report& after);

/// What a cause costs, as a share of the run; 0 where the account has no such line, nothing without one.
std::optional<double> causeShare(const analysis::Report& report, analysis::LossCause cause);

/// The one line that says most about a run that became longer: "new cause 'pageable memory'", "'one stream'
/// costs 2.10 ms more", "its ideal run is 3.2 ms longer"; of a run that became shorter the like. Empty: none
/// makes up half of it.
std::string mainReason(const AccountChange& change);

/// "pageable +31.4 ms, host-late -2.1 ms, ideal +0.2 ms": without what is small.
std::string accountChangeText(const AccountChange& change);

} // namespace olab::comparison

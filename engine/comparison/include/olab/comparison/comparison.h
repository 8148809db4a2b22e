// Compares two runs: what was changed between them, whether their times are comparable, how much faster the
// second was, and the verdict of each pair in both. Used by the window, the command line and experiments.
// Pure functions, any thread.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/paired_change.h>
#include <olab/comparison/slowdown.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment {
struct Experiment;
} // namespace olab::experiment

namespace olab::comparison {

/// Compares two accounts of lost time: the change of each cause's cost, and the unexplained rest. Exact to
/// the nanosecond: the changes of the ideal run, of all causes and of the rest add up to the change of the
/// run time. Pure functions, any thread; times in nanoseconds.
struct AccountRow {
    analysis::LossCause cause = analysis::LossCause::None;
    std::optional<Ns> before, after; ///< its cost; empty: not in the account of that run
    /// Whether its cost is only worth a finding after (isNew), or only before (isGone).
    bool isNew = false, isGone = false;
    Ns change() const { return after.value_or(0) - before.value_or(0); }
};

/// A number that both accounts have.
struct AccountLine {
    Ns before = 0, after = 0;
    Ns change() const { return after - before; }
};

struct AccountChange {
    std::string missing; ///< why there is no comparison; then everything else is empty
    /// The numbers are per iteration: both accounts are about the iterations that a program repeats.
    bool perIteration = false;
    AccountLine measured, ideal, unexplained;
    std::vector<AccountRow> rows; ///< the largest change first
};
AccountChange accountChange(const analysis::Report& before, const analysis::Report& after);

/// Cost of a cause as a share of the run; 0 if the account has no such line, nothing without an account.
std::optional<double> causeShare(const analysis::Report& report, analysis::LossCause cause);

/// The single most important line about a run that became longer: "new cause 'pageable memory'", "'one
/// stream' costs 2.10 ms more", "its ideal run is 3.2 ms longer"; correspondingly for a shorter run. Empty:
/// no line makes up half of the change.
std::string mainReason(const AccountChange& change);

/// "pageable +31.4 ms, host-late -2.1 ms, ideal +0.2 ms": without small changes.
std::string accountChangeText(const AccountChange& change);

// How much more work one of two compared runs did, so that times can be compared per work. Pure functions,
// any thread.

struct ComparedRun;

/// Ratios are after / before; empty: unknown, or one of the two did no such work.
struct WorkChange {
    std::optional<double> operations; ///< device work, by its records
    std::optional<double> bytes;      ///< of copies and memsets
    /// For the lab's runs: as planned by kernel.us. For other programs as measured, or 1 if both ran the same
    /// kernels: a slower kernel is not more work.
    std::optional<double> kernelTime;
    /// The common ratio, if all classes of work agree. Empty: they differ, or it is unknown.
    std::optional<double> amount;
    bool perIteration = false;           ///< the work grew with the iterations
    std::optional<double> iterationTime; ///< median over iterations repeated in both, outside the lab

    bool differs() const; ///< whether it differs noticeably
    /// "4 times the bytes, 0.5 times the operations"; only the differences.
    std::string differences() const;
    /// The unit of `amount`: "iteration" or "unit of work".
    std::string unit() const { return perIteration ? "iteration" : "unit of work"; }
};
WorkChange workChange(const ComparedRun& before, const ComparedRun& after);

/// One of the two runs; the objects it refers to must outlive the results.
struct ComparedRun {
    std::string name; ///< for people: "Run 2"
    const Trace& trace;
    const analysis::Report& report;
    const experiment::Experiment* experiment = nullptr; ///< null: its options are unknown
    const RunTimes* times = nullptr;                    ///< of all runs of its job; null: unknown
};

struct OptionDifference {
    std::string_view key;
    std::string before, after;
    friend bool operator==(const OptionDifference&, const OptionDifference&) = default;
};

/// Verdicts of one pair of classes; null if that run has none.
struct VerdictPair {
    const analysis::Verdict *before = nullptr, *after = nullptr;
};

/// The result about the speed of both, and whether it may be used.
struct JudgedSpeed {
    std::optional<Slowdown> slowdown; ///< empty: `unjudged`, or one run has no time
    std::string
        words; ///< "slower by 4.1 % (3.2 to 5.0), 10 and 10 untraced runs: new cause 'pageable memory'"
    std::string unjudged; ///< why no assertion about it can be judged
};

/// Changed findings, by id.
struct FindingChange {
    std::vector<std::string> appeared, gone;
};

/// Ratios closer to 1 than this do not count as faster or slower.
inline constexpr double kSameSpeed = 0.02;

struct Comparison {
    std::vector<OptionDifference> options; ///< the differing ones; empty if one run knows no options
    std::string obstacle;                  ///< why their times must not be compared; empty: they may
    /// Why no assertion about the two can be judged: one of them lost data or did nothing, or they did
    /// different work (same_work.h); empty: they can.
    std::string unjudged;
    std::optional<double> speedup; ///< time before / time after; empty with an obstacle or without both times
    std::vector<VerdictPair> verdicts; ///< each pair of the first device once, in the order of the first run
    std::string headline;              ///< "Run 1 took 344 ms, Run 2 took 120 ms: 2.87x faster."
    /// Run-to-run spread of each job, untraced if both have untraced runs, else traced; empty with an
    /// obstacle or if one of them has a single run.
    std::optional<Spread> spreadBefore, spreadAfter;
    bool untracedSpread = false;
    std::string spread; ///< a sentence about both, or that there is no spread
    /// after / before: the medians of the two spreads, or the run times without spreads.
    std::optional<double> slower;
    WorkChange work; ///< how much more the second did
    /// `slower` per unit of work if the second run did more or less of it, by the same factor in all parts;
    /// otherwise per iteration if both repeat one. Empty: the work is the same, or cannot be divided.
    std::optional<double> slowerPerWork;
    JudgedSpeed speed; ///< over all runs of both
    /// For one iteration, if both programs repeat the same one any number of times.
    JudgedSpeed iteration;
    /// Reasons for distrust, in sentences; or empty: recordings that are copies of others, and possible drift
    /// between the sides.
    std::string caution;
    AccountChange account; ///< between the two typical runs
    FindingChange findings;
    /// Every run of one took longer than every run of the other.
    bool isBeyondSpread() const {
        return spreadBefore && spreadAfter && beyondSpread(*spreadBefore, *spreadAfter);
    }
};
Comparison compare(const ComparedRun& before, const ComparedRun& after);

/// Compares several recordings of each side; neither may be empty. All must have done the same work and lost
/// nothing. Identical recordings (the same device work at the same times) count once; a measured recording on
/// both sides leaves the speed unjudged.
struct SidesCompared {
    std::size_t before = 0, after = 0; ///< the typical ones, by time: the comparison shows these two
    Comparison comparison;
};
SidesCompared compareSides(std::span<const ComparedRun> before, std::span<const ComparedRun> after);

std::vector<OptionDifference> optionDifferences(const experiment::Experiment& before,
                                                const experiment::Experiment& after);
/// Only Comparison::obstacle.
std::string comparisonObstacle(const ComparedRun& before, const ComparedRun& after);

/// The verdicts to show: both classes left records. Minor ones last.
std::vector<const analysis::Verdict*> allVerdicts(const analysis::Report& report);
/// The same for the first device only.
std::vector<const analysis::Verdict*> shownVerdicts(const analysis::Report& report);
/// The verdict in `all` about the same pair; null: none.
const analysis::Verdict* sameVerdict(const std::vector<const analysis::Verdict*>& all,
                                     const analysis::Verdict& wanted);

} // namespace olab::comparison

// Two runs held against each other: what was changed between them, whether their times may be compared, how
// much faster the second was, and the verdict of each pair in both. The same for the window, the command line
// and experiments. Pure functions, any thread.
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

/// Two accounts of lost time held against each other: what each cause costs more or less, and what of the
/// difference no cause explains. It adds up to the nanosecond: the changes of the ideal run, of all causes
/// and of the unexplained rest are that of the run time. Pure functions, any thread; times in nanoseconds.
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

// How much more one of two compared runs did than the other, so that times can be compared per work. Pure
// functions, any thread.

struct ComparedRun;

/// Ratios are after / before; empty: unknown, or one of the two did none of it.
struct WorkChange {
    std::optional<double> operations; ///< device work, by its records
    std::optional<double> bytes;      ///< of copies and memsets
    /// Of the lab's runs what kernel.us plans. Of other programs what was measured, 1 if both ran the same
    /// kernels: a kernel that became slower is no more work.
    std::optional<double> kernelTime;
    /// How many times the work: all classes of it agree. Empty: they differ, or nothing is known.
    std::optional<double> amount;
    bool perIteration = false;           ///< the work grew with the iterations
    std::optional<double> iterationTime; ///< median of the iterations that repeat in both, outside the lab

    bool differs() const; ///< by more than nobody would notice
    /// "4 times the bytes, 0.5 times the operations"; only what differs.
    std::string differences() const;
    /// The unit of `amount`: "iteration" or "unit of work".
    std::string unit() const { return perIteration ? "iteration" : "unit of work"; }
};
WorkChange workChange(const ComparedRun& before, const ComparedRun& after);

/// One of the two; what it refers to outlives what is made of it.
struct ComparedRun {
    std::string name; ///< as a person knows it: "Run 2"
    const Trace& trace;
    const analysis::Report& report;
    const experiment::Experiment* experiment = nullptr; ///< null: nobody knows the options it ran with
    const RunTimes* times = nullptr;                    ///< of all runs of its job; null: nobody knows them
};

struct OptionDifference {
    std::string_view key;
    std::string before, after;
    friend bool operator==(const OptionDifference&, const OptionDifference&) = default;
};

/// Of one pair of classes; null where that run has no such verdict.
struct VerdictPair {
    const analysis::Verdict *before = nullptr, *after = nullptr;
};

/// What the runs say of the speed of both, and whether it may be said of them.
struct JudgedSpeed {
    std::optional<Slowdown> slowdown; ///< empty: `unjudged`, or one of them has no time
    std::string
        words; ///< "slower by 4.1 % (3.2 to 5.0), 10 and 10 untraced runs: new cause 'pageable memory'"
    std::string unjudged; ///< why no assertion about it is judged
};

/// Findings by their ids.
struct FindingChange {
    std::vector<std::string> appeared, gone;
};

/// Closer to 1 than that nobody should call one of them faster.
inline constexpr double kSameSpeed = 0.02;

struct Comparison {
    std::vector<OptionDifference> options; ///< those that differ; empty where one run knows of no options
    std::string obstacle; ///< why their times must not be held against each other; empty: they may
    /// Why no assertion about the two is judged: one of them lost data or did nothing, or they did different
    /// work (same_work.h); empty: they may be.
    std::string unjudged;
    std::optional<double> speedup; ///< time before / time after; empty with an obstacle or without both times
    std::vector<VerdictPair> verdicts; ///< each pair of the first device once, in the order of the first run
    std::string headline;              ///< "Run 1 took 344 ms, Run 2 took 120 ms: 2.87x faster."
    /// How far the runs of each job lie apart, untraced where both have such, else traced; empty with an
    /// obstacle or where one of them knows of one run only.
    std::optional<Spread> spreadBefore, spreadAfter;
    bool untracedSpread = false;
    std::string spread; ///< a sentence about both, or that there is none
    /// The medians of the two spreads, or the times of the runs where there is none: after / before.
    std::optional<double> slower;
    WorkChange work; ///< how much more the second did
    /// `slower` per work where the second did more or less of it, by the same factor in all its parts; else
    /// per iteration where both repeat one. Empty: the work is the same, or nothing divides it.
    std::optional<double> slowerPerWork;
    JudgedSpeed speed; ///< of all runs of both
    /// Of one iteration of programs that repeat the same one, however often each does.
    JudgedSpeed iteration;
    /// Why the runs may mislead, in sentences; or empty: recordings that are copies of others, and what may
    /// have drifted from one side to the other.
    std::string caution;
    AccountChange account; ///< of the two typical runs
    FindingChange findings;
    /// Every run of one took longer than every run of the other.
    bool isBeyondSpread() const {
        return spreadBefore && spreadAfter && beyondSpread(*spreadBefore, *spreadAfter);
    }
};
Comparison compare(const ComparedRun& before, const ComparedRun& after);

/// Several recordings of each side; none of them empty. All must have done the same work, and lost nothing.
/// Those that are the same one (the same device work at the same times) count once; a measured one that
/// stands on both sides leaves the speed unjudged.
struct SidesCompared {
    std::size_t before = 0, after = 0; ///< the typical ones, by their time: the comparison shows these two
    Comparison comparison;
};
SidesCompared compareSides(std::span<const ComparedRun> before, std::span<const ComparedRun> after);

std::vector<OptionDifference> optionDifferences(const experiment::Experiment& before,
                                                const experiment::Experiment& after);
/// Comparison::obstacle alone.
std::string comparisonObstacle(const ComparedRun& before, const ComparedRun& after);

/// The verdicts worth showing: both classes left records. Those of weight first, minor ones last.
std::vector<const analysis::Verdict*> allVerdicts(const analysis::Report& report);
/// Of these, those of the first device.
std::vector<const analysis::Verdict*> shownVerdicts(const analysis::Report& report);
/// Of `all` the one of the same pair; null: there is none.
const analysis::Verdict* sameVerdict(const std::vector<const analysis::Verdict*>& all,
                                     const analysis::Verdict& wanted);

} // namespace olab::comparison

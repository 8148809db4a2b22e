// Two runs held against each other: what was changed between them, whether their times may be compared, how
// much faster the second was, and the verdict of each pair in both. The same for the window, the command line
// and experiments. Pure functions, any thread.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/account_change.h>
#include <olab/comparison/paired_change.h>
#include <olab/comparison/slowdown.h>
#include <olab/comparison/work_change.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment {
struct Experiment;
} // namespace olab::experiment

namespace olab::comparison {

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

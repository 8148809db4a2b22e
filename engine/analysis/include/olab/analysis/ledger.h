// Where the time of a run went: measured = ideal + the costs of the causes + unexplained, to the nanosecond.
// Plain data, made by the module replay; empty if not made. Times are ns.
#pragma once

#include <olab/analysis/waits.h>
#include <olab/trace/trace.h>

#include <memory>
#include <string>
#include <vector>

namespace olab::analysis {

std::string_view lossCauseId(LossCause cause);    ///< "null-stream"; "" for None
std::string_view lossCauseTitle(LossCause cause); ///< "the NULL stream": for people

/// Why a device activity did not begin earlier. Its wait is from `ready` to its begin.
struct OwnedWait {
    Ns ready = 0;                      ///< when it could have begun: its stream had reached it
    LossCause cause = LossCause::None; ///< None: it did not wait
    ActivityIndex blocker =
        kNoActivity; ///< the work, call or host function it waited for; kNoActivity: unknown
    RestsOn rests = RestsOn::Recorded;
};

/// Actual saving of a fix relative to the predicted one, over the programs of tests/truth that are available:
/// its brought.py writes causes/brought.inc. No programs: not measured.
struct Brought {
    double part = 1;
    double low = 0, high = 0; ///< range for eight of ten programs; 0: too few
    unsigned programs = 0;
};
/// "86 % of what was said, 42 to 183 % in eight of ten, over 57 real programs"; empty if not measured.
std::string broughtText(const Brought& brought);

/// The cost of one cause. Costs depend on the order in which causes are fixed, and add up in that order.
struct LedgerEntry {
    LossCause cause = LossCause::None;
    Ns cost = 0;             ///< what fixing it saves, after those before it in the ledger
    Ns gain = 0;             ///< what fixing it alone saves
    Ns waited = 0;           ///< all waiting it owns; waiting hidden behind other work costs nothing
    std::uint64_t count = 0; ///< activities that waited or took longer
    std::vector<ActivityIndex> activities; ///< those that lost most, the worst first
    ClassMask classes = 0;                 ///< of all activities that it held up
    std::string text;                      ///< one sentence
    /// It saves time only if these are fixed too; the first one has the `cost` of all of them, the others 0.
    std::vector<LossCause> onlyWith{};
    /// Launch-bound: the device time of short kernels of one name in long runs. Fewer, larger kernels may
    /// save up to this much more.
    Ns more = 0;
    bool isAtMost = false;   ///< the host's own work, part of which is necessary
    Brought brought{};       ///< for programs other than the lab's: `gain` times this share is likely
    bool isInferred = false; ///< most of its waiting is inferred from times only
};

/// Kernels of one kind, or short sequences of kernels, that follow each other in their stream and each leave
/// room for more: the time saved by running them side by side, beyond all causes, if they are independent. An
/// estimate and an upper limit, and no cause: only the author of the program knows. Gain 0: nothing to say.
struct IfIndependent {
    Ns gain = 0;
    std::uint64_t kernels = 0;
    std::size_t sequence = 1; ///< length of the repeating sequence of kernels; 1: kernels of one kind
    double share = 0;         ///< of the device, taken by one of them
    std::string kernel{};     ///< name of the kernels that take most of the time
    std::vector<ActivityIndex> activities; ///< the longest first
    std::string text;                      ///< a few sentences
};

/// Causes that cost less than this share of the run are shown together.
inline constexpr double kSmallCost = 0.003;

/// Lower bounds of the ideal run, from solo durations: pageable copies count as pinned ones, and orders
/// introduced by a cause are ignored.
struct IdealNeeds {
    Ns oneCopyEngine = 0, twoCopyEngines = 0; ///< the busiest engine, with one or two copy engines
    Ns chain = 0;                             ///< the longest chain of a stream and its events
    std::string limiting;                     ///< the longest of these: "copy_h2d", "chain"
};

struct Bounds;

/// The part that an account is about, if it is not the whole run: the iterations that a program repeats.
struct JudgedPart {
    Interval time;
    std::uint64_t iterations = 0;
    std::shared_ptr<const Bounds> bounds; ///< from its operations alone, estimates
    bool graphsCallHost = false; ///< the program put host functions into graphs, in this part or before it
    /// Number of iterations before and after the part that the account leaves out, because some of them took
    /// much longer for the same work; and the longest of them.
    std::uint64_t unusual = 0;
    Ns longestUnusual = 0;
};

struct Ledger {
    Ns measured = 0;                        ///< TraceFacts::runSpan(), or the length of the part
    std::shared_ptr<const JudgedPart> part; ///< null: the whole run
    /// The same work in the same streams on the same engines, without any of the causes; at most `measured`.
    Ns ideal = 0;
    /// By how much the model's ideal run is longer than the run. No real run can be shorter than its ideal,
    /// so `ideal` is then measured - all costs.
    Ns cut = 0;
    Ns unexplained = 0;               ///< measured - ideal - all costs; may be below 0
    bool lacksCalls = false;          ///< the recording has no API calls, so the host's actions are unknown
    std::size_t withoutCall = 0;      ///< operations without a call, in a recording that has API calls
    IdealNeeds needs;                 ///< for the ideal run
    std::vector<LedgerEntry> entries; ///< in the order in which fixing saves most
    std::string headline;             ///< one sentence over everything
    /// For a program that repeats itself: a cause that saves alone about as much as the first one, and little
    /// more after it. None: no such cause.
    LossCause otherWay = LossCause::None;
    IfIndependent ifIndependent;
    /// The recorder's share is assumed at its maximum: with a likely share the host would be late, with this
    /// one it is in time.
    bool recorderInDoubt = false;
    /// Why there is no account although device work was recorded; if set, all members above are empty.
    std::string missing;
    std::vector<OwnedWait> waits; ///< of each device activity, by its number (DeviceWork)
    /// Time of each device activity in the ideal run, by number (DeviceWork), on the time axis of the
    /// recording; empty without an account.
    std::vector<Interval> idealTimes;
    /// By how much the model of the run, with all causes, is shorter than the run; below 0: longer.
    Ns missed() const { return unexplained - cut; }
};

} // namespace olab::analysis

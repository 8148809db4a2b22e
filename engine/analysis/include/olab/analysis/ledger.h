// Where the time of a run went: measured = ideal + the costs of the causes + unexplained, to the nanosecond.
// Plain data, made by the module replay; nothing where nobody made it. Times are ns.
#pragma once

#include <olab/analysis/waits.h>
#include <olab/trace/trace.h>

#include <memory>
#include <string>
#include <vector>

namespace olab::analysis {

std::string_view lossCauseId(LossCause cause);    ///< "null-stream"; "" for None
std::string_view lossCauseTitle(LossCause cause); ///< "the NULL stream": what people call it

/// Why a device activity did not begin earlier. Its wait is from `ready` to its begin.
struct OwnedWait {
    Ns ready = 0;                      ///< when it could have begun: its stream had come to it
    LossCause cause = LossCause::None; ///< None: it did not wait
    ActivityIndex blocker =
        kNoActivity; ///< the work, call or host function it waited for; kNoActivity: not known
    RestsOn rests = RestsOn::Recorded;
};

/// What mending a cause brought of what it was said to bring, over the programs of tests/truth that are there
/// to look at: its brought.py makes causes/brought.inc of them. No programs: nobody measured it.
struct Brought {
    double part = 1;
    double low = 0, high = 0; ///< in eight of ten programs it was between these; 0: there are too few
    unsigned programs = 0;
};
/// "86 % of what was said, 42 to 183 % in eight of ten, over 57 real programs"; empty where nobody measured
/// it.
std::string broughtText(const Brought& brought);

/// What one cause cost. Costs depend on the order in which causes are fixed, and add up in it.
struct LedgerEntry {
    LossCause cause = LossCause::None;
    Ns cost = 0;             ///< what mending it brings after those before it in the ledger
    Ns gain = 0;             ///< what mending it alone brings
    Ns waited = 0;           ///< all waiting it owns; what is hidden behind other work costs nothing
    std::uint64_t count = 0; ///< of the activities that waited or took longer
    std::vector<ActivityIndex> activities; ///< those that lost most, the worst first
    ClassMask classes = 0;                 ///< of all that it held up
    std::string text;                      ///< one sentence
    /// Only if these are fixed too it brings anything; `cost` is that of all of them, and the first one's.
    std::vector<LossCause> onlyWith{};
    /// Launch-bound: what the device still takes for short kernels of one name in long runs. Fewer, larger
    /// ones may save up to so much more.
    Ns more = 0;
    bool isAtMost = false;   ///< what the host does itself: some of it has to be done
    Brought brought{};       ///< of programs that are not the lab's: `gain` times its part is likely
    bool isInferred = false; ///< most of its waiting rests on times alone
};

/// Kernels of one kind, or short sequences of kernels, follow each other in their stream, and each leaves
/// room for more of them: what they would save side by side, beyond all causes, if none needs the result of
/// another. An estimate and an upper limit, and no cause: only the author of the program knows. Gain 0: there
/// is nothing to say.
struct IfIndependent {
    Ns gain = 0;
    std::uint64_t kernels = 0;
    std::size_t sequence = 1;              ///< how many kernels repeat: 1 where they are of one kind
    double share = 0;                      ///< of the device, that one of them takes
    std::string kernel{};                  ///< the name of those that take most of the time
    std::vector<ActivityIndex> activities; ///< the longest first
    std::string text;                      ///< a few sentences
};

/// A cause that costs less than this share of the run is shown only with other small ones.
inline constexpr double kSmallCost = 0.003;

/// What the ideal run needs at the least, of solo durations: pageable copies as pinned ones, no order that a
/// cause brought in.
struct IdealNeeds {
    Ns oneCopyEngine = 0, twoCopyEngines = 0; ///< the busiest engine, with so many copy engines
    Ns chain = 0;                             ///< the longest chain of a stream and its events
    std::string limiting;                     ///< which of them is the longest: "copy_h2d", "chain"
};

struct Bounds;

/// What an account is of, where that is not the whole run: the iterations that a program repeats.
struct JudgedPart {
    Interval time;
    std::uint64_t iterations = 0;
    std::shared_ptr<const Bounds> bounds; ///< of its operations alone, estimates
    bool graphsCallHost = false;          ///< the program put host functions into graphs, before it too
    /// Iterations before and behind that the account leaves out, since some of them took much longer for the
    /// same work, and the longest.
    std::uint64_t unusual = 0;
    Ns longestUnusual = 0;
};

struct Ledger {
    Ns measured = 0;                        ///< TraceFacts::runSpan(), or the length of the part
    std::shared_ptr<const JudgedPart> part; ///< null: the whole run
    /// The same work in the same streams on the same engines, held back by none of the causes; no longer than
    /// measured.
    Ns ideal = 0;
    /// The model's ideal run is so much longer: where it is longer than the run, which no run can be, `ideal`
    /// is measured - all costs.
    Ns cut = 0;
    Ns unexplained = 0;               ///< measured - ideal - all costs; may be below 0
    bool lacksCalls = false;          ///< the recording has no API calls: nothing says what the host did
    std::size_t withoutCall = 0;      ///< operations that have none, in a recording that has API calls
    IdealNeeds needs;                 ///< of the ideal run
    std::vector<LedgerEntry> entries; ///< in the order in which mending pays most
    std::string headline;             ///< one sentence over everything
    /// Of a program that repeats itself: a cause whose mending alone brings about as much as that of the
    /// first one, and little more after it. None: there is none.
    LossCause otherWay = LossCause::None;
    IfIndependent ifIndependent;
    /// What the recording took is as much as it may have taken: with a likely share the host would be late,
    /// with this one it is in time.
    bool recorderInDoubt = false;
    /// Why there is no account although device work was recorded; then all of the above is empty.
    std::string missing;
    std::vector<OwnedWait> waits; ///< of each device activity, by its number (DeviceWork)
    /// Of each device activity (by its number, DeviceWork) its time in the ideal run, on the time line of the
    /// recording; empty where there is no account.
    std::vector<Interval> idealTimes;
    /// By how much the model of the run, with nothing taken out, is shorter than the run; below 0: longer.
    Ns missed() const { return unexplained - cut; }
};

} // namespace olab::analysis

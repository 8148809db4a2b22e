// Where the time of a run went: measured = ideal + the costs of the causes + unexplained, to the nanosecond.
// Plain data, made by the module replay; nothing where nobody made it. Times are ns.
#pragma once

#include <olab/trace/trace.h>

#include <string>
#include <vector>

namespace olab {

/// What held a run up. The ids are those of cli.md ("The ledger and its causes"), the same as those of
/// findings.
enum class LossCause : std::uint8_t {
    None, ///< what the program asked for, and what its engines take
    Pageable,
    SameStream,
    NullStream,
    MemsetFullGrid,
    LaunchBound,
    HostSync,
    HostLate,
    EventOrder,
    DeviceBarrier,
    FirstLaunch,
    Callback,
    LaunchBlocking,
    Connections,
    HeadOfLine,
    Stretched,
    Tool,             ///< the recording itself
    EngineBound,      ///< its engine had other work: the bound, which costs nothing
    FullGrid,         ///< the SMs had other work: the same
    Priority,         ///< work of a stream of higher priority went before it
    QueueFull,        ///< a call waited for room in a hardware queue
    UnifiedMemory,    ///< migrations; no account tells them apart
    BothDirections,   ///< copies to and from the device share what is behind them: the bound
    CopyEngineShared, ///< one engine copies in both directions: the bound
    TooFewStreams,    ///< the order of few streams: the bound
    Ramp,             ///< filling and draining of a short run: part of what it needs
    Unexplained
};
inline constexpr std::size_t kLossCauses = 27;
std::string_view lossCauseId(LossCause cause);    ///< "null-stream"; "" for None
std::string_view lossCauseTitle(LossCause cause); ///< "the NULL stream": what people call it

/// Why a device activity did not begin earlier. Its wait is from `ready` to its begin.
struct OwnedWait {
    Ns ready = 0;                      ///< when it could have begun: its stream had come to it
    LossCause cause = LossCause::None; ///< None: it did not wait
    ActivityIndex blocker =
        kNoActivity; ///< the work, call or host function it waited for; kNoActivity: not known
};

/// What one cause cost. Costs depend on the order in which causes are mended, and add up in it.
struct LedgerEntry {
    LossCause cause = LossCause::None;
    Ns cost = 0;             ///< what mending it brings after those before it in the ledger
    Ns gain = 0;             ///< what mending it alone brings
    Ns waited = 0;           ///< all waiting it owns; what is hidden behind other work costs nothing
    std::uint64_t count = 0; ///< of the activities that waited or took longer
    std::vector<ActivityIndex> activities; ///< those that lost most, the worst first
    std::string text;                      ///< one sentence
};

/// A cause that costs less than this share of the run is shown only with other small ones.
inline constexpr double kSmallCost = 0.003;

struct Ledger {
    Ns measured = 0; ///< from the opening of the gate, or the first call that led to device work, to the end
    Ns ideal = 0; ///< the same work in the same streams on the same engines, held back by none of the causes
    Ns unexplained = 0;               ///< what the model of the run misses; may be below 0
    std::vector<LedgerEntry> entries; ///< in the order in which mending pays most
    std::string headline;             ///< one sentence over everything
    /// Why there is no account although device work was recorded; then all of the above is empty.
    std::string missing;
    std::vector<OwnedWait> waits; ///< of each device activity, by its number (DeviceWork)
    /// Of each device activity (by its number, DeviceWork) its time in the ideal run, on the time line of the
    /// recording; empty where there is no account.
    std::vector<Interval> idealTimes;
};

} // namespace olab

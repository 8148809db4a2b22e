// Why an op started when it did. ready(B) = max(end of the previous op or host function of its stream, end of
// its API call, opening of the gate); wait(B) = begin(B) - ready(B). The NULL stream is no part of ready(B):
// its order is one nobody asked for, so the time it costs is a wait. Each wait has the cause that took the
// largest part of it, looked at in this sequence: ordering by the NULL stream, its engine, room on the SMs. A
// wait no longer than the usual latency after ready(B) needs no such cause: then `cause` says what made the
// op ready. What the rules look at; people are shown ExplainedWait (explained_wait.h).
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/trace/trace.h>

#include <array>
#include <string>
#include <string_view>

namespace olab::analysis {

class TraceFacts;

/// Each is a row of kWaitCauseTable.
enum class WaitCause : std::uint8_t {
    None,        ///< started as soon as it could
    StreamOrder, ///< previous op of the same stream (in `blocker`); `wait` is the hop after its end
    NullStream,  ///< an op on the legacy NULL stream between (in `blocker`), or it is one itself
    SameEngine,  ///< its copy engine was busy with `blocker`
    FullGrid,    ///< compute: resident grids (worst in `blocker`) left no room
    HostLate, ///< issued late: the host was still inside earlier calls (`blocker` = that API call, if known)
    Callback, ///< a host function of its stream ran, or had to before the host issued it
    Event,    ///< it waits for an event behind `blocker` in another stream
    Unknown,
};
inline constexpr std::size_t kWaitCauses = 9;

using WaitCauseMask = std::uint32_t; ///< bit i = WaitCause i
inline constexpr WaitCauseMask kAllWaitCauses = (1u << kWaitCauses) - 1;
constexpr WaitCauseMask maskOf(WaitCause c) {
    return 1u << static_cast<unsigned>(c);
}

struct Wait {
    ActivityIndex activity = 0;
    Ns ready = 0; ///< the earliest it could have begun
    Ns wait = 0;  ///< begin - ready, never negative
    Ns held = 0;  ///< the part of `wait` that the cause explains
    WaitCause cause = WaitCause::None;
    ActivityIndex blocker = kNoActivity; ///< what held it; kNoActivity: none or unknown
    Ns stretched = 0;                    ///< how much longer than its solo duration it ran
};

/// Whom a wait is held against.
enum class Blame : std::uint8_t {
    Nobody,   ///< no class of device work: what the program asked for, the host, or what no record explains
    Blocker,  ///< the class of its blocker
    Meanwhile ///< each class for the time that it ran meanwhile: it is that work it was made to wait for
};

struct WaitCauseRow {
    WaitCause cause{};
    LossCause is{}; ///< of the table of causes, with its id and its sentence (explained_wait.h)
    /// From the end of what it waited for to its own begin when nothing else holds it. That much is no wait.
    Ns latency = 0;
    Blame blames = Blame::Nobody; ///< as in the row of `is`
};
extern const std::array<WaitCauseRow, kWaitCauses> kWaitCauseTable; ///< by WaitCause
inline const WaitCauseRow& rowOf(WaitCause c) {
    return kWaitCauseTable[static_cast<std::size_t>(c)];
}

/// "kernel fma #7 (stream 14)": the op's number, or the activity's index when no planned op is known.
std::string activityName(const TraceFacts& facts, ActivityIndex activity);
/// "1.90 us", "607 us", "28.1 ms": three digits, for people.
std::string timeText(Ns time);

} // namespace olab::analysis

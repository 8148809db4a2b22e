// Why an op started when it did. ready(B) = max(end of the previous op or host function of its stream, end of
// its API call, opening of the gate); wait(B) = begin(B) - ready(B). The NULL stream is no part of ready(B):
// its order is one nobody asked for, so the time it costs is a wait. Each wait has the cause that took the
// largest part of it, looked at in this sequence: ordering by the NULL stream, its engine, room on the SMs. A
// wait no longer than the usual latency after ready(B) needs no such cause: then `cause` says what made the
// op ready.
#pragma once

#include <olab/trace/trace.h>

#include <string>
#include <vector>

namespace olab {

class Facts;

inline constexpr ActivityIndex kNoActivity = 0xffffffffu;

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
std::string_view waitCauseName(WaitCause c);

struct Wait {
    ActivityIndex activity = 0;
    Ns ready = 0; ///< the earliest it could have begun
    Ns wait = 0;  ///< begin - ready, never negative
    Ns held = 0;  ///< the part of `wait` that the cause explains
    WaitCause cause = WaitCause::None;
    ActivityIndex blocker = kNoActivity; ///< what held it; kNoActivity: none or unknown
    Ns stretched = 0;                    ///< how much longer than its solo duration it ran
};

/// "kernel fma #7 (stream 14)": the op's number, or the activity's index when no planned op is known.
std::string activityName(const Facts& facts, ActivityIndex activity);
/// "1.90 us", "607 us", "28.1 ms": three digits, for people.
std::string timeText(Ns time);

/// One or two sentences for a person: "Waited 412 us for kernel spin #17 (stream 14): its grid of 8448 blocks
/// fills the device."
std::string waitSentence(const Facts& facts, const Wait& wait);

} // namespace olab

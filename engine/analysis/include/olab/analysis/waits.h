// Why an op began when it did: the constraint that came last. ready(B) = max(end of the previous op or host
// function of its stream, end of its API call, opening of the gate). The NULL stream is no part of ready(B):
// its order is one nobody asked for, so the time it costs is a wait. Each wait has the cause that took the
// largest part of it, looked at in this sequence: ordering by the NULL stream, its engine, room on the SMs. A
// wait no longer than the usual latency after ready(B) needs no such cause: then `cause` says what made the
// op ready. The account of lost time, where there is one, knows more (ExplainedWaits).
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/trace/trace.h>

#include <array>
#include <string>
#include <string_view>

namespace olab::analysis {

class TraceFacts;

/// What a wait was told from.
enum class RestsOn : std::uint8_t {
    Recorded, ///< a record says what it waited for
    Implied,  ///< CUDA's rules do, of what was recorded
    Inferred  ///< it only fits the times, such as the room that a grid is thought to leave
};
std::string_view restsOnName(RestsOn rests); ///< "recorded"

struct ExplainedWait {
    ActivityIndex op = kNoActivity;
    LossCause cause = LossCause::None;   ///< None and StreamOrder: nothing held it up
    ActivityIndex blocker = kNoActivity; ///< the work, call or host function it waited for; or not known
    Interval time;                       ///< from when it could have begun to when it began; may be empty
    Ns held = 0;                         ///< the part of it that the cause explains
    Ns stretched = 0;                    ///< how much longer than its solo duration it ran
    RestsOn rests = RestsOn::Recorded;
    bool isOwned = false; ///< by the account
    Ns length() const { return time.length(); }
    bool isHeld() const { return cause != LossCause::None && cause != LossCause::StreamOrder; }
};

/// Whom a wait is held against.
enum class Blame : std::uint8_t {
    Nobody,   ///< no class of device work: what the program asked for, the host, or what no record explains
    Blocker,  ///< the class of its blocker
    Meanwhile ///< each class for the time that it ran meanwhile: it is that work it was made to wait for
};

/// Of the waits that the records beside an op show.
RestsOn restsOn(LossCause cause);
/// From the end of what it waited for to its own begin when nothing else holds it. That much is no wait.
Ns usualLatency(LossCause cause);
/// The SMs had no room for it.
constexpr bool isForRoom(LossCause cause) {
    return cause == LossCause::FullGrid || cause == LossCause::MemsetFullGrid || cause == LossCause::Priority;
}

using LossCauses = std::uint64_t; ///< bit i = LossCause i
inline constexpr LossCauses kAllLossCauses = ~LossCauses{0};
static_assert(kLossCauses <= 64);
constexpr LossCauses maskOf(LossCause cause) {
    return LossCauses{1} << static_cast<unsigned>(cause);
}

/// "kernel fma #7 (stream 14)": the op's number, or the activity's index when no planned op is known.
std::string activityName(const TraceFacts& facts, ActivityIndex activity);
/// "1.90 us", "607 us", "28.1 ms": three digits, for people.
std::string timeText(Ns time);

} // namespace olab::analysis

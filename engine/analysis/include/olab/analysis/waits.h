// Why an op began when it did: the last constraint to be met. ready(B) = max(end of the previous op or host
// function of its stream, end of its API call, opening of the gate). The NULL stream is not part of ready(B):
// nobody asks for its order, so its cost counts as a wait. Each wait has the cause that took the largest part
// of it, examined in this sequence: ordering by the NULL stream, its engine, room on the SMs. A wait up to
// the usual latency after ready(B) needs no such cause: then `cause` says what made the op ready. The account
// of lost time, if there is one, knows more (ExplainedWaits).
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/trace/trace.h>

#include <array>
#include <string>
#include <string_view>

namespace olab::analysis {

class TraceFacts;

/// The evidence for a wait.
enum class RestsOn : std::uint8_t {
    Recorded, ///< a record names what it waited for
    Implied,  ///< follows from CUDA's rules and the records
    Inferred  ///< only fits the times, such as the room that a grid probably leaves
};
std::string_view restsOnName(RestsOn rests); ///< "recorded"

struct ExplainedWait {
    ActivityIndex op = kNoActivity;
    LossCause cause = LossCause::None;   ///< None and StreamOrder: nothing held it up
    ActivityIndex blocker = kNoActivity; ///< the work, call or host function it waited for; or unknown
    Interval time;                       ///< from when it could have begun to when it began; may be empty
    Ns held = 0;                         ///< the part of it that the cause explains
    Ns stretched = 0;                    ///< how much longer than its solo duration it ran
    RestsOn rests = RestsOn::Recorded;
    bool isOwned = false; ///< from the account
    Ns length() const { return time.length(); }
    bool isHeld() const { return cause != LossCause::None && cause != LossCause::StreamOrder; }
};

/// Which work a wait is blamed on.
enum class Blame : std::uint8_t {
    Nobody,  ///< no class of device work: the program asked for it, it was the host, or no record explains it
    Blocker, ///< the class of its blocker
    Meanwhile ///< each class for its running time during the wait: the op had to wait for that work
};

/// For waits explained by the records of neighbouring activities.
RestsOn restsOn(LossCause cause);
/// Usual time from the end of the blocker to the begin of the op. Up to this it does not count as a wait.
Ns usualLatency(LossCause cause);
/// Waits for room on the SMs.
constexpr bool isForRoom(LossCause cause) {
    return cause == LossCause::FullGrid || cause == LossCause::MemsetFullGrid || cause == LossCause::Priority;
}

using LossCauses = std::uint64_t; ///< bit i = LossCause i
inline constexpr LossCauses kAllLossCauses = ~LossCauses{0};
static_assert(kLossCauses <= 64);
constexpr LossCauses maskOf(LossCause cause) {
    return LossCauses{1} << static_cast<unsigned>(cause);
}

/// "kernel fma #7 (stream 14)": with the op's number, or the activity's index if no planned op is known.
std::string activityName(const TraceFacts& facts, ActivityIndex activity);
/// "1.90 us", "607 us", "28.1 ms": three digits.
std::string timeText(Ns time);

} // namespace olab::analysis

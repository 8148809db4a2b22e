// Why an op started when it did. ready(B) = max(end of the previous op of its stream, end of its API call, ordering by the NULL
// stream); wait(B) = begin(B) - ready(B). Each wait is attributed to what held the op: the sequence is
// ordering, then engine, then room on the SMs.
#pragma once

#include <olab/trace/trace.h>

#include <string>
#include <vector>

namespace olab {

struct Facts;

enum class WaitCause : std::uint8_t {
    None,          ///< started as soon as it could
    StreamOrder,   ///< previous op of the same stream (in `blocker`); `wait` is the hop after its end
    NullStream,    ///< an op on the legacy NULL stream between (in `blocker`), or it is one itself
    SameEngine,    ///< its copy engine was busy with `blocker`
    FullGrid,      ///< compute: resident grids (worst in `blocker`) left no room
    HostLate,      ///< issued late: the host was still inside earlier calls (`blocker` = that API call, if known)
    Callback,      ///< a host function of its stream ran
    Unknown,
};
std::string_view waitCauseName(WaitCause c);

struct Wait {
    ActivityIndex activity = 0;
    Ns ready = 0;                ///< the earliest it could have begun
    Ns wait = 0;                 ///< begin - ready, never negative
    WaitCause cause = WaitCause::None;
    ActivityIndex blocker = 0xffffffffu; ///< what held it; 0xffffffff: none or unknown
    Ns stretched = 0;            ///< how much longer than its solo duration it ran
    ActivityIndex stretcher = 0xffffffffu; ///< the largest op of another class resident meanwhile, if stretched
};

/// One or two sentences for a person: "Waited 412 us for kernel spin #17 (stream 14): its grid of 8448 blocks fills the device."
std::string waitSentence(const Facts& facts, const Wait& wait);

} // namespace olab

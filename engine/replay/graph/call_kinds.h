// The kinds of API calls, as far as they decide who waits for whom, derived from their names: those of the
// runtime and of the driver, with their suffixes (_v3020, _ptsz).
#pragma once

#include <olab/trace/trace.h>

#include <vector>

namespace olab::replay {

enum class CallKind : std::uint8_t {
    Other,
    Launch,       ///< of a kernel
    HostFunction, ///< puts a host function into a stream
    Sync,         ///< waits for a stream, an event or a device
    Query,        ///< polls, does not wait
    EventRecord,
    StreamWait,   ///< makes a stream wait for an event
    MayBeBarrier, ///< frees or pins memory and the like: waits for the device on some drivers
};

/// By StringId; computed once, because a trace has few names.
class CallKinds {
public:
    explicit CallKinds(const Trace& trace);
    CallKind operator[](StringId name) const { return m_kinds[name.value]; }

private:
    std::vector<CallKind> m_kinds;
};

} // namespace olab::replay

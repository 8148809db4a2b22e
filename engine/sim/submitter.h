// How the operating system hands work to the device. Linux: at once, from user space. WDDM: in batches, which
// go when they are full, too old, or the host waits or asks, or the device is idle.
#pragma once

#include "stream_set.h"

namespace olab::sim {

class Submitter {
public:
    Submitter(Context& context, StreamSet& streams)
        : m_context(context)
        , m_streams(streams) {}
    /// The host has issued `op`. @returns the host time that handing over costs beyond the call itself
    Ns issue(std::uint32_t op);
    /// The host is about to wait or asks: nothing may be left behind. @returns as issue()
    Ns flush();
    /// Handles BatchTimer.
    void timer(std::uint32_t generation);
    /// The device has nothing left to do.
    void idle();

private:
    bool batches() const { return m_context.program.submission != Submission::Linux; }
    Context& m_context;
    StreamSet& m_streams;
    std::vector<std::uint32_t> m_batch;
    std::uint32_t m_generation = 0;
};

} // namespace olab::sim

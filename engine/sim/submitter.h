// How the operating system submits work to the device. Linux: immediately, from user space. WDDM: in batches,
// which are sent when they are full or too old, when the host waits or queries, or when the device is idle.
#pragma once

#include "stream_set.h"

namespace olab::sim {

class Submitter {
public:
    Submitter(Context& context, StreamSet& streams)
        : m_context(context)
        , m_streams(streams) {}
    /// The host has issued `op`. @returns the host time that submission costs beyond the call itself
    Ns issue(std::uint32_t op);
    /// The host is about to wait or query: submits everything. @returns as issue()
    Ns flush();
    /// Handles BatchTimer.
    void timer(std::uint32_t generation);
    /// The device has become idle.
    void idle();

private:
    bool batches() const { return m_context.program.submission != experiment::Submission::Linux; }
    Context& m_context;
    StreamSet& m_streams;
    std::vector<std::uint32_t> m_batch;
    std::uint32_t m_generation = 0;
};

} // namespace olab::sim

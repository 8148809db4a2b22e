// What a call costs the host, which of the interfering ones wait for the device, and how the operating system
// submits the work.
#pragma once

#include "program.h"
#include "stream_set.h"

namespace olab::sim {

/// Host time of the call that issues `op`, before latency jitter.
Ns callCost(const Context& context, const SimOp& op);
/// Whether the call for `op` first waits until the device is idle.
bool waitsForDevice(const Context& context, const SimOp& op);
/// Whether it makes the system submit held-back work.
bool flushes(const Context& context, const SimOp& op);

/// How the operating system submits work to the device. Linux: immediately, from user space. WDDM: in
/// batches, which are sent when they are full or too old, when the host waits or queries, or when the device
/// is idle.
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

// The legacy NULL stream: its ops wait for everything issued before them to blocking streams, and what is
// issued to blocking streams afterwards waits for them. NULL ops divide the issue order into epochs, so each
// query is one comparison. Each device has its own NULL stream.
#pragma once

#include "program.h"

namespace olab::sim {

class NullBarrier {
public:
    explicit NullBarrier(Context& context)
        : m_context(context)
        , m_devices(context.program.devices) {}
    void issued(std::uint32_t op);
    /// Whether the barrier lets `op`, the first in its stream, go.
    bool clear(std::uint32_t op) const;
    void done(std::uint32_t op);
    /// When the barrier last released something relevant to `op`; 0: it never blocked anything.
    Ns clearedAt(std::uint32_t op) const;

private:
    struct Device {
        std::vector<std::uint32_t> open{0}; ///< per epoch: ops of blocking streams that have not finished
        std::uint32_t nullDone = 0;
        Ns nullDoneAt = 0, blockingDoneAt = 0;
    };
    bool isNull(const SimOp& op) const { return m_context.program.isNull(op.stream); }
    bool isBlocking(const SimOp& op) const {
        return m_context.program.streams[op.stream].kind == StreamKind::Blocking;
    }
    Context& m_context;
    std::vector<Device> m_devices;
};

} // namespace olab::sim

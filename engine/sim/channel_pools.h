// Hardware channels: a stream needs one of its kind (compute, copy) for an op to reach an engine, and keeps
// it until the last op it has handed over is dispatched. With more busy streams than channels some wait for
// work they have nothing to do with. A stream that waits for anything else gives its channels up, so waiting
// in a circle cannot happen.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

class ChannelPools {
public:
    explicit ChannelPools(Context& context);
    /// The stream of `op` has one more op to dispatch.
    void enqueued(std::uint32_t op);
    /// True: `op` has its channel (or needs none). False: it waits, and an event Granted tells when it has
    /// one.
    bool acquire(std::uint32_t op);
    void dispatched(std::uint32_t op);
    /// The stream waits for something that its channels cannot bring nearer.
    void yield(std::uint32_t stream);

private:
    struct Held {
        std::uint32_t channel = kNone;
        std::uint32_t preferred = kNone; ///< the one it had last: a stream rarely moves
        std::uint32_t pending = 0;       ///< handed over and not dispatched
    };
    struct Pool {
        std::vector<bool> taken;
        std::deque<std::uint32_t> waiting; ///< ops, first come first served
        std::vector<Held> held;            ///< per stream
        std::uint32_t firstNumber = 0;
        std::uint32_t freeCount = 0;
    };
    Pool* poolOf(const SimOp& op);
    bool take(Pool& pool, std::uint32_t op);
    void release(Pool& pool, std::uint32_t stream);
    Context& m_context;
    std::vector<Pool> m_pools; ///< per device: compute, copy
};

} // namespace olab::sim

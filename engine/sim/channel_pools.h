// Hardware channels. Each op gets one when it is submitted: compute work one of the compute channels, copies
// one of those of their direction. A stream keeps its channel until another stream takes it: with fewer
// channels than streams, the least recently used one. (Measured on an H200: which stream has which channel in
// runs of nine streams.)
#pragma once

#include "program.h"

namespace olab::sim {

class ChannelPools {
public:
    explicit ChannelPools(Context& context);
    /// Gives `op` its channel, numbered as in records; a host function gets that of the preceding op in its
    /// stream. None for ops without an engine.
    void assign(std::uint32_t op);

private:
    struct Pool {
        std::uint32_t first = 0;             ///< number of its first channel
        std::vector<std::uint32_t> owner;    ///< of each channel: a stream
        std::vector<std::uint32_t> byUse;    ///< channels, least recently used first
        std::vector<std::uint32_t> ofStream; ///< a channel, or kNone
    };
    std::uint32_t take(Pool& pool, std::uint32_t stream);
    Context& m_context;
    std::vector<Pool> m_pools;         ///< per device and engine
    std::vector<std::uint32_t> m_last; ///< per stream: the channel of its last submitted op
};

} // namespace olab::sim

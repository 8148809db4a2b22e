// Hardware channels. Each op is given one when it is handed over: compute work one of the compute channels,
// copies one of those of their direction. A stream keeps its channel until another stream takes it away: of a
// kind with fewer channels than streams the one that was used longest ago. (Measured on an H200: which stream
// has which channel in runs of nine streams.)
#pragma once

#include "program.h"

namespace olab::sim {

class ChannelPools {
public:
    explicit ChannelPools(Context& context);
    /// Gives `op` its channel, as records number it; a host function stands in the one of what is before it
    /// in its stream. None for what uses no engine.
    void assign(std::uint32_t op);

private:
    struct Pool {
        std::uint32_t first = 0;             ///< number of its first channel
        std::vector<std::uint32_t> owner;    ///< of each channel: a stream
        std::vector<std::uint32_t> byUse;    ///< channels, that used longest ago first
        std::vector<std::uint32_t> ofStream; ///< a channel, or kNone
    };
    std::uint32_t take(Pool& pool, std::uint32_t stream);
    Context& m_context;
    std::vector<Pool> m_pools;         ///< per device and engine
    std::vector<std::uint32_t> m_last; ///< per stream: the channel of the last op it was handed
};

} // namespace olab::sim

// The one thread that issues everything: each call costs host time; a call blocks while its stream's ring is
// full, and a call for a pageable copy until the copy is staged (H2D) or done (D2H). At the end it opens the
// gate and waits for the device.
#pragma once

#include "stream_set.h"

namespace olab::sim {

/// A call that lasts longer than this opens the gate, or nothing would ever move.
inline constexpr Ns kGatePatience = 2'000'000;

class HostThread {
public:
    HostThread(Context& context, StreamSet& streams)
        : m_context(context)
        , m_streams(streams) {}
    /// Handles HostStep and HostEnqueue.
    void step();
    void enqueue();
    /// Handles GateTimer: opens the gate if the call for `op` still blocks.
    void gateTimer(std::uint32_t op);
    void dispatched(std::uint32_t op);
    void staged(std::uint32_t op);
    void done(std::uint32_t op);

    bool finished() const { return m_finished; }
    Ns syncBegin() const { return m_syncBegin; }
    Ns syncEnd() const { return m_syncEnd; }
    /// The op whose call made the gate open early; kNone if none did.
    std::uint32_t gateOpenedAtOp() const { return m_gateOpenedAtOp; }

private:
    enum class Block : std::uint8_t { None, Ring, Copy, Sync };
    void enter(std::uint32_t op);
    void block(Block why);
    void returnAt(Ns time);
    void finishIssue();
    void trySync();
    Ns callCost(const SimOp& op) const;
    Context& m_context;
    StreamSet& m_streams;
    std::uint32_t m_next = 0; ///< the op being issued
    Block m_block = Block::None;
    bool m_finished = false;
    Ns m_syncBegin = 0, m_syncEnd = 0;
    std::uint32_t m_gateOpenedAtOp = kNone;
};

} // namespace olab::sim

// The copy engines, one per direction (or one for both where the device has only one): a copy at a time,
// never interrupted. Next comes the ready copy of the stream that was served last, else the oldest. Both
// directions share the host's memory.
#pragma once

#include "program.h"

#include <array>
#include <deque>
#include <optional>

namespace olab::sim {

class CopyEngines {
public:
    explicit CopyEngines(Context& context);
    void submit(std::uint32_t op);
    /// Handles CopyDone; nothing for a stale one. Call next() after what depends on it is told.
    std::optional<std::uint32_t> copyDone(std::uint32_t engine, std::uint32_t generation);
    /// `follower`: the op that follows the finished one in its stream if it is about to arrive, else kNone.
    void next(std::uint32_t engine, std::uint32_t follower);

    /// `op`, expected next, has to wait for something else after all.
    void late(std::uint32_t op);

private:
    struct Engine {
        std::uint32_t op = kNone;          ///< the copy it works on
        std::uint32_t reservedFor = kNone; ///< the copy it waits for
        std::uint32_t generation = 0;
        std::int64_t rate = 0; ///< what the copy would move with the host's memory to itself
        Ns remaining = 0;      ///< at that rate
        std::deque<std::uint32_t> waiting;
    };
    std::uint32_t engineOf(OpKind kind) const;
    void start(std::uint32_t engine, std::uint32_t op);
    void stageHost(std::uint32_t op, Ns work);
    std::int64_t rateNow(std::uint32_t engine) const;
    void settle();
    void reschedule();
    Context& m_context;
    std::array<Engine, 2> m_engines;
    Ns m_settledAt = 0;
};

} // namespace olab::sim

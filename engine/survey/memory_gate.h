// Delays work until the memory that it may need is free. A request for more than the whole runs alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace olab::survey {

class MemoryGate {
public:
    explicit MemoryGate(std::uint64_t all)
        : m_all(all) {}
    /// Waits until `wanted` is free, or nothing is taken.
    void take(std::uint64_t wanted);
    void giveBack(std::uint64_t taken);

private:
    std::uint64_t m_all, m_taken = 0;
    std::mutex m_mutex;
    std::condition_variable m_freed;
};

/// Holds memory for its lifetime.
class TakenMemory {
public:
    TakenMemory(MemoryGate& gate, std::uint64_t wanted)
        : m_gate(gate)
        , m_taken(wanted) {
        m_gate.take(m_taken);
    }
    ~TakenMemory() { m_gate.giveBack(m_taken); }
    TakenMemory(const TakenMemory&) = delete;
    TakenMemory& operator=(const TakenMemory&) = delete;

private:
    MemoryGate& m_gate;
    std::uint64_t m_taken;
};

} // namespace olab::survey

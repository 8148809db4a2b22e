// Notices that a program issues device work by calls that are not recorded: those of the driver API, as JAX,
// CuPy and Triton make them. Such work has the correlation id of no recorded call. The record of a call may
// come after that of its work, from another buffer: work is judged only when all calls made before it was
// seen must have arrived. Constant time per record. One thread at a time. Private to cupti.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace olab::cupti {

class DriverWork {
public:
    static constexpr std::uint32_t kEnough = 16; ///< works without a call: then it is no accident
    static constexpr std::uint32_t kTried = 512; ///< works with a call of the runtime: it has no other calls
    static constexpr std::uint32_t kTurns = 3;

    /// `tell` is called from nextTurn() and turnHasCome(): whether driver calls should be recorded from now
    /// on. It answers false where they have to stay. `recorded`: they are at first, so that a short program
    /// loses none; then a program that proves to work by the runtime alone is told first.
    explicit DriverWork(std::function<bool(bool record)> tell, bool recorded = false);
    void noteCall(std::uint32_t correlation); ///< of the runtime API
    void noteWork(std::uint32_t correlation); ///< not that of a graph's nodes
    /// Whether it is one of the last that noteCall() had.
    bool isRuntimeCall(std::uint32_t correlation) const;
    /// CUPTI has just given out all complete records, and they come next.
    void nextTurn();
    /// They have come. May call `tell`: driver calls that are recorded in vain are to cost nothing any more.
    void turnHasCome();
    /// Whether they are recorded and it is not known yet if the program makes any itself.
    bool isOpen() const { return m_recorded && !m_sure; }

private:
    /// The last ids with the same remainder; 0: none.
    struct Slot {
        std::uint32_t call = 0;
        std::uint32_t work = 0; ///< no call so far
        std::uint32_t turn = 0; ///< when `work` was seen
    };
    static constexpr std::size_t kSlots = 65536; ///< about the calls in a buffer
    std::uint32_t& openOf(std::uint32_t turn);
    void forgetWork(Slot& slot);
    void giveUp();

    const std::function<bool(bool)> m_tell;
    std::vector<Slot> m_slots = std::vector<Slot>(kSlots);
    std::uint32_t m_turn = 0;
    // Works without a call that were seen in this turn, in the one before, and earlier.
    std::uint32_t m_new = 0, m_last = 0, m_old = 0;
    std::uint32_t m_byRuntime = 0;
    bool m_recorded = false;
    bool m_sure = false; ///< it works by the driver, or may come to: that does not change
};

} // namespace olab::cupti

// The SMs of one device. One queue of grids and memsets per priority; only the blocks of the first op of the
// highest non-empty queue may be placed; later ops fill the leftover room once it is completely placed.
// Blocks run in waves (groups placed at the same time), not one by one. Resident blocks share the SMs: beyond
// saturation each kernel gets its part.
#pragma once

#include "copy_engines.h"

#include <deque>
#include <optional>

namespace olab::sim {

class ComputeEngine {
public:
    ComputeEngine(Context& context, HostLinks& links, std::uint32_t device);
    /// `op` (kernel, memset, or a copy that runs on the SMs) joins the queue.
    void submit(std::uint32_t op);
    /// Handles WaveDone; ignores a stale one. @returns the op that it finishes, if any; call fill() after
    /// notifying its dependents.
    std::optional<std::uint32_t> waveDone(std::uint32_t wave, std::uint32_t generation);
    /// Handles MemsetDone; ignores a stale one.
    std::optional<std::uint32_t> memsetDone(std::uint32_t slot, std::uint32_t generation);
    /// The kernel with wave `flow.subject` has read, or written, its data in place.
    std::optional<std::uint32_t> moved(const Flow& flow);
    /// Places work while there is room.
    void fill();

private:
    struct Running { ///< a partly placed grid
        std::uint32_t op = kNone;
        std::uint32_t toPlace = 0, placed = 0;
        Ns blockTime = 0;
        std::int64_t alone = 1; ///< slots that share its compute resources when it has the device to itself
        bool memoryBound = false, computeBound = false;
        bool packed = false;
        bool started = false;
    };
    struct Wave {
        std::uint32_t grid = 0, blocks = 0, generation = 0;
        bool working = false; ///< not moving data, not finished
        Ns left = 0;          ///< work at full rate, as of settledAt
        Ns settledAt = 0;
        std::int64_t sharing = 1; ///< its rate is alone/sharing since then
    };
    struct Memset {
        std::uint32_t op = kNone, slots = 0, generation = 0;
        Ns finish = 0;
    };
    struct Level {
        std::deque<std::uint32_t> queue;
        std::uint32_t head = kNone; ///< the first in the queue, if it is a partly placed grid
    };
    bool placeHead(Level& level);
    bool placeGrid(Level& level);
    bool startMemset(std::uint32_t op);
    std::uint32_t openGrid(std::uint32_t op);
    void placeWave(std::uint32_t grid, std::uint32_t blocks);
    std::optional<std::uint32_t> release(std::uint32_t wave);
    bool move(std::uint32_t wave, FlowUse use);
    Ns exposed(Ns transfer) const;
    void serveStarved();
    void serve(std::uint32_t slot);
    void work(std::uint32_t wave);
    void reschedule(std::uint32_t wave);
    void shareAnew();
    std::int64_t sharing(const Running& grid) const;
    bool packs(std::uint32_t op) const;
    Ns stretched(const Running& grid) const;
    Ns clearTime(const SimOp& op, std::uint32_t slots) const;
    void demand(const Running& grid, std::int64_t blocks);
    /// Events contain the device with the slot.
    std::uint32_t subjectOf(std::uint32_t slot) const { return slot * m_context.program.devices + m_device; }

    Context& m_context;
    HostLinks& m_links;
    std::uint32_t m_device;
    std::uint32_t m_slots, m_free; ///< in blocks of the experiment's kernel
    std::uint32_t m_batch; ///< fewer free slots than this wait for more, so that waves do not fragment
    std::uint32_t m_memsetSlots;
    std::vector<Level> m_levels; ///< by priority, highest first
    std::vector<Running> m_grids;
    std::vector<Wave> m_waves;
    std::vector<Memset> m_memsets;
    std::vector<std::uint32_t> m_freeGrids, m_freeWaves, m_freeMemsets; ///< free entries for reuse
    std::vector<std::uint32_t> m_starved; ///< memsets that run without a slot, oldest first
    std::int64_t m_memoryBlocks = 0;      ///< placed blocks of memory-bound kernels
    std::int64_t m_computeBlocks = 0;     ///< ... and of compute-bound ones
    std::int64_t m_enough;                ///< slots that compute at full rate
    std::int64_t m_shared = 0;            ///< slots that shared the SMs when rates were last computed
    std::vector<std::uint32_t> m_before;  ///< per channel: the op placed last
};

} // namespace olab::sim
